// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/transform/transform.hpp>

#include <map>
#include <string>
#include <vector>

namespace rubato::transform {

/// Units that become one: a scenario of their own within the scenario.
struct Group {
    std::string name;
    std::string remark; ///< why
    std::vector<std::string> units;
};

/// What keeps a group of units from being a scenario of its own goes to the diagnostics. `purpose`
/// is what the groups are for, as in "to lift loops".
void check_groups_can_be_formed(const Subject& subject, const std::vector<Group>& groups,
                                std::string_view purpose, Diagnostics& diagnostics);

/// The scenario with each group as a composite: connections within it are its own, others lead to
/// its interface, which has what is connected and no more. Settings of the inputs that are fed from
/// outside become those of the interface. The algorithm of the composites is that of the whole,
/// restricted to their units; `adjust` changes them further. What is recorded stays the same, by
/// the paths that it then has. `subject` must pass the check.
scenario::Scenario with_groups(const Subject& subject, const std::vector<Group>& groups,
                               const std::function<void(scenario::Scenario& inner)>& adjust);

/// `prefix-a-b-c`, or `prefix-a-and-5-more`; not the name of a unit yet.
std::string group_name(std::string_view prefix, const std::vector<std::string>& units,
                       const scenario::Scenario& scenario);

} // namespace rubato::transform
