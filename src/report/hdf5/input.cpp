// SPDX-License-Identifier: Apache-2.0
#include "handle.hpp"
#include "module.hpp"

#include <memory>
#include <string>
#include <vector>

namespace rubato::report::hdf5 {
namespace {

/// The text of an attribute of variable length; empty: there is none.
std::string attribute_of(hid_t object, const char* name) {
    if (H5Aexists(object, name) <= 0) return "";
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.get()), H5Tclose);
    const Handle space(H5Aget_space(attribute.get()), H5Sclose);
    char* text = nullptr;
    if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) <= 0 ||
        H5Sget_simple_extent_npoints(space.get()) != 1 ||
        H5Aread(attribute.get(), type.get(), &text) < 0 || text == nullptr)
        return "";
    std::string result = text;
    H5free_memory(text);
    return result;
}

class File final : public Input {
public:
    /// False: `fault` says why not.
    bool open(const char* path, std::string& fault) {
        const Handle access = access_properties();
        file_ = Handle(H5Fopen(path, H5F_ACC_RDONLY, access.get()), H5Fclose);
        if (!file_ || !find_datasets()) fault = last_fault();
        return fault.empty();
    }

    std::size_t count() const override { return datasets_.size(); }
    const char* name(std::size_t dataset) const override { return datasets_[dataset].name.c_str(); }
    bool is_number(std::size_t dataset) const override { return datasets_[dataset].is_number; }
    std::size_t size(std::size_t dataset) const override { return datasets_[dataset].size; }
    const char* read(std::size_t dataset, double* values) override {
        const Handle& handle = datasets_[dataset].handle;
        if (H5Dread(handle.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0)
            return nullptr;
        fault_ = last_fault();
        return fault_.c_str();
    }

private:
    struct Dataset {
        std::string name;
        Handle handle;
        std::size_t size = 0;
        bool is_number = false;
    };

    bool find_datasets() {
        const Handle root(H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose);
        const Handle properties(H5Gget_create_plist(root.get()), H5Pclose);
        unsigned order = 0;
        H5Pget_link_creation_order(properties.get(), &order);
        const H5_index_t index =
            (order & H5P_CRT_ORDER_INDEXED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
        hsize_t at = 0;
        return H5Literate(root.get(), index, H5_ITER_INC, &at, add_link, this) >= 0;
    }
    static herr_t add_link(hid_t group, const char* name, const H5L_info_t*, void* file) {
        static_cast<File*>(file)->add(group, name);
        return 0;
    }
    /// Only datasets of one dimension are variables.
    void add(hid_t group, const char* name) {
        Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
        if (!object || H5Iget_type(object.get()) != H5I_DATASET) return;
        const Handle space(H5Dget_space(object.get()), H5Sclose);
        const Handle type(H5Dget_type(object.get()), H5Tclose);
        if (H5Sget_simple_extent_ndims(space.get()) != 1) return;
        const H5T_class_t kind = H5Tget_class(type.get());
        std::string own_name = attribute_of(object.get(), "name");
        datasets_.push_back(
            {.name = own_name.empty() ? name : std::move(own_name),
             .handle = std::move(object),
             .size = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())),
             .is_number = kind == H5T_FLOAT || kind == H5T_INTEGER});
    }

    Handle file_;
    std::vector<Dataset> datasets_;
    std::string fault_;
};

} // namespace

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): of the last failed call
std::string opening_fault;

extern "C" __attribute__((visibility("default"))) Input* rubato_hdf5_open(const char* path,
                                                                          const char** problem) {
    auto file = std::make_unique<File>();
    opening_fault.clear();
    if (file->open(path, opening_fault)) return file.release();
    *problem = opening_fault.c_str();
    return nullptr;
}

} // namespace rubato::report::hdf5
