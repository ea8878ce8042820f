// SPDX-License-Identifier: Apache-2.0
#include "compression.hpp"
#include "handle.hpp"
#include "module.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace rubato::report::hdf5 {
namespace {

/// The type of a variable in files.
hid_t file_type(ValueType type) {
    switch (type) {
    case ValueType::float64: return H5T_IEEE_F64LE;
    case ValueType::float32: return H5T_IEEE_F32LE;
    case ValueType::int8: return H5T_STD_I8LE;
    case ValueType::uint8:
    case ValueType::boolean:
    case ValueType::clock: return H5T_STD_U8LE;
    case ValueType::int16: return H5T_STD_I16LE;
    case ValueType::uint16: return H5T_STD_U16LE;
    case ValueType::int32: return H5T_STD_I32LE;
    case ValueType::uint32: return H5T_STD_U32LE;
    case ValueType::uint64: return H5T_STD_U64LE;
    default: return H5T_STD_I64LE;
    }
}

template <class Stored, class Given>
void convert(const void* given, std::size_t count, std::uint8_t* stored) {
    const auto* const from = static_cast<const Given*>(given);
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<Stored>(from[i]);
        std::memcpy(stored + i * sizeof value, &value, sizeof value);
    }
}

/// Writes values that are held as `Output::write` says as they lie in files. Returns the size of
/// one.
std::size_t convert(ValueType type, const void* values, std::size_t count, std::uint8_t* stored) {
    const auto as = [&]<class Stored, class Given>(Stored, Given) {
        convert<Stored, Given>(values, count, stored);
        return sizeof(Stored);
    };
    constexpr std::int64_t integer = 0;
    switch (type) {
    case ValueType::float64: return as(0.0, 0.0);
    case ValueType::float32: return as(0.0F, 0.0);
    case ValueType::int8: return as(std::int8_t{}, integer);
    case ValueType::uint8:
    case ValueType::boolean:
    case ValueType::clock: return as(std::uint8_t{}, integer);
    case ValueType::int16: return as(std::int16_t{}, integer);
    case ValueType::uint16: return as(std::uint16_t{}, integer);
    case ValueType::int32: return as(std::int32_t{}, integer);
    case ValueType::uint32: return as(std::uint32_t{}, integer);
    default: return as(integer, integer);
    }
}

Handle text_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

Handle bytes_type() { return {H5Tvlen_create(H5T_NATIVE_UCHAR), H5Tclose}; }

