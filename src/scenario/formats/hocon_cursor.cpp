// SPDX-License-Identifier: Apache-2.0
#include "hocon_cursor.hpp"

#include <rubato/private/format.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace rubato::scenario::formats {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

std::string to_utf8(std::uint32_t code) {
    const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
    if (code < 0x80) return {byte(code)};
    if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
    if (code < 0x10000) {
        return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)),
                byte(0x80 | (code & 0x3F))};
    }
    return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)),
            byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
}

/// The four hexadecimal digits of `\u00e9`.
std::uint32_t read_code_unit(Cursor& cursor, Mark mark) {
    std::string digits;
    while (digits.size() < 4 && !cursor.at_line_end() && cursor.peek() != '"')
        digits += cursor.advance();
    std::uint32_t code = 0;
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, code, 16);
    if (error != std::errc{} || end != last || digits.size() != 4) {
        throw HoconError{mark, format("\\u{} is not four hexadecimal digits", digits), {}};
    }
    return code;
}

std::string read_unicode(Cursor& cursor, Mark mark) {
    const std::uint32_t code = read_code_unit(cursor, mark);
    const auto is_low = [](std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; };
    if (code < 0xD800 || code >= 0xE000) return to_utf8(code);
    if (is_low(code) || !cursor.starts_with("\\u")) {
        throw HoconError{mark, "half of a surrogate pair stands alone", {}};
    }
    cursor.advance(2);
    const std::uint32_t low = read_code_unit(cursor, mark);
    if (!is_low(low)) throw HoconError{mark, "half of a surrogate pair stands alone", {}};
    return to_utf8(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
}

std::optional<char> find_escaped(char letter) {
    struct Escape {
        char letter, meaning;
    };
    static constexpr std::array<Escape, 8> escapes = {{{'"', '"'},
                                                       {'\\', '\\'},
                                                       {'/', '/'},
                                                       {'b', '\b'},
                                                       {'f', '\f'},
                                                       {'n', '\n'},
                                                       {'r', '\r'},
                                                       {'t', '\t'}}};
    for (const Escape& escape : escapes) {
        if (escape.letter == letter) return escape.meaning;
    }
    return std::nullopt;
}

std::string read_escape(Cursor& cursor) {
    const Mark mark = cursor.mark();
    cursor.advance();
    const char letter = cursor.at_line_end() ? ' ' : cursor.advance();
    if (letter == 'u') return read_unicode(cursor, mark);
    if (const auto meaning = find_escaped(letter)) return {*meaning};
    throw HoconError{mark, format("\\{} means nothing in quotes", letter),
                     "write \\\\ for a backslash"};
}

std::string read_triple_quoted(Cursor& cursor) {
    const Mark open = cursor.mark();
    cursor.advance(3);
    const std::size_t begin = cursor.offset();
    while (!cursor.at_end() && !cursor.starts_with("\"\"\"")) cursor.advance();
    if (cursor.at_end()) throw HoconError{open, "these three quotes are never closed", {}};
    cursor.advance(3);
    while (cursor.peek() == '"') cursor.advance(); // further quotes belong to the text
    std::string_view text = cursor.from(begin);
    text.remove_suffix(3);
    return std::string(text);
}

} // namespace

char Cursor::advance() {
    const char c = text_[at_++];
    if (c == '\n') {
        ++line_;
        column_ = 1;
    } else if (at_end() || !is_continuation_byte(text_[at_])) {
        ++column_;
    }
    return c;
}

void Cursor::skip_line() {
    while (!at_line_end()) advance();
}

void Cursor::skip_blanks() {
    while (!at_end() && is_blank(peek())) advance();
    if (at_comment()) skip_line();
}

bool Cursor::skip_space() {
    bool newline = false;
    for (skip_blanks(); !at_end() && peek() == '\n'; skip_blanks()) {
        newline = true;
        advance();
    }
    return newline;
}

std::string read_quoted(Cursor& cursor) {
    if (cursor.starts_with("\"\"\"")) return read_triple_quoted(cursor);
    const Mark open = cursor.mark();
    cursor.advance();
    std::string text;
    while (cursor.peek() != '"' || cursor.at_end()) {
        if (cursor.at_line_end()) {
            throw HoconError{open, "this quote is not closed in its line", {}};
        }
        if (cursor.peek() == '\\') {
            text += read_escape(cursor);
        } else {
            text += cursor.advance();
        }
    }
    cursor.advance();
    return text;
}

bool is_unquoted(char c) {
    static constexpr std::string_view reserved = "$\"{}[]:=,+#`^?!@*&\\";
    return static_cast<unsigned char>(c) > ' ' && c != '\x7f' &&
           reserved.find(c) == std::string_view::npos;
}

} // namespace rubato::scenario::formats
