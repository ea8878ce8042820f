// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree_values.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rubato::scenario::formats {

/// Reads one setting after the other, as `fields()` lists them. What the map does not name stays
/// as it is.
class SettingsReader {
public:
    explicit SettingsReader(MapReader& map) : map_(map) {}

    template <class T>
    void operator()(std::string_view key, T& member, std::string_view) {
        if (auto value = map_.read<T>(key)) member = std::move(*value);
    }
    template <class T>
    void operator()(std::string_view key, std::optional<T>& member, std::string_view) {
        if (auto value = map_.read<T>(key)) member = std::move(*value);
    }

private:
    MapReader& map_;
};

/// Starts from nothing, unless the node is only the path to a setting.
template <class Settings>
void prepare(Reporter& reporter, const Entry& entry, Settings& settings) {
    if (!entry.value.is_path) settings = {};
    const bool has_place = entry.value.is_path && settings.where.line > 0;
    if (!has_place) settings.where = reporter.locate(entry.mark);
}

/// Updates settings from a section of the document, called `path` in messages.
template <class Settings>
void update_settings(Reporter& reporter, std::string path, const Entry& entry, Settings& settings) {
    prepare(reporter, entry, settings);
    MapReader map(reporter, std::move(path), entry.value);
    Settings::fields(settings, SettingsReader(map));
    map.report_unknown_keys();
}

/// The same for settings that may be absent.
template <class Settings>
void update_settings(Reporter& reporter, std::string path, const Entry& entry,
                     std::optional<Settings>& settings) {
    if (!settings) settings.emplace();
    update_settings(reporter, std::move(path), entry, *settings);
}

/// Updates a list of things with names from the entries of a map: those that the map describes are
/// replaced, or updated where an entry is only the path to a setting; others stay, unless the
/// whole map was given. `update(entry, thing)` reads an entry.
template <class Thing, class Update>
void update_named(Reporter& reporter, const std::string& path, const Node& node,
                  std::vector<Thing>& things, std::string Thing::*name, Update&& update) {
    if (!node.is_path) things.clear();
    for (const Entry* entry : entries_of(reporter, path, node)) {
        // Of a whole map no key occurs twice.
        auto known = node.is_path ? std::ranges::find(things, entry->key, name) : things.end();
        if (known == things.end()) known = things.insert(known, Thing{});
        if (!entry->value.is_path) *known = {};
        if (std::invoke(name, *known).empty()) {
            std::invoke(name, *known) = entry->key;
            if constexpr (requires { known->where; }) known->where = reporter.locate(entry->mark);
        }
        update(*entry, *known);
    }
}

} // namespace rubato::scenario::formats
