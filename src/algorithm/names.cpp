// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

namespace rubato::algorithm {

using scenario::Direction;

namespace {

std::string_view word(Direction direction) {
    return direction == Direction::input ? "input" : "output";
}

} // namespace

Names::Names(const scenario::System& system, Diagnostics& diagnostics)
    : system_(system), diagnostics_(diagnostics), ports_(system.units.size()) {
    for (std::size_t u = 0; u < system.units.size(); ++u)
        units_.emplace(system.units[u].name, nth<UnitId>(u));
    for (std::size_t p = 0; p < system.ports.size(); ++p) {
        const scenario::Port& port = system.ports[p];
        ports_[port.unit.value].emplace(port.name, nth<PortId>(p));
    }
}

std::string Names::hint(const std::string& name, const std::vector<std::string>& candidates,
                        std::string_view what) {
    if (suggestions_left_ == 0) return {};
    --suggestions_left_;
    return suggest(name, candidates, what);
}

std::optional<UnitId> Names::unit(const std::string& name, const Location& where) {
    if (const auto found = units_.find(name); found != units_.end()) return found->second;
    std::vector<std::string> names;
    if (suggestions_left_ > 0) {
        for (const scenario::SystemUnit& unit : system_.units) names.push_back(unit.name);
    }
    diagnostics_.error(where, format("the scenario has no unit \"{}\"", name),
                       hint(name, names, "its units"));
    return std::nullopt;
}

std::optional<PortId> Names::port(const std::string& name, Direction direction,
                                  const Location& where) {
    const auto parts = scenario::split_port_name(name);
    if (!parts) {
        diagnostics_.error(where, format("\"{}\" does not name an {}", name, word(direction)),
                           format("write unit.{}", word(direction)));
        return std::nullopt;
    }
    const auto owner = unit(parts->unit, where);
    if (!owner) return std::nullopt;
    const auto& ports = ports_[owner->value];
    const auto found = ports.find(parts->port);
    if (found == ports.end()) {
        report_unknown_port(*parts, *owner, direction, where);
        return std::nullopt;
    }
    if (system_.port(found->second).direction != direction) {
        const bool is_input = direction == Direction::output;
        diagnostics_.error(
            where,
            format("{} is an {}, not an {}", name, is_input ? "input" : "output", word(direction)),
            "outputs are got, inputs are set");
        return std::nullopt;
    }
    return found->second;
}

void Names::report_unknown_port(const scenario::PortName& name, UnitId unit, Direction direction,
                                const Location& where) {
    const scenario::SystemUnit& owner = system_.unit(unit);
    std::vector<std::string> names;
    for (const PortId id : direction == Direction::input ? owner.inputs : owner.outputs)
        names.push_back(system_.port(id).name);
    diagnostics_.error(
        where, format("unit \"{}\" has no {} \"{}\"", name.unit, word(direction), name.port),
        hint(name.port, names, format("its {}s", word(direction))));
}

} // namespace rubato::algorithm
