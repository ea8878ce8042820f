// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/description.hpp>

#include <algorithm>

namespace rubato::scenario {

std::optional<std::uint32_t> UnitDescription::find_variable(std::string_view name) const {
    const auto found = std::ranges::find(variables, name, &Variable::name);
    if (found == variables.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - variables.begin());
}

} // namespace rubato::scenario
