// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/system.hpp>

#include <algorithm>
#include <tuple>

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
    for (const Configuration::Feedthrough& declared : configuration.feedthrough)
        result.port(declared.output).feedthrough = declared.inputs;
    return result;
}

namespace {

bool are_same(std::vector<Link> a, std::vector<Link> b) {
    const auto by_input = [](const Link& one, const Link& other) { return one.to < other.to; };
    std::ranges::sort(a, by_input);
    std::ranges::sort(b, by_input);
    return std::ranges::equal(a, b, [](const Link& one, const Link& other) {
        return std::tie(one.from, one.to, one.factor, one.offset, one.to_type, one.threshold) ==
               std::tie(other.from, other.to, other.factor, other.offset, other.to_type,
                        other.threshold);
    });
}

} // namespace

std::size_t first_with_connections_of(const System& system, std::size_t n) {
    const Configuration& wanted = system.configurations[n];
    const auto is_alike = [&](const Configuration& other) {
        return are_same(other.links, wanted.links) &&
               are_same(other.event_links, wanted.event_links) &&
               are_same(other.clock_links, wanted.clock_links);
    };
    return static_cast<std::size_t>(std::ranges::find_if(system.configurations, is_alike) -
                                    system.configurations.begin());
}

bool has_events(const System& system) {
    if (!system.watched.empty() || system.ends_steps_at_events) return true;
    if (std::ranges::any_of(system.units, &SystemUnit::has_event_mode)) return true;
    for (std::size_t c = 1; c < system.configurations.size(); ++c)
        if (first_with_connections_of(system, c) != 0) return true;
    return false;
}

std::vector<PortId> watched_outputs(const System& system) {
    std::vector<PortId> outputs;
    for (const Watched& watched : system.watched) outputs.push_back(watched.output);
    for (const LimitedChange& limit : system.limited_changes) {
        outputs.push_back(limit.output);
        if (limit.minus) outputs.push_back(*limit.minus);
    }
    if (system.step_output) outputs.push_back(*system.step_output);
    return outputs;
}

} // namespace rubato::scenario
