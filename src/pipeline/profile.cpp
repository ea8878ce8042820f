// SPDX-License-Identifier: Apache-2.0
#include "timed_unit.hpp"

#include <rubato/pipeline/profile.hpp>

#include <algorithm>
#include <utility>

namespace rubato::pipeline {
namespace {

using Times = std::map<std::string, UnitTime>;

/// The innermost unit around this one; empty: there is none.
std::string outer_of(const std::string& name, const Times& times) {
    for (std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0;
         dot = name.rfind('.', dot - 1))
        if (times.contains(name.substr(0, dot))) return name.substr(0, dot);
    return "";
}

/// Units by the one around them, the most costly first.
using Tree = std::map<std::string, std::vector<Times::const_iterator>>;

Tree tree_of(const Times& times) {
    Tree tree;
    for (auto each = times.begin(); each != times.end(); ++each)
        tree[outer_of(each->first, times)].push_back(each);
    for (auto& [outer, inner] : tree)
        std::ranges::stable_sort(inner, std::ranges::greater{},
                                 [](const auto& each) { return each->second.seconds; });
    return tree;
}

/// Adds the units within `outer`, each followed by those within it.
void add_within(const std::string& outer, std::size_t level, double begin, const Tree& tree,
                std::vector<Profile::Entry>& entries) {
    const auto found = tree.find(outer);
    if (found == tree.end()) return;
    for (const auto& each : found->second) {
        entries.push_back({each->first, each->second, level, begin});
        add_within(each->first, level + 1, begin, tree, entries);
        begin += each->second.seconds;
    }
}

} // namespace

std::unique_ptr<unit::Unit> Profile::measured(std::unique_ptr<unit::Unit> unit) {
    UnitTime& time = times_[unit->name()];
    return std::make_unique<TimedUnit>(std::move(unit), time);
}

std::vector<Profile::Entry> Profile::entries() const {
    std::vector<Entry> entries;
    add_within("", 0, 0, tree_of(times_), entries);
    return entries;
}

} // namespace rubato::pipeline
