// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/core/value.hpp>
#include <rubato/scenario/system.hpp>

#include <optional>

namespace rubato::engine {

/// How a connection makes a value of one kind of a value of another:
/// `target = how(factor · source + offset)`. Where nothing is scaled, integers keep all their bits.
struct TypeChange {
    ValueType from = ValueType::float64, to = ValueType::float64;
    double factor = 1, offset = 0;
    std::optional<scenario::TypeConversion> how;
    double threshold = 0;
    PortId source, target; ///< for messages
};

/// nullopt: values are of one kind and only scaled, if anything.
std::optional<TypeChange> type_change_of(const scenario::Link& link,
                                         const scenario::System& system);

/// Makes one value. False: it does not fit into the target's type; nothing is written.
bool change_type(const TypeChange& change, const void* source, void* target);

/// What a connection makes of a number without changing its kind: factor · value + offset. Factor
/// and offset of integers are whole: no bit is lost.
inline double scaled(double value, double factor, double offset) { return factor * value + offset; }
inline std::int64_t scaled(std::int64_t value, double factor, double offset) {
    const auto whole = [](double number) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(number)); // wraps around
    };
    return static_cast<std::int64_t>(whole(factor) * static_cast<std::uint64_t>(value) +
                                     whole(offset));
}

/// Where the n-th of values lies, the first of which is at `first`.
inline const void* element_at(Storage storage, const void* first, std::size_t n) {
    return with_type_of(storage,
                        [&]<class T>() -> const void* { return static_cast<const T*>(first) + n; });
}
inline void* element_at(Storage storage, void* first, std::size_t n) {
    return const_cast<void*>(element_at(storage, static_cast<const void*>(first), n));
}

[[noreturn]] void fail_to_change_type(const TypeChange& change, const void* source,
                                      const scenario::System& system, Time now);

} // namespace rubato::engine
