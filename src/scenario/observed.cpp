// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <unordered_set>

namespace rubato::scenario {

namespace {

bool can_be_recorded(const Variable& variable) {
    return variable.dimensions.empty() && variable.type != ValueType::clock;
}

/// Chooses variables, each once, in the order in which they are first chosen.
class Choice {
public:
    explicit Choice(Resolver& resolver) : resolver_(resolver) {}

    void choose_outputs() {
        for (const SystemUnit& unit : resolver_.system.units) {
            for (const PortId id : unit.outputs) {
                const Port& port = resolver_.system.port(id);
                add(port.unit, port.variable);
            }
        }
    }

    void choose(const std::string& pattern) {
        const std::size_t dot = pattern.find('.');
        const auto unit = resolver_.find_unit(std::string_view(pattern).substr(0, dot));
        if (!unit || dot == std::string::npos) {
            choose_among_all(pattern, dot);
            return;
        }
        const std::string name = pattern.substr(dot + 1);
        if (const auto index = resolver_.find_variable(*unit, name)) {
            choose_named(pattern, *unit, *index);
        } else if (choose_matching(*unit, pattern) == 0) {
            report_unknown(*unit, pattern, name);
        }
    }

private:
    void add(UnitId unit, std::uint32_t variable) {
        const std::uint64_t key = (std::uint64_t{unit.value} << 32) | variable;
        if (chosen_.insert(key).second) resolver_.system.observed.push_back({unit, variable});
    }

    const Location& where() const { return resolver_.scenario.recording.where; }

    void choose_named(const std::string& name, UnitId unit, std::uint32_t index) {
        if (can_be_recorded(resolver_.variable(unit, index))) {
            add(unit, index);
            return;
        }
        const bool is_clock = resolver_.variable(unit, index).type == ValueType::clock;
        resolver_.diagnostics.error(where(), format("{} is {}, which cannot be recorded yet", name,
                                                    is_clock ? "a clock" : "an array"));
    }

    /// How many variables of the unit match.
    std::size_t choose_matching(UnitId unit, const std::string& pattern) {
        const std::string prefix = resolver_.unit(unit).name + ".";
        const auto& variables = resolver_.descriptions[unit.value].variables;
        std::size_t matches = 0;
        for (std::uint32_t v = 0; v < variables.size(); ++v) {
            if (!can_be_recorded(variables[v])) continue;
            if (!matches_glob(pattern, prefix + variables[v].name)) continue;
            add(unit, v);
            ++matches;
        }
        return matches;
    }

    void choose_among_all(const std::string& pattern, std::size_t dot) {
        std::size_t matches = 0;
        const std::string unit = pattern.substr(0, dot);
        if (unit.find_first_of("*?") == std::string::npos) {
            resolver_.report_unknown_unit(where(), unit);
            return;
        }
        for (std::size_t u = 0; u < resolver_.scenario.units.size(); ++u) {
            matches += choose_matching(nth<UnitId>(u), pattern);
        }
        if (matches == 0) {
            resolver_.diagnostics.error(where(), format("no variable matches \"{}\"", pattern),
                                        "names to record have the form unit.variable");
        }
    }

    void report_unknown(UnitId unit, const std::string& pattern, const std::string& name) {
        if (name.find_first_of("*?") == std::string::npos) {
            resolver_.report_unknown_variable(where(), unit, name, "variable", can_be_recorded);
            return;
        }
        resolver_.diagnostics.error(
            where(), format("no variable matches \"{}\"", pattern),
            format("{0}.* would match all variables of {0}", resolver_.unit(unit).name));
    }

    Resolver& resolver_;
    std::unordered_set<std::uint64_t> chosen_;
};

} // namespace

void choose_observed(Resolver& resolver) {
    const Recording& recording = resolver.scenario.recording;
    if (recording.every < 1) {
        resolver.diagnostics.error(
            recording.where, format("record.every is {}: it must be at least 1", recording.every));
    }
    Choice choice(resolver);
    if (recording.variables.empty()) choice.choose_outputs();
    for (const std::string& pattern : recording.variables) choice.choose(pattern);
}

} // namespace rubato::scenario