bool set_attribute(hid_t object, const char* name, const char* text) {
    const Handle type = text_type();
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(
        H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return attribute && H5Awrite(attribute.get(), type.get(), &text) >= 0;
}

class File final : public Output {
public:
    /// False: `fault` says why not.
    bool create(const char* path, std::string& fault) {
        const Handle access = access_properties();
        const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
        H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
        file_ = Handle(H5Fcreate(path, H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
        if (!file_) fault = last_fault();
        return static_cast<bool>(file_);
    }

    const char* add(const Variable& variable, std::size_t chunk) override {
        Dataset dataset;
        dataset.type = variable.type;
        dataset.chunk = chunk;
        const bool is_text = variable.type == ValueType::string;
        const bool is_bytes = variable.type == ValueType::binary;
        if (is_text) dataset.own_type = text_type();
        if (is_bytes) dataset.own_type = bytes_type();
        const hid_t type = dataset.own_type ? dataset.own_type.get() : file_type(variable.type);
        const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        const hsize_t chunk_size = chunk;
        H5Pset_chunk(creation.get(), 1, &chunk_size);
        if (!dataset.own_type) {
            constexpr unsigned level = 1;
            H5Pset_shuffle(creation.get());
            H5Pset_deflate(creation.get(), level);
        }
        const Handle names(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_char_encoding(names.get(), H5T_CSET_UTF8);
        constexpr hsize_t none = 0;
        constexpr hsize_t unlimited = H5S_UNLIMITED;
        const Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose);
        const std::string link = link_name(variable.name);
        dataset.handle = Handle(H5Dcreate2(file_.get(), link.c_str(), type, space.get(),
                                           names.get(), creation.get(), H5P_DEFAULT),
                                H5Dclose);
        const std::string_view type_name = to_string(variable.type);
        if (!dataset.handle || !set_attribute(dataset.handle.get(), "name", variable.name) ||
            !set_attribute(dataset.handle.get(), "unit", variable.unit) ||
            !set_attribute(dataset.handle.get(), "description", variable.description) ||
            !set_attribute(dataset.handle.get(), "type", std::string(type_name).c_str()))
            return failed();
        datasets_.push_back(std::move(dataset));
        return nullptr;
    }

    const char* write(std::size_t variable, std::size_t first, const void* values,
                      std::size_t count) override {
        Dataset& dataset = datasets_[variable];
        const hsize_t size = first + count;
        if (H5Dset_extent(dataset.handle.get(), &size) < 0) return failed();
        const bool is_written = dataset.own_type ? write_texts(dataset, first, values, count)
                                                 : write_chunk(dataset, first, values, count);
        dataset.size = size;
        return is_written ? nullptr : failed();
    }

    const char* flush() override {
        return H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0 ? failed() : nullptr;
    }

    const char* close() override {
        bool is_good = true;
        for (Dataset& dataset : datasets_) is_good = dataset.handle.close() && is_good;
        is_good = file_.close() && is_good;
        return is_good ? nullptr : failed();
    }

private:
    struct Dataset {
        Handle own_type; ///< of strings and binaries
        Handle handle;
        hsize_t size = 0;
        std::size_t chunk = 0;
        ValueType type = ValueType::float64;
    };

    /// The library's own filters take several times as long.
    bool write_chunk(const Dataset& dataset, hsize_t first, const void* values, std::size_t count) {
        constexpr std::size_t largest = sizeof(double);
        const auto* bytes_of_values = static_cast<const std::uint8_t*>(values);
        std::size_t size = largest;
        if (dataset.type != ValueType::float64 || count < dataset.chunk) {
            stored_.assign(dataset.chunk * largest, 0);
            size = convert(dataset.type, values, count, stored_.data());
            bytes_of_values = stored_.data();
        }
        const auto& compressed = compression_.compress(bytes_of_values, dataset.chunk, size);
        constexpr std::uint32_t without_deflate = 2; // the second filter
        const auto& bytes = compressed.empty() ? compression_.shuffled() : compressed;
        return H5Dwrite_chunk(dataset.handle.get(), H5P_DEFAULT,
                              compressed.empty() ? without_deflate : 0, &first, bytes.size(),
                              bytes.data()) >= 0;
    }

    /// Those that are not there yet.
    bool write_texts(const Dataset& dataset, hsize_t first, const void* values, std::size_t count) {
        const std::size_t known = dataset.size - first;
        const auto* const texts = static_cast<const Text*>(values) + known;
        const hsize_t added = count - known;
        if (added == 0) return true;
        const Handle space(H5Dget_space(dataset.handle.get()), H5Sclose);
        const Handle memory(H5Screate_simple(1, &added, nullptr), H5Sclose);
        H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &dataset.size, nullptr, &added, nullptr);
        const void* const held = dataset.type == ValueType::string ? as_strings(texts, added)
                                                                   : as_sequences(texts, added);
        return H5Dwrite(dataset.handle.get(), dataset.own_type.get(), memory.get(), space.get(),
                        H5P_DEFAULT, held) >= 0;
    }

    const char* failed() {
        fault_ = last_fault();
        return fault_.c_str();
    }

    /// A slash separates groups in names of HDF5, and a dot alone is the group itself.
    std::string link_name(const char* name) const {
        std::string link = name;
        for (char& c : link)
            if (c == '/') c = '|';
        if (link.empty() || link == ".") link += '#';
        while (H5Lexists(file_.get(), link.c_str(), H5P_DEFAULT) > 0) link += '#';
        return link;
    }

    const void* as_strings(const Text* texts, std::size_t count) {
        strings_.resize(count);
        pointers_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            strings_[i].assign(texts[i].data, texts[i].size);
            pointers_[i] = strings_[i].c_str();
        }
        return pointers_.data();
    }
    const void* as_sequences(const Text* texts, std::size_t count) {
        sequences_.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            sequences_[i] = {texts[i].size, const_cast<char*>(texts[i].data)}; // is only read
        return sequences_.data();
    }

    Handle file_;
    std::vector<Dataset> datasets_; ///< closed before the file
    std::string fault_;
    Compression compression_;
    std::vector<std::uint8_t> stored_;
    std::vector<std::string> strings_;
    std::vector<const char*> pointers_;
    std::vector<hvl_t> sequences_;
};

} // namespace

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): of the last failed call
std::string creation_fault;

extern "C" __attribute__((visibility("default"))) Output* rubato_hdf5_create(const char* path,
                                                                             const char** problem) {
    auto file = std::make_unique<File>();
    if (file->create(path, creation_fault)) return file.release();
    *problem = creation_fault.c_str();
    return nullptr;
}

} // namespace rubato::report::hdf5
