// SPDX-License-Identifier: Apache-2.0
#include <rubato/distributed/encoding.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace rubato::distributed {

namespace {

using scenario::HlaEncoding;

constexpr bool is_little(HlaEncoding encoding) {
    switch (encoding) {
    case HlaEncoding::float64_le:
    case HlaEncoding::float32_le:
    case HlaEncoding::integer64_le:
    case HlaEncoding::integer32_le:
    case HlaEncoding::integer16_le: return true;
    default: return false;
    }
}

template <class Unsigned>
std::string put(Unsigned bits, bool little) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof bits; ++i) {
        const std::size_t at = little ? i : sizeof bits - 1 - i;
        bytes += static_cast<char>(static_cast<unsigned char>(bits >> (8 * at)));
    }
    return bytes;
}

template <class Unsigned>
std::optional<Unsigned> take(std::string_view bytes, bool little) {
    if (bytes.size() != sizeof(Unsigned)) return std::nullopt;
    Unsigned bits = 0;
    for (std::size_t i = 0; i < sizeof bits; ++i) {
        const std::size_t at = little ? i : sizeof bits - 1 - i;
        bits |= static_cast<Unsigned>(static_cast<Unsigned>(static_cast<unsigned char>(bytes[i]))
                                      << (8 * at));
    }
    return bits;
}

template <class Signed, class Unsigned>
std::optional<std::string> put_integer(std::int64_t value, bool little) {
    if (value < std::numeric_limits<Signed>::min() || value > std::numeric_limits<Signed>::max())
        return std::nullopt;
    return put(static_cast<Unsigned>(value), little);
}

template <class Signed, class Unsigned>
std::optional<Value> take_integer(std::string_view bytes, bool little) {
    const auto bits = take<Unsigned>(bytes, little);
    if (!bits) return std::nullopt;
    return Value(std::int64_t{static_cast<Signed>(*bits)});
}

std::optional<std::string> put_float(double value, bool little) {
    const auto narrowed = static_cast<float>(value);
    if (std::isfinite(value) && !std::isfinite(narrowed)) return std::nullopt;
    return put(std::bit_cast<std::uint32_t>(narrowed), little);
}

// -- HLAunicodeString: a count (HLAinteger32BE) and so many UTF-16 code units, big endian -----------

constexpr std::uint32_t first_high = 0xD800, first_low = 0xDC00, after_low = 0xE000,
                        first_pair = 0x10000, after_all = 0x110000;

/// The next character of a text in UTF-8, which is removed; nullopt: it is not well-formed.
std::optional<std::uint32_t> next_character(std::string_view& text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = at(0);
    struct Form {
        unsigned char first, after; ///< of lead bytes
        std::size_t length;
        std::uint32_t least; ///< character that needs so many bytes
    };
    static constexpr std::array<Form, 4> forms = {{{0x00, 0x80, 1, 0},
                                                   {0xC0, 0xE0, 2, 0x80},
                                                   {0xE0, 0xF0, 3, 0x800},
                                                   {0xF0, 0xF8, 4, first_pair}}};
    const auto* const form = std::ranges::find_if(
        forms, [&](const Form& each) { return lead >= each.first && lead < each.after; });
    if (form == forms.end() || text.size() < form->length) return std::nullopt;
    const auto [first, after, length, least] = *form;
    std::uint32_t character = lead - first;
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xC0U) != 0x80) return std::nullopt;
        character = character << 6U | (at(i) & 0x3FU);
    }
    const bool is_surrogate = character >= first_high && character < after_low;
    if (character < least || character >= after_all || is_surrogate) return std::nullopt;
    text.remove_prefix(length);
    return character;
}

void append_character(std::uint32_t character, std::string& text) {
    const auto put_byte = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    const auto put_rest = [&](unsigned shift) { put_byte(0x80U | ((character >> shift) & 0x3FU)); };
    if (character < 0x80) {
        put_byte(character);
    } else if (character < 0x800) {
        put_byte(0xC0U | character >> 6U);
        put_rest(0);
    } else if (character < first_pair) {
        put_byte(0xE0U | character >> 12U);
        put_rest(6);
        put_rest(0);
    } else {
        put_byte(0xF0U | character >> 18U);
        put_rest(12);
        put_rest(6);
        put_rest(0);
    }
}

