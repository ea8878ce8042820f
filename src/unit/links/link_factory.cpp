// SPDX-License-Identifier: Apache-2.0
#include "link_factory.hpp"

#include "link_unit.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::unit {

namespace {

using scenario::Constraint;

/// What the transformation has found out, and a unit written by hand may lack.
void check(const scenario::Links& links) {
    if (links.links.empty())
        throw InputError("links names no constraint",
                         "name one: {equal: [left.x, right.x], by: {left.F: 1, right.F: -1}}");
    const std::string_view hint =
        "write it in the section constraints of the scenario: rubato transform finds it out";
    for (const Constraint& link : links.links) {
        if (link.gain.size() != links.links.size())
            throw InputError(format("links.{}.gain has {} numbers, but there {} {} link{}",
                                    link.name, link.gain.size(),
                                    links.links.size() == 1 ? "is" : "are", links.links.size(),
                                    links.links.size() == 1 ? "" : "s"),
                             hint);
        const bool decays =
            link.levels.size() > 1 || link.method == scenario::ConstraintMethod::stabilize;
        if (decays && !link.time_constant)
            throw InputError(format("links.{} has no time-constant", link.name), hint);
        if (link.method != links.links.front().method)
            throw InputError(format("links.{} and links.{} have different methods",
                                    links.links.front().name, link.name),
                             "links of one unit are kept by one method");
    }
}

} // namespace

bool LinkFactory::makes(const scenario::UnitOrigin& origin) const {
    return std::holds_alternative<scenario::Links>(origin);
}

const scenario::UnitDescription& LinkFactory::describe(const scenario::Unit& unit,
                                                       const std::filesystem::path&) {
    const auto& links = std::get<scenario::Links>(unit.origin);
    check(links);
    for (const auto& [origin, description] : known_)
        if (origin == links) return *description;
    known_.emplace_back(links, std::make_unique<scenario::UnitDescription>(describe_links(links)));
    return *known_.back().second;
}

std::unique_ptr<Unit> LinkFactory::instantiate(const scenario::Unit& unit,
                                               const std::filesystem::path& folder) {
    const scenario::UnitDescription& description = describe(unit, folder);
    return make_link_unit(unit.name, std::get<scenario::Links>(unit.origin), description);
}

} // namespace rubato::unit
