// SPDX-License-Identifier: Apache-2.0
#include "access.hpp"

#include <rubato/fmi/fmi3_exports.hpp>

#include <utility>

// Values in FMI 3.0: a function for each type, of scalars and arrays.

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using rubato::ValueType;
using rubato::runtime::Instance;
using rubato::runtime::require;
using rubato::runtime::span_of;
using rubato::runtime::TypeSet;

namespace {

/// How many values the call has, which is how many the variables have.
std::size_t checked_count(const Instance& instance, std::span<const rubato::ValueRef> references,
                          TypeSet types, std::size_t n_values) {
    require(instance.count(references, types) == n_values,
            "there are not as many values as the variables have");
    return n_values;
}

template <class Ours, class Theirs>
Status get(void* c, const char* function, TypeSet types, const fmi3::ValueReference* references,
           std::size_t count, Theirs* values, std::size_t n_values) {
    return rubato::runtime::guarded<Status>(c, function, [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        get_as<Ours>(instance, all, values, checked_count(instance, all, types, n_values),
                     [](const Ours& value) { return static_cast<Theirs>(value); });
    });
}

template <class Ours, class Theirs>
Status set(void* c, const char* function, TypeSet types, const fmi3::ValueReference* references,
           std::size_t count, const Theirs* values, std::size_t n_values) {
    return rubato::runtime::guarded<Status>(c, function, [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        set_as<Ours>(instance, all, values, checked_count(instance, all, types, n_values),
                     [](Theirs value) { return static_cast<Ours>(value); });
    });
}

} // namespace

Status fmi3GetFloat64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      fmi3::Float64* values, std::size_t n_values) {
    return rubato::runtime::guarded<Status>(c, "fmi3GetFloat64", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        (void)checked_count(instance, all, {ValueType::float64}, n_values);
        instance.get(all, values);
    });
}

Status fmi3SetFloat64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      const fmi3::Float64* values, std::size_t n_values) {
    return rubato::runtime::guarded<Status>(c, "fmi3SetFloat64", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        (void)checked_count(instance, all, {ValueType::float64}, n_values);
        instance.set(all, values);
    });
}

Status fmi3GetFloat32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      fmi3::Float32* values, std::size_t n_values) {
    return get<double>(c, "fmi3GetFloat32", {ValueType::float32}, references, count, values,
                       n_values);
}

Status fmi3SetFloat32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      const fmi3::Float32* values, std::size_t n_values) {
    return set<double>(c, "fmi3SetFloat32", {ValueType::float32}, references, count, values,
                       n_values);
}

Status fmi3GetInt8(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                   fmi3::Int8* values, std::size_t n_values) {
    return get<std::int64_t>(c, "fmi3GetInt8", {ValueType::int8}, references, count, values,
                             n_values);
}

Status fmi3SetInt8(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                   const fmi3::Int8* values, std::size_t n_values) {
    return set<std::int64_t>(c, "fmi3SetInt8", {ValueType::int8}, references, count, values,
                             n_values);
}

Status fmi3GetUInt8(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    fmi3::UInt8* values, std::size_t n_values) {
    return get<std::int64_t>(c, "fmi3GetUInt8", {ValueType::uint8}, references, count, values,
                             n_values);
}

Status fmi3SetUInt8(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    const fmi3::UInt8* values, std::size_t n_values) {
    return set<std::int64_t>(c, "fmi3SetUInt8", {ValueType::uint8}, references, count, values,
                             n_values);
}

Status fmi3GetInt16(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    fmi3::Int16* values, std::size_t n_values) {
    return get<std::int64_t>(c, "fmi3GetInt16", {ValueType::int16}, references, count, values,
                             n_values);
}

Status fmi3SetInt16(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    const fmi3::Int16* values, std::size_t n_values) {
    return set<std::int64_t>(c, "fmi3SetInt16", {ValueType::int16}, references, count, values,
                             n_values);
}

Status fmi3GetUInt16(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     fmi3::UInt16* values, std::size_t n_values) {
    return get<std::int64_t>(c, "fmi3GetUInt16", {ValueType::uint16}, references, count, values,
                             n_values);
}