std::optional<std::string> put_text(std::string_view text) {
    std::string units;
    const auto add = [&](std::uint32_t unit) {
        units += put(static_cast<std::uint16_t>(unit), false);
    };
    while (!text.empty()) {
        const auto character = next_character(text);
        if (!character) return std::nullopt;
        if (*character < first_pair) {
            add(*character);
            continue;
        }
        add(first_high + ((*character - first_pair) >> 10U));
        add(first_low + ((*character - first_pair) & 0x3FFU));
    }
    if (units.size() / 2 > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    return put(static_cast<std::uint32_t>(units.size() / 2), false) + units;
}

std::optional<Value> take_text(std::string_view bytes) {
    constexpr std::size_t head = sizeof(std::uint32_t);
    const auto count = take<std::uint32_t>(bytes.substr(0, head), false);
    if (!count || bytes.size() - head != std::size_t{*count} * 2) return std::nullopt;
    const auto unit_at = [&](std::size_t i) {
        return std::uint32_t{*take<std::uint16_t>(bytes.substr(head + 2 * i, 2), false)};
    };
    std::string text;
    for (std::size_t i = 0; i < *count; ++i) {
        std::uint32_t character = unit_at(i);
        if (character >= first_low && character < after_low) return std::nullopt;
        if (character >= first_high && character < first_low) {
            if (++i == *count) return std::nullopt;
            const std::uint32_t low = unit_at(i);
            if (low < first_low || low >= after_low) return std::nullopt;
            character = first_pair + ((character - first_high) << 10U) + (low - first_low);
        }
        append_character(character, text);
    }
    return Value(std::move(text));
}

/// HLAboolean is HLAinteger32BE: 0 or 1.
std::optional<Value> take_boolean(std::string_view bytes) {
    const auto bits = take<std::uint32_t>(bytes, false);
    if (!bits || *bits > 1) return std::nullopt;
    return Value(*bits == 1);
}

} // namespace

std::optional<std::string> encode_value(HlaEncoding encoding, const Value& value) {
    const bool little = is_little(encoding);
    switch (encoding) {
    case HlaEncoding::float64_be:
    case HlaEncoding::float64_le:
        return put(std::bit_cast<std::uint64_t>(std::get<double>(value)), little);
    case HlaEncoding::float32_be:
    case HlaEncoding::float32_le: return put_float(std::get<double>(value), little);
    case HlaEncoding::integer64_be:
    case HlaEncoding::integer64_le:
        return put(static_cast<std::uint64_t>(std::get<std::int64_t>(value)), little);
    case HlaEncoding::integer32_be:
    case HlaEncoding::integer32_le:
        return put_integer<std::int32_t, std::uint32_t>(std::get<std::int64_t>(value), little);
    case HlaEncoding::integer16_be:
    case HlaEncoding::integer16_le:
        return put_integer<std::int16_t, std::uint16_t>(std::get<std::int64_t>(value), little);
    case HlaEncoding::boolean: return put(std::uint32_t{std::get<bool>(value)}, false);
    case HlaEncoding::unicode_string: return put_text(std::get<std::string>(value));
    }
    return std::nullopt;
}

std::optional<Value> decode_value(HlaEncoding encoding, std::string_view bytes) {
    const bool little = is_little(encoding);
    switch (encoding) {
    case HlaEncoding::float64_be:
    case HlaEncoding::float64_le:
        if (const auto bits = take<std::uint64_t>(bytes, little))
            return Value(std::bit_cast<double>(*bits));
        return std::nullopt;
    case HlaEncoding::float32_be:
    case HlaEncoding::float32_le:
        if (const auto bits = take<std::uint32_t>(bytes, little))
            return Value(double{std::bit_cast<float>(*bits)});
        return std::nullopt;
    case HlaEncoding::integer64_be:
    case HlaEncoding::integer64_le: return take_integer<std::int64_t, std::uint64_t>(bytes, little);
    case HlaEncoding::integer32_be:
    case HlaEncoding::integer32_le: return take_integer<std::int32_t, std::uint32_t>(bytes, little);
    case HlaEncoding::integer16_be:
    case HlaEncoding::integer16_le: return take_integer<std::int16_t, std::uint16_t>(bytes, little);
    case HlaEncoding::boolean: return take_boolean(bytes);
    case HlaEncoding::unicode_string: return take_text(bytes);
    }
    return std::nullopt;
}

} // namespace rubato::distributed
