// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/system.hpp>

namespace rubato::scenario {

System in_configuration(const System& system, const Configuration& configuration) {
    System result = system;
    result.configurations.clear();
    result.links = configuration.links;
    result.event_links = configuration.event_links;
    result.clock_links = configuration.clock_links;
    for (const Configuration::Contract& contract : configuration.contracts) {
        result.port(contract.input).reactivity = contract.reactivity;
    }
    return result;
}

} // namespace rubato::scenario
