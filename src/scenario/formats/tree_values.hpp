// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <rubato/core/text.hpp>
#include <rubato/core/value.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/words.hpp>

#include <type_traits>
#include <unordered_set>

namespace rubato::scenario::formats {

/// The words of an enumeration, for messages.
template <class Enum>
std::vector<std::string> word_list() {
    std::vector<std::string> list;
    for (const auto& word : words<Enum>()) list.emplace_back(word.text);
    return list;
}

/// Reads a node as a value of type T. nullopt: it is none, which has been reported; `path` names
/// the setting in the message, as in `experiment.step`. This one is for enumerations.
template <class T>
std::optional<T> read_as(Reporter& reporter, const std::string& path, const Node& node) {
    static_assert(std::is_enum_v<T>);
    if (node.kind == Kind::scalar) {
        if (const auto value = find_word<T>(node.text)) return value;
    }
    reporter.error(node.mark, format("{} cannot be {}", path, describe(node)),
                   suggest(node.text, word_list<T>(), "its values"));
    return std::nullopt;
}

template <>
std::optional<double> read_as(Reporter& reporter, const std::string& path, const Node& node);
template <>
std::optional<int> read_as(Reporter& reporter, const std::string& path, const Node& node);
template <>
std::optional<bool> read_as(Reporter& reporter, const std::string& path, const Node& node);
template <>
std::optional<std::string> read_as(Reporter& reporter, const std::string& path, const Node& node);
template <>
std::optional<std::vector<std::string>> read_as(Reporter& reporter, const std::string& path,
                                                const Node& node);
/// Keeps the kind that the scalar shows: quoted text, true or false, an integer, a real, else text.
template <>
std::optional<Value> read_as(Reporter& reporter, const std::string& path, const Node& node);

/// The items of a list; none when the node is empty or, which is reported, no list.
const std::vector<Node>& items_of(Reporter& reporter, const std::string& path, const Node& node);

/// The entries of a map without those that repeat a key, which are reported; none when the node is
/// empty or, which is reported, no map.
std::vector<const Entry*> entries_of(Reporter& reporter, const std::string& path, const Node& node);

/// Whether an override leads beyond a setting that has none of its own, which is then reported.
bool report_path(Reporter& reporter, const Entry& entry);

/// Reports a key that cannot be the name of a unit.
void check_unit_name(Reporter& reporter, const Entry& entry);

/// Reads a map whose keys are known beforehand.
class MapReader {
public:
    /// `path` is empty for the document itself.
    MapReader(Reporter& reporter, std::string path, const Node& node);

    /// The entry of a key, null if there is none. Keys asked for are known keys.
    const Entry* find(std::string_view key);

    template <class T>
    std::optional<T> read(std::string_view key) {
        const Entry* entry = find(key);
        if (!entry || report_path(reporter_, *entry)) return std::nullopt;
        return read_as<T>(reporter_, path_of(key), entry->value);
    }

    std::string path_of(std::string_view key) const;
    /// The keys that were asked for.
    const std::vector<std::string>& known() const { return known_; }

    /// Call it after everything has been asked for.
    void report_unknown_keys() const;

private:
    Reporter& reporter_;
    std::string path_;
    std::vector<const Entry*> entries_;
    std::vector<std::string> known_;
};

} // namespace rubato::scenario::formats
