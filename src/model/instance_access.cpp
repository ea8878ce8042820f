// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/instance.hpp>

#include <utility>

namespace rubato::model {

namespace {

/// Calls `function` with a value of the integer type that a variable has; false if it has none.
template <class Function>
bool with_integer_type(ValueType type, Function&& function) {
    switch (type) {
    case ValueType::int8: function(std::int8_t{}); return true;
    case ValueType::uint8: function(std::uint8_t{}); return true;
    case ValueType::int16: function(std::int16_t{}); return true;
    case ValueType::uint16: function(std::uint16_t{}); return true;
    case ValueType::int32: function(std::int32_t{}); return true;
    case ValueType::uint32: function(std::uint32_t{}); return true;
    case ValueType::int64:
    case ValueType::enumeration: function(std::int64_t{}); return true;
    case ValueType::uint64: function(std::uint64_t{}); return true;
    default: return false;
    }
}

template <class T>
bool fits(std::int64_t value) {
    return std::is_same_v<T, std::uint64_t> || std::in_range<T>(value);
}

} // namespace

AccessResult Instance::get_mixed_reals(std::span<const ValueRef> references, double* values) {
    for (const ValueRef& reference : references) {
        float narrow = 0;
        const bool is_float = reference < slot_count_ && holds<float>(slots_[reference].type);
        const AccessResult result =
            is_float ? get<float>({&reference, 1}, &narrow) : get<double>({&reference, 1}, values);
        if (!result.ok()) return result;
        if (is_float) *values = narrow;
        ++values;
    }
    return {};
}

AccessResult Instance::set_mixed_reals(std::span<const ValueRef> references, const double* values) {
    for (const ValueRef& reference : references) {
        const auto narrow = static_cast<float>(*values);
        const bool is_float = reference < slot_count_ && holds<float>(slots_[reference].type);
        const AccessResult result =
            is_float ? set<float>({&reference, 1}, &narrow) : set<double>({&reference, 1}, values);
        if (!result.ok()) return result;
        ++values;
    }
    return {};
}

AccessResult Instance::get_integers(std::span<const ValueRef> references, std::int64_t* values) {
    for (const ValueRef& reference : references) {
        if (reference >= slot_count_) return {Access::unknown_reference, reference};
        AccessResult result;
        const bool integer = with_integer_type(slots_[reference].type, [&](auto value) {
            result = get<decltype(value)>({&reference, 1}, &value);
            *values = static_cast<std::int64_t>(value);
        });
        if (!integer) return {Access::wrong_type, reference};
        if (!result.ok()) return result;
        ++values;
    }
    return {};
}

AccessResult Instance::set_integers(std::span<const ValueRef> references,
                                    const std::int64_t* values) {
    for (const ValueRef& reference : references) {
        if (reference >= slot_count_) return {Access::unknown_reference, reference};
        AccessResult result;
        const bool integer = with_integer_type(slots_[reference].type, [&](auto value) {
            using T = decltype(value);
            value = static_cast<T>(*values);
            result = fits<T>(*values) ? set<T>({&reference, 1}, &value)
                                      : AccessResult{Access::out_of_range, reference};
        });
        if (!integer) return {Access::wrong_type, reference};
        if (!result.ok()) return result;
        ++values;
    }
    return {};
}

std::string Instance::explain(AccessResult result) const {
    const auto known = result.reference < slot_count_;
    const std::string name = known ? "variable \"" + type_.variables[result.reference].name + "\""
                                   : "value reference " + std::to_string(result.reference);
    switch (result.access) {
    case Access::done: return name + " is fine";
    case Access::unknown_reference:
        return name + " is not one of model \"" + type_.name + "\", which has 0 to " +
               std::to_string(slot_count_ - 1);
    case Access::wrong_type: return name + " is not of the type of this call";
    case Access::not_settable: return name + " cannot be set now";
    case Access::out_of_range: return name + " cannot take this value or order";
    }
    return name;
}

} // namespace rubato::model
