// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/system.hpp>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace rubato::test {

/// Makes systems for tests, by name.
class SystemBuilder {
public:
    SystemBuilder& unit(const std::string& name, bool can_roll_back = true) {
        scenario::SystemUnit unit;
        unit.name = name;
        unit.can_roll_back = can_roll_back;
        system_.units.push_back(unit);
        return *this;
    }

    /// An input of the unit added last, with a contract of its own or without.
    SystemBuilder& input(const std::string& name) { return port(name, scenario::Direction::input); }
    SystemBuilder& input(const std::string& name, scenario::Reactivity reactivity) {
        input(name);
        system_.ports.back().reactivity = reactivity;
        system_.ports.back().reactivity_origin = scenario::Origin::scenario;
        return *this;
    }

    /// An output of the unit added last; inputs that feed through to it come before it.
    SystemBuilder& output(const std::string& name,
                          std::initializer_list<std::string> feedthrough = {}) {
        port(name, scenario::Direction::output);
        for (const std::string& input : feedthrough) {
            const PortId id = find(system_.units.back().name + "." + input);
            system_.ports.back().feedthrough.push_back(id);
            system_.ports.back().feedthrough_initial.push_back(id);
        }
        return *this;
    }

    /// The same with other inputs during initialization.
    SystemBuilder& output(const std::string& name, std::initializer_list<std::string> feedthrough,
                          std::initializer_list<std::string> feedthrough_initial) {
        output(name, feedthrough);
        system_.ports.back().feedthrough_initial.clear();
        for (const std::string& input : feedthrough_initial) {
            system_.ports.back().feedthrough_initial.push_back(
                find(system_.units.back().name + "." + input));
        }
        return *this;
    }

    /// The unit added last may reject a step.
    SystemBuilder& can_reject_step() {
        system_.units.back().can_reject_step = true;
        return *this;
    }

    SystemBuilder& largest_step(int ticks) {
        system_.largest_step = ticks;
        return *this;
    }

    /// A configuration with the links and contracts of the system, kept by `procedure`.
    SystemBuilder& configuration(const std::string& name, const std::string& procedure) {
        system_.configurations.push_back(
            {.name = name, .procedure = procedure, .links = system_.links});
        return *this;
    }
    /// In the configuration added last.
    SystemBuilder& contract(const std::string& input, scenario::Reactivity reactivity) {
        system_.configurations.back().contracts.push_back({find(input), reactivity});
        return *this;
    }
    SystemBuilder& relink(const std::string& from, const std::string& to) {
        auto& links = system_.configurations.back().links;
        std::erase_if(links, [&](const scenario::Link& link) { return link.to == find(to); });
        links.push_back({find(from), find(to)});
        return *this;
    }

    /// How the unit knows the port added last.
    SystemBuilder& reference_last(ValueRef reference) {
        system_.ports.back().reference = reference;
        system_.ports.back().variable = reference;
        return *this;
    }

    SystemBuilder& link(const std::string& from, const std::string& to) {
        system_.links.push_back({find(from), find(to)});
        return *this;
    }

    scenario::System build() const { return system_; }

private:
    SystemBuilder& port(const std::string& name, scenario::Direction direction) {
        const UnitId owner = nth<UnitId>(system_.units.size() - 1);
        const PortId id = nth<PortId>(system_.ports.size());
        scenario::Port port;
        port.unit = owner;
        port.direction = direction;
        port.name = name;
        system_.ports.push_back(port);
        auto& unit = system_.units.back();
        (direction == scenario::Direction::input ? unit.inputs : unit.outputs).push_back(id);
        return *this;
    }

    PortId find(const std::string& name) const {
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            if (system_.name_of(nth<PortId>(p)) == name) return nth<PortId>(p);
        }
        throw std::invalid_argument("no port " + name);
    }

    scenario::System system_;
};

/// The tutorial's Example 4: two mass-spring-dampers; the force feeds through from position and
/// speed.
inline SystemBuilder coupled_msd() {
    SystemBuilder builder;
    builder.unit("msd1").input("Fc").output("x1").output("v1");
    builder.unit("msd2").input("x1").input("v1").output("Fc", {"x1", "v1"});
    builder.link("msd1.x1", "msd2.x1").link("msd1.v1", "msd2.v1").link("msd2.Fc", "msd1.Fc");
    return builder;
}

} // namespace rubato::test
