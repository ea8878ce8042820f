// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/system.hpp>

#include <algorithm>

namespace rubato::scenario {

bool same_ends(std::span<const Link> a, std::span<const Link> b) {
    return std::ranges::equal(a, b, [](const Link& one, const Link& other) {
        return one.from == other.from && one.to == other.to;
    });
}

System in_configuration(const System& system, const Configuration& configuration) {
    System result;
    result.units = system.units;
    result.ports = system.ports;
    result.observed = system.observed;
    result.largest_step = system.largest_step;
    result.links = configuration.links;
    result.event_links = configuration.event_links;
    result.clock_links = configuration.clock_links;
    for (const Configuration::Contract& contract : configuration.contracts) {
        result.port(contract.input).reactivity = contract.reactivity;
    }
    for (const Configuration::Feedthrough& told : configuration.feedthrough)
        result.port(told.output).feedthrough = told.inputs;
    return result;
}

} // namespace rubato::scenario