Status fmi3SetUInt16(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const fmi3::UInt16* values, std::size_t n_values) {
    return set<std::int64_t>(c, "fmi3SetUInt16", {ValueType::uint16}, references, count, values,
                             n_values);
}

Status fmi3GetInt32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    fmi3::Int32* values, std::size_t n_values) {
    return get<std::int64_t>(c, "fmi3GetInt32", {ValueType::int32}, references, count, values,
                             n_values);
}

Status fmi3SetInt32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    const fmi3::Int32* values, std::size_t n_values) {
    return set<std::int64_t>(c, "fmi3SetInt32", {ValueType::int32}, references, count, values,
                             n_values);
}

Status fmi3GetUInt32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     fmi3::UInt32* values, std::size_t n_values) {
    return get<std::int64_t>(c, "fmi3GetUInt32", {ValueType::uint32}, references, count, values,
                             n_values);
}

Status fmi3SetUInt32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const fmi3::UInt32* values, std::size_t n_values) {
    return set<std::int64_t>(c, "fmi3SetUInt32", {ValueType::uint32}, references, count, values,
                             n_values);
}

Status fmi3GetInt64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    fmi3::Int64* values, std::size_t n_values) {
    return get<std::int64_t>(c, "fmi3GetInt64", {ValueType::int64, ValueType::enumeration},
                             references, count, values, n_values);
}

Status fmi3SetInt64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    const fmi3::Int64* values, std::size_t n_values) {
    return set<std::int64_t>(c, "fmi3SetInt64", {ValueType::int64, ValueType::enumeration},
                             references, count, values, n_values);
}

Status fmi3GetUInt64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     fmi3::UInt64* values, std::size_t n_values) {
    return get<std::int64_t>(c, "fmi3GetUInt64", {ValueType::uint64}, references, count, values,
                             n_values);
}

Status fmi3SetUInt64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const fmi3::UInt64* values, std::size_t n_values) {
    return set<std::int64_t>(c, "fmi3SetUInt64", {ValueType::uint64}, references, count, values,
                             n_values);
}

Status fmi3GetBoolean(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      fmi3::Boolean* values, std::size_t n_values) {
    return get<bool>(c, "fmi3GetBoolean", {ValueType::boolean}, references, count, values,
                     n_values);
}

Status fmi3SetBoolean(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      const fmi3::Boolean* values, std::size_t n_values) {
    return set<bool>(c, "fmi3SetBoolean", {ValueType::boolean}, references, count, values,
                     n_values);
}

Status fmi3GetString(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     fmi3::String* values, std::size_t n_values) {
    return rubato::runtime::guarded<Status>(c, "fmi3GetString", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        get_as<std::string>(instance, all, values,
                            checked_count(instance, all, {ValueType::string}, n_values),
                            [](const std::string& value) { return value.c_str(); });
    });
}

Status fmi3SetString(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const fmi3::String* values, std::size_t n_values) {
    return rubato::runtime::guarded<Status>(c, "fmi3SetString", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        set_as<std::string>(instance, all, values,
                            checked_count(instance, all, {ValueType::string}, n_values),
                            rubato::runtime::given);
    });
}

Status fmi3GetBinary(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     std::size_t* sizes, fmi3::Binary* values, std::size_t n_values) {
    return rubato::runtime::guarded<Status>(c, "fmi3GetBinary", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        require(n_values == 0 || sizes != nullptr, "there is no place for the sizes");
        get_as<std::string>(instance, all, values,
                            checked_count(instance, all, {ValueType::binary}, n_values),
                            [&](const std::string& value) {
                                *sizes++ = value.size();
                                return reinterpret_cast<fmi3::Binary>(value.data());
                            });
    });
}

Status fmi3SetBinary(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const std::size_t* sizes, const fmi3::Binary* values, std::size_t n_values) {
    return rubato::runtime::guarded<Status>(c, "fmi3SetBinary", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        require(n_values == 0 || sizes != nullptr, "the sizes are missing");
        set_as<std::string>(instance, all, values,
                            checked_count(instance, all, {ValueType::binary}, n_values),
                            [&](fmi3::Binary value) {
                                const std::size_t size = *sizes++;
                                require(size == 0 || value != nullptr, "a binary is missing");
                                return std::string(reinterpret_cast<const char*>(value), size);
                            });
    });
}
