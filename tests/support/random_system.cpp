// SPDX-License-Identifier: Apache-2.0
#include "random_system.hpp"

#include <algorithm>

namespace rubato::test {

using scenario::Configuration;
using scenario::Direction;
using scenario::Link;
using scenario::Origin;
using scenario::Port;
using scenario::Reactivity;
using scenario::System;

namespace {

class Generator {
public:
    Generator(RandomSource& random, Contracts contracts)
        : random_(random), contracts_(contracts), reactive_(random.one_of(rates)),
          feedthrough_(random.one_of(rates) / 2), rejecting_(random.one_of(rates) / 3),
          linked_(random.one_of(densities)) {}

    System generate() {
        system_.largest_step = random_.between(1, 3);
        const int units = random_.between(2, 8);
        for (int u = 0; u < units; ++u) add_unit();
        link_inputs();
        if (contracts_ == Contracts::declared && random_.chance(0.25)) add_configurations();
        return std::move(system_);
    }

private:
    static inline const std::vector<double> rates = {0, 0.2, 0.5, 1};
    static inline const std::vector<double> densities = {0.3, 0.7, 1};

    void add_unit() {
        scenario::SystemUnit unit;
        unit.name = std::string(1, static_cast<char>('a' + system_.units.size()));
        unit.can_reject_step = random_.chance(rejecting_);
        unit.can_reject_origin = Origin::scenario;
        unit.can_roll_back = true;
        system_.units.push_back(unit);
        const int inputs = random_.between(0, 3);
        for (int i = 0; i < inputs; ++i) add_input("i" + std::to_string(i));
        const int outputs = random_.between(0, 3);
        for (int o = 0; o < outputs; ++o) add_output("o" + std::to_string(o));
    }

    Port& add_port(const std::string& name, Direction direction) {
        Port port;
        port.unit = nth<UnitId>(system_.units.size() - 1);
        port.direction = direction;
        port.name = name;
        auto& unit = system_.units.back();
        auto& ids = direction == Direction::input ? unit.inputs : unit.outputs;
        ids.push_back(nth<PortId>(system_.ports.size()));
        return system_.ports.emplace_back(port);
    }

    Reactivity random_reactivity() {
        return random_.chance(reactive_) ? Reactivity::reactive : Reactivity::delayed;
    }

    void add_input(const std::string& name) {
        Port& port = add_port(name, Direction::input);
        if (contracts_ == Contracts::undeclared) return;
        port.reactivity = random_reactivity();
        port.reactivity_origin = Origin::scenario;
    }

    void add_output(const std::string& name) {
        Port& port = add_port(name, Direction::output);
        for (const PortId input : system_.units.back().inputs) {
            if (random_.chance(feedthrough_)) port.feedthrough.push_back(input);
            if (random_.chance(feedthrough_)) port.feedthrough_initial.push_back(input);
        }
    }

    /// An output of another unit, if there is one.
    std::optional<PortId> random_source(PortId input) {
        std::vector<PortId> sources;
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            const Port& port = system_.ports[p];
            const bool elsewhere = port.unit != system_.port(input).unit;
            if (port.direction == Direction::output && elsewhere) sources.push_back(nth<PortId>(p));
        }
        if (sources.empty()) return std::nullopt;
        return random_.one_of(sources);
    }

    void link_inputs() {
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            if (system_.ports[p].direction != Direction::input) continue;
            const PortId input = nth<PortId>(p);
            const auto source = random_source(input);
            if (source && random_.chance(linked_)) system_.links.push_back({*source, input});
        }
        random_.shuffle(system_.links);
    }

    void add_configurations() {
        const int count = random_.between(2, 3);
        for (int c = 0; c < count; ++c) {
            const std::string name = "c" + std::to_string(c);
            system_.configurations.push_back(
                {.name = name, .procedure = "step_" + name, .links = system_.links});
            vary_contracts(system_.configurations.back());
        }
        for (Configuration& configuration : system_.configurations) relink(configuration);
    }

    void vary_contracts(Configuration& configuration) {
        for (const Link& link : system_.links) {
            if (random_.chance(0.3)) {
                configuration.contracts.push_back({link.to, random_reactivity()});
            }
        }
    }

    /// Only inputs that are never delayed get another source: contracts do not say whether the
    /// value that a delayed one starts a step with is of the old source or of the new one.
    void relink(Configuration& configuration) {
        for (Link& link : configuration.links) {
            if (!is_always_reactive(link.to) || !random_.chance(0.3)) continue;
            link.from = *random_source(link.to);
        }
    }

    bool is_always_reactive(PortId input) const {
        return std::ranges::all_of(system_.configurations, [&](const Configuration& c) {
            return in_configuration(system_, c).port(input).reactivity == Reactivity::reactive;
        });
    }

    RandomSource& random_;
    Contracts contracts_;
    double reactive_, feedthrough_, rejecting_, linked_; ///< probabilities
    System system_;
};

std::string names(const System& system, const std::vector<PortId>& ports) {
    std::string text;
    for (const PortId port : ports) text += " " + system.port(port).name;
    return text;
}

std::string describe_port(const System& system, PortId id) {
    const Port& port = system.port(id);
    if (port.direction == Direction::input) {
        return "  " + std::string(to_string(port.reactivity)) + " input " + port.name + "\n";
    }
    return "  output " + port.name + ", fed through" + names(system, port.feedthrough) +
           ", initially" + names(system, port.feedthrough_initial) + "\n";
}

std::string describe_links(const System& system, const std::vector<Link>& links) {
    std::string text;
    for (const Link& link : links) {
        text += "  " + system.name_of(link.from) + " -> " + system.name_of(link.to) + "\n";
    }
    return text;
}

std::string describe_configuration(const System& system, const Configuration& configuration) {
    std::string text = "configuration " + configuration.name + "\n";
    for (const Configuration::Contract& contract : configuration.contracts) {
        text += "  " + std::string(to_string(contract.reactivity)) + " " +
                system.name_of(contract.input) + "\n";
    }
    return text + describe_links(system, configuration.links);
}

} // namespace

System random_system(RandomSource& random, Contracts contracts) {
    return Generator(random, contracts).generate();
}

std::string describe(const System& system) {
    std::string text = "largest step " + std::to_string(system.largest_step) + "\n";
    for (const scenario::SystemUnit& unit : system.units) {
        text += "unit " + unit.name + (unit.can_reject_step ? ", may reject\n" : "\n");
        for (const PortId port : unit.inputs) text += describe_port(system, port);
        for (const PortId port : unit.outputs) text += describe_port(system, port);
    }
    text += "links\n" + describe_links(system, system.links);
    for (const Configuration& configuration : system.configurations) {
        text += describe_configuration(system, configuration);
    }
    return text;
}

} // namespace rubato::test
