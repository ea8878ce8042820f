// SPDX-License-Identifier: Apache-2.0
#include "encoding.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace rubato::files {

namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr const char* utf16_fault = "is encoded in UTF-16, not in UTF-8";

void append(std::string& text, char32_t c) {
    const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0 | c >> 6);
        byte(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        byte(0xE0 | c >> 12);
        byte(0x80 | (c >> 6 & 0x3F));
        byte(0x80 | (c & 0x3F));
    } else {
        byte(0xF0 | c >> 18);
        byte(0x80 | (c >> 12 & 0x3F));
        byte(0x80 | (c >> 6 & 0x3F));
        byte(0x80 | (c & 0x3F));
    }
}

/// `high` is where in a pair of bytes the upper one stands: 0 big-endian, 1 little-endian.
std::string from_utf16(std::string_view bytes, std::size_t high) {
    const auto unit = [&](std::size_t at) -> char32_t {
        const auto upper = static_cast<unsigned char>(bytes[at + high]);
        const auto lower = static_cast<unsigned char>(bytes[at + 1 - high]);
        return static_cast<char32_t>(upper << 8 | lower);
    };
    std::string text;
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
        char32_t c = unit(at);
        if (c >= 0xD800 && c < 0xE000) {
            const char32_t next = at + 3 < bytes.size() ? unit(at + 2) : 0;
            const bool is_pair = c < 0xDC00 && next >= 0xDC00 && next < 0xE000;
            c = is_pair ? 0x10000 + ((c - 0xD800) << 10) + (next - 0xDC00) : replacement;
            if (is_pair) at += 2;
        }
        append(text, c);
    }
    return text;
}

/// Windows-1252, 0x80 to 0x9F; the rest is Latin-1.
constexpr std::array<char16_t, 32> windows_extras = {
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};

std::string from_windows_1252(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        const auto c = static_cast<unsigned char>(byte);
        append(text, c >= 0x80 && c < 0xA0 ? windows_extras.at(c - 0x80u) : char32_t{c});
    }
    return text;
}

std::size_t length_by_lead(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead < 0xE0) return 2;
    if (lead >= 0xE0 && lead < 0xF0) return 3;
    if (lead >= 0xF0 && lead < 0xF5) return 4;
    return 0;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = length_by_lead(static_cast<unsigned char>(text.front()));
        if (length == 0 || length > text.size()) return false;
        const auto is_continuation = [](char c) { return (c & 0xC0) == 0x80; };
        if (!std::ranges::all_of(text.substr(1, length - 1), is_continuation)) return false;
        text.remove_prefix(length);
    }
    return true;
}

/// What the XML declaration names, in lower case; "utf-8" when it names nothing.
std::string declared_encoding(std::string_view text) {
    const std::string_view declaration =
        text.starts_with("<?xml") ? text.substr(0, text.find("?>")) : std::string_view();
    const auto key = declaration.find("encoding");
    const auto open = declaration.find_first_of("\"'", key);
    if (key == std::string_view::npos || open == std::string_view::npos) return "utf-8";
    const auto close = declaration.find(declaration[open], open + 1);
    if (close == std::string_view::npos) return "utf-8";
    std::string name(declaration.substr(open + 1, close - open - 1));
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

} // namespace

DecodedText decode_xml(std::string bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
    const std::string_view all = bytes;
    if (all.starts_with("\xFF\xFE")) return {from_utf16(all.substr(2), 1), utf16_fault};
    if (all.starts_with("\xFE\xFF")) return {from_utf16(all.substr(2), 0), utf16_fault};
    if (all.starts_with(std::string_view("<\0", 2))) return {from_utf16(all, 1), utf16_fault};
    if (all.starts_with(std::string_view("\0<", 2))) return {from_utf16(all, 0), utf16_fault};
    if (!is_utf8(all)) {
        return {from_windows_1252(all), "is not encoded in UTF-8, but in Latin-1 or the like"};
    }
    const std::string declared = declared_encoding(all);
    if (declared == "utf-8" || declared == "utf8") return {std::move(bytes), {}};
    return {std::move(bytes), "declares encoding=\"" + declared + "\" instead of UTF-8"};
}

} // namespace rubato::files
