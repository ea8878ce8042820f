// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/scenario.hpp>

#include <algorithm>

namespace rubato::scenario {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

} // namespace

std::optional<PortName> split_port_name(std::string_view text) {
    text = trimmed(text);
    const std::size_t dot = text.find('.');
    if (dot == 0 || dot == std::string_view::npos || dot + 1 == text.size()) return std::nullopt;
    return PortName{std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

std::optional<PortName> split_variable_path(std::string_view text) {
    auto name = split_port_name(text);
    const std::size_t slash = name ? name->unit.find('/') : std::string::npos;
    if (slash == std::string::npos) return name;
    return PortName{name->unit.substr(0, slash), name->unit.substr(slash) + "." + name->port};
}

std::string qualified_name(const std::string& unit, const std::string& variable) {
    return variable.starts_with('/') ? unit + variable : unit + "." + variable;
}

bool operator==(const NestedScenario& a, const NestedScenario& b) {
    if (a.file != b.file || !a.scenario != !b.scenario) return false;
    return a.scenario == b.scenario || *a.scenario == *b.scenario;
}

const UnitClocks* Clocks::find_unit(std::string_view name) const {
    const auto found = std::ranges::find(units, name, &UnitClocks::unit);
    return found == units.end() ? nullptr : &*found;
}

bool Clocks::is_clocked(std::string_view unit, std::string_view port) const {
    const UnitClocks* found = find_unit(unit);
    return found && std::ranges::find(found->ports, port, &ClockedPort::port) != found->ports.end();
}

} // namespace rubato::scenario
