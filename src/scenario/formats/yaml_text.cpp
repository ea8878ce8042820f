// SPDX-License-Identifier: Apache-2.0
#include "yaml_text.hpp"

#include <rubato/core/text.hpp>

#include <algorithm>
#include <array>

namespace rubato::scenario::formats {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Words that some YAML reader takes for something other than text.
bool is_reserved(std::string_view text) {
    static constexpr std::array<std::string_view, 7> reserved = {"null", "true", "false", "yes",
                                                                 "no",   "on",   "off"};
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return std::ranges::find(reserved, lower) != reserved.end();
}

} // namespace

bool is_plain(std::string_view text) {
    if (text.empty() || !is_letter(text[0]) || is_reserved(text)) return false;
    return std::ranges::all_of(text, [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') ||
               std::string_view("-./()").find(c) != std::string_view::npos;
    });
}

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            result += format("\\x{:02x}", byte);
            continue;
        }
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string to_yaml(const std::string& text) { return is_plain(text) ? text : in_quotes(text); }
std::string to_yaml(bool flag) { return flag ? "true" : "false"; }
std::string to_yaml(std::int64_t integer) { return std::to_string(integer); }
std::string to_yaml(int integer) { return std::to_string(integer); }

std::string to_yaml(double real) {
    std::string text = shortest(real);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string to_yaml(const std::vector<std::string>& texts) {
    std::vector<std::string> items;
    for (const std::string& text : texts) items.push_back(to_yaml(text));
    return format("[{}]", fmt::join(items, ", "));
}

std::string to_yaml(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
    return std::visit([](const auto& v) { return to_yaml(v); }, value);
}

void Lines::add_comment(int depth, std::string_view text) {
    constexpr std::size_t width = 96;
    const std::string margin = std::string(2 * static_cast<std::size_t>(depth), ' ') + "#";
    std::string line = margin;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::string_view word = text.substr(0, end);
        if (line.size() + 1 + word.size() > width && line != margin) {
            text_ += line + "\n";
            line = margin;
        }
        line.append(" ").append(word);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (line != margin) text_ += line + "\n";
}

} // namespace rubato::scenario::formats
