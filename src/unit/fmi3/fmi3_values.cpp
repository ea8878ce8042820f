// SPDX-License-Identifier: Apache-2.0
#include "fmi3_instance.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

/// How values get into and out of an FMI 3.0 instance. What is stored as the standard has it
/// (Float64, Int64, UInt64, Boolean, Clock) is handed over where it is.
namespace rubato::unit {

namespace {

template <class T>
using StoredAs = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

template <class T>
bool fits(StoredAs<T> value) {
    if constexpr (std::is_floating_point_v<T>) {
        return true;
    } else {
        return std::in_range<T>(value);
    }
}

} // namespace

template <class T>
void Fmi3Instance::set_as(const Bulk& values, fmi3::Set<T>* function, const char* call) {
    const auto wide = values.as<StoredAs<T>>();
    const auto narrow = scratch_.of<T>(values.count);
    for (std::size_t i = 0; i < values.count; ++i) {
        if (!fits<T>(wide[i])) {
            fail(call,
                 format("the value {} does not fit into {}", wide[i], to_string(values.type)));
        }
        narrow[i] = static_cast<T>(wide[i]);
    }
    check(function(instance_, values.references.data(), values.references.size(), narrow.data(),
                   values.count),
          call);
}

template <class T>
void Fmi3Instance::read(const Bulk& values, std::span<T> targets, fmi3::Get<T>* function,
                        const char* call) {
    getting_.read(values, targets, call, rules_, is_trial_,
                  [&](const ValueRef* references, std::size_t number, T* to, std::size_t count) {
                      check(function(instance_, references, number, to, count), call);
                  });
}

template <class T>
void Fmi3Instance::get_as(const Bulk& values, fmi3::Get<T>* function, const char* call) {
    const auto narrow = scratch_.of<T>(values.count);
    read(values, narrow, function, call);
    std::ranges::transform(narrow, values.as<StoredAs<T>>().begin(),
                           [](T value) { return static_cast<StoredAs<T>>(value); });
}

void Fmi3Instance::set_others(const Bulk& values) {
    const auto references = values.references.data();
    const std::size_t number = values.references.size(), count = values.count;
    const Fmi3Functions& f = functions_;
    switch (values.type) {
    case ValueType::float32: return set_as(values, f.set_float32, "fmi3SetFloat32");
    case ValueType::int8: return set_as(values, f.set_int8, "fmi3SetInt8");
    case ValueType::uint8: return set_as(values, f.set_uint8, "fmi3SetUInt8");
    case ValueType::int16: return set_as(values, f.set_int16, "fmi3SetInt16");
    case ValueType::uint16: return set_as(values, f.set_uint16, "fmi3SetUInt16");
    case ValueType::int32: return set_as(values, f.set_int32, "fmi3SetInt32");
    case ValueType::uint32: return set_as(values, f.set_uint32, "fmi3SetUInt32");
    case ValueType::int64:
    case ValueType::enumeration:
        return check(f.set_int64(instance_, references, number, values.integers().data(), count),
                     "fmi3SetInt64");
    case ValueType::uint64: return set_uint64(values);
    case ValueType::boolean:
        return check(f.set_boolean(instance_, references, number, values.booleans().data(), count),
                     "fmi3SetBoolean");
    case ValueType::clock:
        return check(f.set_clock(instance_, references, number, values.booleans().data()),
                     "fmi3SetClock");
    case ValueType::string: return set_strings(values);
    case ValueType::binary: return set_binaries(values);
    case ValueType::float64: break;
    }
}

/// Structural parameters, which are of this type, are set in configuration mode.
void Fmi3Instance::set_uint64(const Bulk& values) {
    const bool configures = std::ranges::any_of(values.references, [&](ValueRef reference) {
        return std::ranges::find(structural_, reference) != structural_.end();
    });
    if (configures)
        check(functions_.enter_configuration_mode(instance_), "fmi3EnterConfigurationMode");
    check(functions_.set_uint64(instance_, values.references.data(), values.references.size(),
                                reinterpret_cast<const std::uint64_t*>(values.integers().data()),
                                values.count),
          "fmi3SetUInt64");
    if (configures)
        check(functions_.exit_configuration_mode(instance_), "fmi3ExitConfigurationMode");
}

void Fmi3Instance::get_others(const Bulk& values) {
    const Fmi3Functions& f = functions_;
    switch (values.type) {
    case ValueType::float32: return get_as(values, f.get_float32, "fmi3GetFloat32");
    case ValueType::int8: return get_as(values, f.get_int8, "fmi3GetInt8");
    case ValueType::uint8: return get_as(values, f.get_uint8, "fmi3GetUInt8");
    case ValueType::int16: return get_as(values, f.get_int16, "fmi3GetInt16");
    case ValueType::uint16: return get_as(values, f.get_uint16, "fmi3GetUInt16");
    case ValueType::int32: return get_as(values, f.get_int32, "fmi3GetInt32");
    case ValueType::uint32: return get_as(values, f.get_uint32, "fmi3GetUInt32");
    case ValueType::int64:
    case ValueType::enumeration:
        return read(values, values.integers(), f.get_int64, "fmi3GetInt64");
    case ValueType::uint64:
        return read(
            values,
            std::span(reinterpret_cast<std::uint64_t*>(values.integers().data()), values.count),
            f.get_uint64, "fmi3GetUInt64");
    case ValueType::boolean: return get_booleans(values);
    case ValueType::clock:
        return check(f.get_clock(instance_, values.references.data(), values.references.size(),
                                 values.booleans().data()),
                     "fmi3GetClock");
    case ValueType::string: return get_strings(values);
    case ValueType::binary: return get_binaries(values);
    case ValueType::float64: return read(values, values.reals(), f.get_float64, "fmi3GetFloat64");
    }
}

/// As bytes: what has not been filled in is no boolean.
void Fmi3Instance::get_booleans(const Bulk& values) {
    const auto bytes = scratch_.of<std::uint8_t>(values.count);
    getting_.read(
        values, bytes, "fmi3GetBoolean", rules_, is_trial_,
        [&](const ValueRef* references, std::size_t number, std::uint8_t* to, std::size_t count) {
            check(functions_.get_boolean(instance_, references, number, reinterpret_cast<bool*>(to),
                                         count),
                  "fmi3GetBoolean");
        });
    std::ranges::transform(bytes, values.booleans().begin(),
                           [](std::uint8_t byte) { return byte != 0; });
}

void Fmi3Instance::set_strings(const Bulk& values) {
    const auto texts = scratch_.of<fmi3::String>(values.count);
    std::ranges::transform(values.strings(), texts.begin(),
                           [](const std::string& value) { return value.c_str(); });
    check(functions_.set_string(instance_, values.references.data(), values.references.size(),
                                texts.data(), values.count),
          "fmi3SetString");
}

void Fmi3Instance::get_strings(const Bulk& values) {
    const auto texts = scratch_.of<fmi3::String>(values.count);
    read(values, texts, functions_.get_string, "fmi3GetString");
    rules_.take_strings(texts, values.strings(), "fmi3GetString");
}

void Fmi3Instance::set_binaries(const Bulk& values) {
    const auto bytes = scratch_.of<fmi3::Binary>(values.count);
    const auto sizes = sizes_.of<std::size_t>(values.count);
    const auto sources = values.strings();
    for (std::size_t i = 0; i < values.count; ++i) {
        bytes[i] = reinterpret_cast<fmi3::Binary>(sources[i].data());
        sizes[i] = sources[i].size();
    }
    check(functions_.set_binary(instance_, values.references.data(), values.references.size(),
                                sizes.data(), bytes.data(), values.count),
          "fmi3SetBinary");
}

void Fmi3Instance::get_binaries(const Bulk& values) {
    const auto bytes = scratch_.of<fmi3::Binary>(values.count);
    const auto sizes = sizes_.of<std::size_t>(values.count);
    std::ranges::fill(sizes, 0);
    getting_.read(
        values, bytes, "fmi3GetBinary", rules_, is_trial_,
        [&](const ValueRef* references, std::size_t number, fmi3::Binary* to, std::size_t count) {
            check(functions_.get_binary(instance_, references, number, &sizes[to - bytes.data()],
                                        to, count),
                  "fmi3GetBinary");
        });
    const auto targets = values.strings();
    for (std::size_t i = 0; i < values.count; ++i) {
        if (bytes[i] == nullptr && sizes[i] > 0)
            rules_.broken(Rule::null_value, "fmi3GetBinary", "a binary is a null pointer");
        targets[i].assign(reinterpret_cast<const char*>(bytes[i]),
                          bytes[i] == nullptr ? 0 : sizes[i]);
    }
}

} // namespace rubato::unit
