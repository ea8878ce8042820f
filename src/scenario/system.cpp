// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/system.hpp>

namespace rubato::scenario {

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
