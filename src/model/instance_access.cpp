// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/instance.hpp>
#include <rubato/model/member.hpp>

#include <stdexcept>
#include <type_traits>
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

template <class T, class Stored>
bool fits([[maybe_unused]] Stored value) {
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::uint64_t>)
        return true;
    else
        return std::in_range<T>(value);
}

} // namespace

template <class T, class Stored>
AccessResult Instance::get_as(ValueRef reference, Stored* values) {
    const std::uint32_t count = element_count(reference);
    T* const narrow = room_for<T>(count);
    const AccessResult result = get<T>({&reference, 1}, narrow);
    if (result.ok())
        std::transform(narrow, narrow + count, values,
                       [](T value) { return static_cast<Stored>(value); });
    return result;
}

template <class T, class Stored>
AccessResult Instance::set_as(ValueRef reference, const Stored* values) {
    const std::uint32_t count = element_count(reference);
    T* const narrow = room_for<T>(count);
    for (std::uint32_t e = 0; e < count; ++e) {
        if (!fits<T>(values[e])) return {Access::out_of_range, reference};
        narrow[e] = static_cast<T>(values[e]);
    }
    return set<T>({&reference, 1}, narrow);
}

AccessResult Instance::get_mixed_reals(std::span<const ValueRef> references, double* values) {
    for (const ValueRef reference : references) {
        const bool is_float = reference < slot_count_ && holds<float>(slots_[reference].type);
        const AccessResult result =
            is_float ? get_as<float>(reference, values) : get_as<double>(reference, values);
        if (!result.ok()) return result;
        values += element_count(reference);
    }
    return {};
}

AccessResult Instance::set_mixed_reals(std::span<const ValueRef> references, const double* values) {
    for (const ValueRef reference : references) {
        const bool is_float = reference < slot_count_ && holds<float>(slots_[reference].type);
        const AccessResult result =
            is_float ? set_as<float>(reference, values) : set_as<double>(reference, values);
        if (!result.ok()) return result;
        values += element_count(reference);
    }
    return {};
}

AccessResult Instance::get_integers(std::span<const ValueRef> references, std::int64_t* values) {
    for (const ValueRef reference : references) {
        if (reference >= slot_count_) return {Access::unknown_reference, reference};
        AccessResult result;
        const bool integer = with_integer_type(slots_[reference].type, [&](auto type) {
            result = get_as<decltype(type)>(reference, values);
        });
        if (!integer) return {Access::wrong_type, reference};
        if (!result.ok()) return result;
        values += element_count(reference);
    }
    return {};
}

AccessResult Instance::set_integers(std::span<const ValueRef> references,
                                    const std::int64_t* values) {
    for (const ValueRef reference : references) {
        if (reference >= slot_count_) return {Access::unknown_reference, reference};
        AccessResult result;
        const bool integer = with_integer_type(slots_[reference].type, [&](auto type) {
            result = set_as<decltype(type)>(reference, values);
        });
        if (!integer) return {Access::wrong_type, reference};
        if (!result.ok()) return result;
        values += element_count(reference);
    }
    return {};
}

AccessResult Instance::get_texts(ValueType type, std::span<const ValueRef> references,
                                 std::string_view* values) {
    for (const ValueRef reference : references) {
        if (reference >= slot_count_) return {Access::unknown_reference, reference};
        const Slot& slot = slots_[reference];
        if (slot.type != type) return {Access::wrong_type, reference};
        if ((slot.needs & header().stale) != 0) refresh(slot.needs);
        const std::byte* element = block_.get() + slot.offset;
        for (std::uint32_t e = element_count(reference); e > 0; --e, element += slot.stride)
            *values++ = reinterpret_cast<const TextHead*>(element)->view();
    }
    return {};
}

AccessResult Instance::set_texts(ValueType type, std::span<const ValueRef> references,
                                 const std::string_view* values) {
    const auto phase = static_cast<unsigned>(header().phase);
    for (const ValueRef reference : references) {
        if (reference >= slot_count_) return {Access::unknown_reference, reference};
        const Slot& slot = slots_[reference];
        if (slot.type != type) return {Access::wrong_type, reference};
        if (((slot.settable >> phase) & 1u) == 0) return {Access::not_settable, reference};
        const std::size_t capacity = slot.stride - sizeof(TextHead) - 1; // a zero ends it
        std::byte* element = block_.get() + slot.offset;
        for (std::uint32_t e = element_count(reference); e > 0; --e, element += slot.stride) {
            const std::string_view value = *values++;
            if (value.size() > capacity) return {Access::out_of_range, reference};
            auto& text = *reinterpret_cast<TextHead*>(element);
            text.size = static_cast<std::uint32_t>(value.size());
            std::memcpy(text.characters(), value.data(), value.size());
            text.characters()[value.size()] = '\0';
        }
        apply(slot.effects);
    }
    return {};
}

namespace {
constexpr std::uint64_t most = 1u << 20; // of a size; two of them can be multiplied
}

std::uint64_t Instance::size_at(std::uint32_t offset) const {
    return *reinterpret_cast<const std::uint64_t*>(object_ + offset);
}

std::uint32_t Instance::element_count(ValueRef reference) const {
    if (reference >= slot_count_ || !slots_[reference].is_array) return 1;
    const VariableType& variable = type_.variables[reference];
    if (variable.sizes.empty()) return variable.capacity;
    std::uint64_t count = 1;
    for (const std::uint32_t size : variable.sizes)
        count = std::min<std::uint64_t>(count * std::min(size_at(size), most), variable.capacity);
    return static_cast<std::uint32_t>(count);
}

std::vector<std::uint64_t> Instance::shape_of(const VariableType& variable) const {
    std::vector<std::uint64_t> shape(variable.shape.begin(), variable.shape.end());
    for (const std::uint32_t size : variable.sizes) shape.push_back(size_at(size));
    return shape;
}

void Instance::require_sizes() const {
    for (const VariableType& variable : type_.variables) {
        std::uint64_t count = 1;
        for (const std::uint32_t size : variable.sizes) count *= std::min(size_at(size), most);
        if (count <= variable.capacity) continue;
        throw std::runtime_error("variable \"" + variable.name + "\" has room for " +
                                 std::to_string(variable.capacity) +
                                 " elements: the structural parameters ask for more");
    }
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
