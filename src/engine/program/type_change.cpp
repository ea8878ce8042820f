// SPDX-License-Identifier: Apache-2.0
#include "type_change.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace rubato::engine {

using scenario::TypeConversion;

namespace {

/// Calls `use` with a value of the integer type that the value type is; an enumeration is an int64.
template <class Use>
auto with_integer_type(ValueType type, Use&& use) {
    switch (type) {
    case ValueType::int8: return use(std::int8_t{});
    case ValueType::uint8: return use(std::uint8_t{});
    case ValueType::int16: return use(std::int16_t{});
    case ValueType::uint16: return use(std::uint16_t{});
    case ValueType::int32: return use(std::int32_t{});
    case ValueType::uint32: return use(std::uint32_t{});
    case ValueType::uint64: return use(std::uint64_t{});
    default: return use(std::int64_t{});
    }
}

/// As it is stored.
template <class T>
std::int64_t stored(T value) {
    if constexpr (std::is_same_v<T, std::uint64_t>)
        return std::bit_cast<std::int64_t>(value);
    else
        return value;
}

double number_of(ValueType type, const void* source) {
    switch (storage_of(type)) {
    case Storage::real: return *static_cast<const double*>(source);
    case Storage::boolean: return *static_cast<const bool*>(source) ? 1 : 0;
    default: break;
    }
    const std::int64_t integer = *static_cast<const std::int64_t*>(source);
    if (type == ValueType::uint64)
        return static_cast<double>(std::bit_cast<std::uint64_t>(integer));
    return static_cast<double>(integer);
}

double rounded(double number, TypeConversion how) {
    switch (how) {
    case TypeConversion::round: return std::round(number);
    case TypeConversion::floor: return std::floor(number);
    case TypeConversion::ceiling: return std::ceil(number);
    case TypeConversion::truncate: return std::trunc(number);
    default: break;
    }
    return number;
}

/// `number` is whole.
bool write_integer(double number, ValueType to, void* target) {
    return with_integer_type(to, [&]<class T>(T) {
        // The largest value of 64 bits is no double; the one after it is.
        const double beyond = std::ldexp(1., std::numeric_limits<T>::digits);
        if (!(number >= static_cast<double>(std::numeric_limits<T>::min()) && number < beyond))
            return false;
        *static_cast<std::int64_t*>(target) = stored(static_cast<T>(number));
        return true;
    });
}

/// From integers and booleans, without rounding.
bool copy_integer(const TypeChange& change, const void* source, void* target) {
    return with_integer_type(change.to, [&]<class T>(T) {
        const auto write = [&](auto value) {
            if (!std::in_range<T>(value)) return false;
            *static_cast<std::int64_t*>(target) = stored(static_cast<T>(value));
            return true;
        };
        if (storage_of(change.from) == Storage::boolean)
            return write(*static_cast<const bool*>(source) ? 1 : 0);
        const std::int64_t value = *static_cast<const std::int64_t*>(source);
        return change.from == ValueType::uint64 ? write(std::bit_cast<std::uint64_t>(value))
                                                : write(value);
    });
}

} // namespace

std::optional<TypeChange> type_change_of(const scenario::Link& link,
                                         const scenario::System& system) {
    const ValueType from = system.port(link.from).type;
    const ValueType to = system.port(link.to).type;
    // An uint64 keeps its bits where it is held: others would read them as another number.
    const bool is_same = storage_of(from) == storage_of(to) &&
                         (from == ValueType::uint64) == (to == ValueType::uint64);
    if (is_same && !link.to_type) return std::nullopt;
    return TypeChange{.from = from,
                      .to = to,
                      .factor = link.factor,
                      .offset = link.offset,
                      .how = link.to_type,
                      .threshold = link.threshold,
                      .source = link.from,
                      .target = link.to};
}

bool change_type(const TypeChange& change, const void* source, void* target) {
    const Storage to = storage_of(change.to);
    const bool is_scaled = change.factor != 1 || change.offset != 0;
    if (to == Storage::integer && storage_of(change.from) != Storage::real && !is_scaled)
        return copy_integer(change, source, target);
    const double number = change.factor * number_of(change.from, source) + change.offset;
    if (to == Storage::real) {
        *static_cast<double*>(target) = number;
        return true;
    }
    if (to == Storage::boolean) {
        *static_cast<bool*>(target) =
            change.how == TypeConversion::threshold ? number > change.threshold : number != 0;
        return true;
    }
    return write_integer(change.how ? rounded(number, *change.how) : number, change.to, target);
}

void fail_to_change_type(const TypeChange& change, const void* source,
                         const scenario::System& system, Time now) {
    const double number = number_of(change.from, source);
    const double scaled = change.factor * number + change.offset;
    throw Error(
        format("unit \"{}\": {} = {} does not fit into input \"{}\" of type {} at t = {} s",
               system.unit(system.port(change.target).unit).name, system.name_of(change.source),
               scaled == number ? shortest(number)
                                : format("{}, scaled to {}", shortest(number), shortest(scaled)),
               system.port(change.target).name, to_string(change.to), shortest(now.seconds)),
        "scale the connection with factor and offset, or use a wider type");
}

} // namespace rubato::engine
