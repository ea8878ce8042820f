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

/// Where the n-th of values lies, the first of which is at `first`.
inline const void* element_at(Storage storage, const void* first, std::size_t n) {
    switch (storage) {
    case Storage::real: return static_cast<const double*>(first) + n;
    case Storage::integer: return static_cast<const std::int64_t*>(first) + n;
    case Storage::boolean: return static_cast<const bool*>(first) + n;
    case Storage::string: break;
    }
    return static_cast<const std::string*>(first) + n;
}
inline void* element_at(Storage storage, void* first, std::size_t n) {
    return const_cast<void*>(element_at(storage, static_cast<const void*>(first), n));
}

[[noreturn]] void fail_to_change_type(const TypeChange& change, const void* source,
                                      const scenario::System& system, Time now);

} // namespace rubato::engine
