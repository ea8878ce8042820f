// SPDX-License-Identifier: Apache-2.0
#include "tree_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace rubato::scenario::formats {

namespace {

std::string_view without_plus(std::string_view text) {
    const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    return plus ? text.substr(1) : text;
}

std::optional<std::int64_t> find_integer(std::string_view text) {
    text = without_plus(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// What only an uint64 can hold: no Value of its own, so that its digits are kept.
bool is_large_integer(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

/// nan and inf in all their spellings.
bool is_non_finite_word(std::string_view text) {
    std::string word;
    for (const char c : text) word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (!word.empty() && (word[0] == '+' || word[0] == '-')) word.erase(0, 1);
    if (!word.empty() && word[0] == '.') word.erase(0, 1);
    return word == "nan" || word == "inf" || word == "infinity";
}

constexpr std::string_view not_a_number = "is not a number";

struct Number {
    std::optional<double> value;
    std::string_view fault; ///< when there is no value
};

Number parse_number(std::string_view text) {
    if (is_non_finite_word(text)) return {std::nullopt, "must be finite"};
    text = without_plus(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) {
        return {std::nullopt, "is beyond the range of a double"};
    }
    if (error != std::errc{} || end != text.data() + text.size()) {
        return {std::nullopt, not_a_number};
    }
    return {value, {}};
}

void report_kind(Reporter& reporter, const std::string& path, std::string_view wanted,
                 const Node& node) {
    std::string hint;
    if (node.kind == Kind::scalar && node.quoted) hint = "what stands in quotes is text";
    reporter.error(node.mark, format("{} wants {}, not {}", path, wanted, describe(node)),
                   std::move(hint));
}

bool is_unit_name(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || static_cast<unsigned char>(c) >= 0x80;
    });
}

bool is_plain(const Node& node) { return node.kind == Kind::scalar && !node.quoted; }

} // namespace

template <>
std::optional<double> read_as(Reporter& reporter, const std::string& path, const Node& node) {
    if (!is_plain(node)) {
        report_kind(reporter, path, "a number", node);
        return std::nullopt;
    }
    const Number number = parse_number(node.text);
    if (!number.value) {
        reporter.error(node.mark,
                       format("{} wants a number: {} {}", path, describe(node), number.fault));
    }
    return number.value;
}

template <>
std::optional<int> read_as(Reporter& reporter, const std::string& path, const Node& node) {
    const auto value = is_plain(node) ? find_integer(node.text) : std::nullopt;
    if (!value) {
        report_kind(reporter, path, "a whole number", node);
        return std::nullopt;
    }
    constexpr int most = std::numeric_limits<int>::max();
    if (*value > most || *value < -most) {
        reporter.error(node.mark, format("{} is {}: at most {} is possible", path, *value, most));
        return std::nullopt;
    }
    return static_cast<int>(*value);
}

template <>
std::optional<bool> read_as(Reporter& reporter, const std::string& path, const Node& node) {
    if (is_plain(node) && node.text == "true") return true;
    if (is_plain(node) && node.text == "false") return false;
    report_kind(reporter, path, "true or false", node);
    return std::nullopt;
}

template <>
std::optional<std::string> read_as(Reporter& reporter, const std::string& path, const Node& node) {
    if (node.kind != Kind::scalar) {
        report_kind(reporter, path, "a text", node);
        return std::nullopt;
    }
    if (node.text.empty()) {
        reporter.error(node.mark, format("{} is empty", path));
        return std::nullopt;
    }
    return node.text;
}

template <>
std::optional<std::vector<std::string>> read_as(Reporter& reporter, const std::string& path,
                                                const Node& node) {
    if (node.kind != Kind::sequence && node.kind != Kind::null) {
        report_kind(reporter, path, "a list", node);
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const Node& item : node.items) {
        if (auto text = read_as<std::string>(reporter, "an item of " + path, item)) {
            texts.push_back(std::move(*text));
        }
    }
    return texts;
}

template <>
std::optional<Value> read_as(Reporter& reporter, const std::string& path, const Node& node) {
    if (node.kind != Kind::scalar) {
        report_kind(reporter, path, "a value", node);
        return std::nullopt;
    }
    if (node.quoted) return Value(node.text);
    if (node.text == "true" || node.text == "false") return Value(node.text == "true");
    if (const auto integer = find_integer(node.text)) return Value(*integer);
    if (is_large_integer(without_plus(node.text)))
        return Value(std::string(without_plus(node.text)));
    const Number number = parse_number(node.text);
    if (number.value) return Value(*number.value);
    if (number.fault == not_a_number)
        return Value(node.text); // a text, or the item of an enumeration
    reporter.error(node.mark, format("the value {} of {} {}", describe(node), path, number.fault),
                   format("if it is meant as text, put it in quotes: \"{}\"", node.text));
    return std::nullopt;
}

const std::vector<Node>& items_of(Reporter& reporter, const std::string& path, const Node& node) {
    if (node.kind != Kind::sequence && node.kind != Kind::null) {
        report_kind(reporter, path, "a list", node);
    }
    return node.items;
}

std::vector<const Entry*> entries_of(Reporter& reporter, const std::string& path,
                                     const Node& node) {
    if (node.kind != Kind::map && node.kind != Kind::null) {
        report_kind(reporter, path, "a map", node);
    }
    std::vector<const Entry*> unique;
    std::unordered_map<std::string_view, const Entry*> seen;
    for (const Entry& entry : node.entries) {
        const auto [first, is_new] = seen.emplace(entry.key, &entry);
        if (is_new) {
            unique.push_back(&entry);
        } else {
            const std::string place = path.empty() ? entry.key : path + "." + entry.key;
            reporter.error(entry.mark, format("{} occurs twice", place),
                           format("the first is in line {}", first->second->mark.line));
        }
    }
    return unique;
}

bool report_path(Reporter& reporter, const Entry& entry) {
    if (!entry.value.is_path) return false;
    reporter.error(entry.mark, format("\"{}\" has no settings of its own", entry.key),
                   "it is no map: set it as a whole");
    return true;
}

void check_unit_name(Reporter& reporter, const Entry& entry) {
    if (is_unit_name(entry.key)) return;
    reporter.error(entry.mark, format("\"{}\" cannot be the name of a unit", entry.key),
                   "use letters, digits, _ and -");
}

MapReader::MapReader(Reporter& reporter, std::string path, const Node& node)
    : reporter_(reporter), path_(std::move(path)), entries_(entries_of(reporter, path_, node)) {}

const Entry* MapReader::find(std::string_view key) {
    if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
    const auto found = std::ranges::find(entries_, key, [](const Entry* e) { return e->key; });
    return found == entries_.end() ? nullptr : *found;
}

std::string MapReader::path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : format("{}.{}", path_, key);
}

void MapReader::report_unknown_keys() const {
    const std::string what = path_.empty() ? "the keys" : format("the keys of {}", path_);
    for (const Entry* entry : entries_) {
        if (std::ranges::find(known_, entry->key) != known_.end()) continue;
        const bool is_free = path_.empty() && entry->key.starts_with("x-"); // a place for anchors
        if (is_free) continue;
        reporter_.error(entry->mark, format("unknown key \"{}\"", path_of(entry->key)),
                        suggest(entry->key, known_, what));
    }
}

} // namespace rubato::scenario::formats
