// SPDX-License-Identifier: Apache-2.0
#include "hocon_join.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>

namespace rubato::scenario::formats {

std::vector<Entry> merged(std::vector<Entry> entries) {
    std::vector<Entry> result;
    std::vector<bool> is_joined;
    std::unordered_map<std::string, std::size_t> places;
    for (Entry& entry : entries) {
        const auto [place, is_new] = places.emplace(entry.key, result.size());
        if (is_new) {
            result.push_back(std::move(entry));
            is_joined.push_back(false);
            continue;
        }
        Entry& first = result[place->second];
        const bool join = first.value.kind == Kind::map && entry.value.kind == Kind::map;
        is_joined[place->second] = join;
        if (join) {
            std::ranges::move(entry.value.entries, std::back_inserter(first.value.entries));
        } else {
            first = std::move(entry);
        }
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (!is_joined[i]) continue;
        result[i].value.entries = merged(std::move(result[i].value.entries));
    }
    return result;
}

void Concatenation::become(Kind kind) {
    if (whole_.kind != Kind::null && whole_.kind != kind) {
        throw HoconError{whole_.mark, "a text, a list and a map cannot be joined to one value",
                         "put names with brackets in quotes; separate values by a comma or a new "
                         "line"};
    }
    whole_.kind = kind;
}

void Concatenation::add_text(std::string_view text, bool quoted) {
    become(Kind::scalar);
    whole_.text += text;
    whole_.quoted = whole_.quoted || quoted;
    if (quoted) kept_ = whole_.text.size();
}

void Concatenation::add(Node node) {
    become(node.kind);
    std::ranges::move(node.items, std::back_inserter(whole_.items));
    std::ranges::move(node.entries, std::back_inserter(whole_.entries));
    ++parts_;
}

Node Concatenation::take() {
    if (is_text()) {
        const std::size_t last = whole_.text.find_last_not_of(" \t\r");
        const std::size_t size = last == std::string::npos ? 0 : last + 1;
        whole_.text.resize(std::max(kept_, size));
        if (is("null")) return make_node(Kind::null, whole_.mark);
    }
    if (parts_ > 1) whole_.entries = merged(std::move(whole_.entries));
    return std::move(whole_);
}

} // namespace rubato::scenario::formats
