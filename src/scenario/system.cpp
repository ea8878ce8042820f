// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/system.hpp>

namespace rubato::scenario {

std::string type_conversion_text(const Link& link, ValueType from, ValueType to) {
    const Storage source = storage_of(from);
    const Storage target = storage_of(to);
    if (source == target && !link.to_type) return {};
    std::string text = format("{} to {}", to_string(source), to_string(target));
    if (link.to_type == TypeConversion::threshold)
        return text + format(": true above {}", shortest(link.threshold));
    if (link.to_type == TypeConversion::nonzero) return text + ": true unless 0";
    if (link.to_type) return text + format(": {}", to_string(*link.to_type));
    return source == Storage::boolean ? text + ": true is 1" : text;
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

std::vector<PortId> watched_outputs(const System& system) {
    std::vector<PortId> outputs;
    for (const Watched& watched : system.watched) outputs.push_back(watched.output);
    for (const LimitedChange& limit : system.limited_changes) {
        outputs.push_back(limit.output);
        if (limit.minus) outputs.push_back(*limit.minus);
    }
    return outputs;
}

} // namespace rubato::scenario
