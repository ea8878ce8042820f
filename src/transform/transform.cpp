// SPDX-License-Identifier: Apache-2.0
#include "accuracy.hpp"
#include "causality.hpp"
#include "communication.hpp"
#include "loops.hpp"

#include <algorithm>
#include <array>

namespace rubato::transform {

namespace {

constexpr std::array<std::string_view, 4> names = {"causality", "loops", "accuracy",
                                                   "communication"};

} // namespace

std::string_view to_string(Concern concern) { return names[static_cast<std::size_t>(concern)]; }

std::optional<Concern> find_concern(std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Concern>(found - names.begin());
}

std::vector<std::string> concern_names() { return {names.begin(), names.end()}; }

std::span<const Transformation> transformations() {
    static const std::array<Transformation, 4> all = {causality_transformation, loop_transformation,
                                                      accuracy_transformation,
                                                      communication_transformation};
    return all;
}

Size size_of(const scenario::Scenario& scenario) {
    Size size;
    size.connections = scenario.connections.size();
    for (const scenario::Unit& unit : scenario.units) {
        const auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin);
        if (std::holds_alternative<scenario::Links>(unit.origin) ||
            std::holds_alternative<scenario::StepSizeUnit>(unit.origin) || nested)
            ++size.artificial;
        else
            ++size.units;
        if (!nested || !nested->scenario) continue;
        const Size inner = size_of(*nested->scenario);
        size.units += inner.units;
        size.artificial += inner.artificial;
        size.connections += inner.connections;
        size.levels = std::max(size.levels, inner.levels + 1);
    }
    return size;
}

} // namespace rubato::transform
