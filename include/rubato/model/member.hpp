// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

/// What members of a model class may be: numbers, texts and bytes of limited length, enumerations,
/// and arrays of these.
namespace rubato::model {

/// Where the characters of a text member are, whatever its capacity.
struct TextHead {
    std::uint32_t size = 0;
    char* characters() { return reinterpret_cast<char*>(this + 1); }
    const char* characters() const { return reinterpret_cast<const char*>(this + 1); }
    std::string_view view() const { return {characters(), size}; }
};

/// A text of up to `Capacity` bytes within a trivially copyable class. Ends with a zero byte, which
/// does not count.
template <std::uint32_t Capacity>
class Text {
public:
    Text() = default;
    Text(std::string_view text) { *this = text; }            // NOLINT(google-explicit-constructor)
    Text(const char* text) : Text(std::string_view(text)) {} // NOLINT(google-explicit-constructor)
    /// What goes beyond the capacity is cut off.
    Text& operator=(std::string_view text) {
        head_.size = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), Capacity));
        std::memcpy(characters_, text.data(), head_.size);
        characters_[head_.size] = '\0';
        return *this;
    }
    std::string_view view() const { return {characters_, head_.size}; }

private:
    TextHead head_;
    char characters_[(Capacity + 4) / 4 * 4] = {};
};

/// The same, for bytes that are no text.
template <std::uint32_t Capacity>
class Bytes : public Text<Capacity> {
public:
    using Text<Capacity>::Text;
    using Text<Capacity>::operator=;
};

template <class T>
inline constexpr bool always_false = false;

template <class T>
inline constexpr bool is_text = false;
template <std::uint32_t N>
inline constexpr bool is_text<Text<N>> = true;
template <class T>
inline constexpr bool is_bytes = false;
template <std::uint32_t N>
inline constexpr bool is_bytes<Bytes<N>> = true;

/// What an array consists of, and its shape.
template <class T>
struct Member {
    using Element = T;
    static constexpr std::uint32_t count = 1;
    static void add_shape(std::vector<std::uint32_t>&) {}
};
template <class T, std::size_t N>
struct Member<std::array<T, N>> {
    using Element = typename Member<T>::Element;
    static constexpr std::uint32_t count = static_cast<std::uint32_t>(N) * Member<T>::count;
    static void add_shape(std::vector<std::uint32_t>& shape) {
        shape.push_back(static_cast<std::uint32_t>(N));
        Member<T>::add_shape(shape);
    }
};

/// The variable type of a member, or of an array's elements.
template <class T>
consteval ValueType value_type_of() {
    if constexpr (std::same_as<T, double>)
        return ValueType::float64;
    else if constexpr (std::same_as<T, float>)
        return ValueType::float32;
    else if constexpr (std::same_as<T, std::int8_t>)
        return ValueType::int8;
    else if constexpr (std::same_as<T, std::uint8_t>)
        return ValueType::uint8;
    else if constexpr (std::same_as<T, std::int16_t>)
        return ValueType::int16;
    else if constexpr (std::same_as<T, std::uint16_t>)
        return ValueType::uint16;
    else if constexpr (std::same_as<T, std::int32_t>)
        return ValueType::int32;
    else if constexpr (std::same_as<T, std::uint32_t>)
        return ValueType::uint32;
    else if constexpr (std::same_as<T, std::int64_t>)
        return ValueType::int64;
    else if constexpr (std::same_as<T, std::uint64_t>)
        return ValueType::uint64;
    else if constexpr (std::same_as<T, bool>)
        return ValueType::boolean;
    else if constexpr (is_text<T>)
        return ValueType::string;
    else if constexpr (is_bytes<T>)
        return ValueType::binary;
    else if constexpr (std::is_enum_v<T>) {
        static_assert(sizeof(T) == sizeof(std::int64_t), "write enum class E : std::int64_t");
        return ValueType::enumeration;
    } else
        static_assert(always_false<T>, "a variable is a double, float, fixed-width integer, bool, "
                                       "Text, Bytes, enumeration or array of these");
}

} // namespace rubato::model
