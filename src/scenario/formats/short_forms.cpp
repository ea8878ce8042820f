// SPDX-License-Identifier: Apache-2.0
#include "short_forms.hpp"

#include <algorithm>
#include <utility>

namespace rubato::scenario::formats {

namespace {

Entry* find_entry(Node& map, std::string_view key) {
    const auto found = std::ranges::find(map.entries, key, &Entry::key);
    return found == map.entries.end() ? nullptr : &*found;
}

void wrap(Node& document, std::string_view section, Kind short_form, std::string_view key) {
    Entry* entry = find_entry(document, section);
    if (!entry || entry->value.kind != short_form) return;
    Node map;
    map.kind = Kind::map;
    map.mark = entry->value.mark;
    map.entries.push_back({std::string(key), entry->value.mark, std::move(entry->value)});
    entry->value = std::move(map);
}

/// `isolate: true` is short for all settings as they are by default.
void expand_isolation(Node& unit) {
    Entry* entry = find_entry(unit, "isolate");
    if (!entry || entry->value.kind != Kind::scalar || entry->value.text != "true") return;
    Node map;
    map.kind = Kind::map;
    map.mark = entry->value.mark;
    entry->value = std::move(map);
}

} // namespace

void expand_short_forms(Node& document) {
    wrap(document, "algorithm", Kind::scalar, "recipe");
    wrap(document, "loops", Kind::scalar, "method");
    wrap(document, "step-control", Kind::scalar, "controller");
    wrap(document, "events", Kind::scalar, "locate");
    wrap(document, "record", Kind::sequence, "variables");
    wrap(document, "sweep", Kind::sequence, "vary");
    Entry* units = find_entry(document, "units");
    if (!units) return;
    for (Entry& unit : units->value.entries) {
        wrap(unit.value, "solver", Kind::scalar, "method");
        expand_isolation(unit.value);
    }
}

} // namespace rubato::scenario::formats
