// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace rubato {

/// What a variable is declared to be. FMI 2.0's Real, Integer, Boolean, String and Enumeration are
/// `float64`, `int32`, `boolean`, `string` and `enumeration`.
enum class ValueType : std::uint8_t {
    float64,
    float32,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    enumeration,
    boolean,
    string,
    binary,
    clock,
};

/// How values of a type are held between units: every type maps to one of these.
enum class Storage : std::uint8_t {
    real,    ///< double
    integer, ///< std::int64_t; an uint64 keeps its bits
    boolean, ///< bool
    string,  ///< std::string; binaries and their bytes too
};

constexpr Storage storage_of(ValueType type) {
    switch (type) {
    case ValueType::float64:
    case ValueType::float32: return Storage::real;
    case ValueType::boolean:
    case ValueType::clock: return Storage::boolean;
    case ValueType::string:
    case ValueType::binary: return Storage::string;
    default: return Storage::integer;
    }
}

/// Calls `use`, a template, with the type that values of the storage have:
/// `with_type_of(storage, [&]<class T>() { … })`.
template <class Use>
constexpr decltype(auto) with_type_of(Storage storage, Use&& use) {
    switch (storage) {
    case Storage::real: return use.template operator()<double>();
    case Storage::integer: return use.template operator()<std::int64_t>();
    case Storage::boolean: return use.template operator()<bool>();
    case Storage::string: break;
    }
    return use.template operator()<std::string>();
}

template <class T>
inline constexpr Storage storage_for = Storage::string;
template <>
inline constexpr Storage storage_for<double> = Storage::real;
template <>
inline constexpr Storage storage_for<std::int64_t> = Storage::integer;
template <>
inline constexpr Storage storage_for<bool> = Storage::boolean;

std::string_view to_string(ValueType type);
std::string_view to_string(Storage storage);

/// One value, as files and command lines give it. The alternatives stand in the order of `Storage`.
using Value = std::variant<double, std::int64_t, bool, std::string>;

std::string to_string(const Value& value);
/// The same for a value of this type: the bits of an uint64 are those of an unsigned number.
std::string to_string(const Value& value, ValueType type);

/// How a unit knows a variable: FMI's value reference, a native unit's index.
using ValueRef = std::uint32_t;

/// Neighbouring elements of an array.
struct Part {
    std::uint32_t first = 0; ///< counted from 0, row by row
    std::uint32_t count = 1;
    std::uint32_t size = 1; ///< of the whole array
    friend auto operator<=>(const Part&, const Part&) = default;
    bool is_whole() const { return count == size; }
};

/// Variables of one type and where their values live: what one bulk call reads or writes. Built
/// once; a step only passes it on. `data` points to `count` values of the type's storage: one per
/// scalar, and those of arrays row by row.
struct Bulk {
    ValueType type = ValueType::float64;
    std::span<const ValueRef> references;
    void* data = nullptr;
    std::size_t count = 0;
    std::span<const Part> parts = {}; ///< of each reference; empty: all are scalars

    /// Calls `use` with each reference, where its values begin and how many they are.
    template <class Use>
    void for_each_variable(Use&& use) const {
        std::size_t first = 0;
        for (std::size_t i = 0; i < references.size(); ++i) {
            const std::size_t values = parts.empty() ? 1 : parts[i].count;
            use(references[i], first, values);
            first += values;
        }
    }

    template <class T>
    std::span<T> as() const {
        return {static_cast<T*>(data), count};
    }
    std::span<double> reals() const {
        assert(storage_of(type) == Storage::real);
        return as<double>();
    }
    std::span<std::int64_t> integers() const {
        assert(storage_of(type) == Storage::integer);
        return as<std::int64_t>();
    }
    std::span<bool> booleans() const {
        assert(storage_of(type) == Storage::boolean);
        return as<bool>();
    }
    std::span<std::string> strings() const {
        assert(storage_of(type) == Storage::string);
        return as<std::string>();
    }
};

} // namespace rubato
