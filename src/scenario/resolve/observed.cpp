// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace rubato::scenario {

namespace {

bool can_be_recorded(const Variable& variable) { return variable.type != ValueType::clock; }

/// Chooses variables, each once, in the order in which they are first chosen.
class Choice {
public:
    explicit Choice(Resolver& resolver) : resolver_(resolver) {}

    void choose_outputs() {
        for (const SystemUnit& unit : resolver_.system.units) {
            for (const PortId id : unit.outputs) {
                const Port& port = resolver_.system.port(id);
                add(port.unit, {port.variable, std::nullopt});
            }
        }
        for (std::size_t u = 0; u < resolver_.descriptions.size(); ++u) {
            const auto& variables = resolver_.descriptions[u].variables;
            for (std::uint32_t v = 0; v < variables.size(); ++v)
                if (variables[v].recorded) add(nth<UnitId>(u), {v, std::nullopt});
        }
    }

    void choose(const std::string& pattern) {
        // Variables of the units of a scenario that is a unit: drivetrain/clutch.torque.
        const std::size_t dot = pattern.find('.');
        const std::size_t slash = pattern.substr(0, dot).find('/');
        const auto unit =
            resolver_.find_unit(std::string_view(pattern).substr(0, std::min(dot, slash)));
        if (!unit) {
            choose_among_all(pattern, dot);
            return;
        }
        if (std::min(dot, slash) == std::string::npos) {
            resolver_.diagnostics.error(where(),
                                        format("\"{}\" is a unit, not a variable", pattern),
                                        format("{}.* stands for all of its variables", pattern));
            return;
        }
        const std::string name = slash < dot ? pattern.substr(slash) : pattern.substr(dot + 1);
        if (const auto part = resolver_.find_part(*unit, name)) {
            choose_named(pattern, *unit, *part);
        } else if (choose_matching(*unit, pattern) == 0) {
            report_unknown(*unit, pattern, name);
        }
    }

private:
    /// An array element by element.
    void add(UnitId unit, const VariablePart& part) {
        const Variable& variable = resolver_.variable(unit, part.variable);
        const std::uint32_t size = variable.element_count();
        const std::uint32_t first = part.element.value_or(0);
        const std::uint32_t end = part.element ? first + 1 : size;
        if (is_too_much(variable, end - first)) return;
        for (std::uint32_t e = first; e < end; ++e) {
            if (!chosen_.insert({unit, part.variable, e}).second) continue;
            resolver_.system.observed.push_back(
                {unit, part.variable, {e, 1, size}, element_name(variable, e)});
        }
    }

    /// Each column has a name: more of them than this take gigabytes.
    bool is_too_much(const Variable& variable, std::uint32_t count) {
        constexpr std::size_t most = 1'000'000;
        if (resolver_.system.observed.size() + count <= most) return false;
        if (!is_told_)
            resolver_.diagnostics.error(
                where(),
                format("more than {} columns would be recorded, with \"{}\", which has {}", most,
                       variable.name, variable.element_count()),
                "name what is to be recorded in record.variables (--record)");
        is_told_ = true;
        return true;
    }

    const Location& where() const { return resolver_.scenario.recording.where; }

    void choose_named(const std::string& name, UnitId unit, const VariablePart& part) {
        if (can_be_recorded(resolver_.variable(unit, part.variable))) {
            add(unit, part);
        } else {
            resolver_.diagnostics.error(
                where(), format("{} is a clock, which cannot be recorded yet", name));
        }
    }

    /// How many variables of the unit match.
    std::size_t choose_matching(UnitId unit, const std::string& pattern) {
        const std::string& owner = resolver_.unit(unit).name;
        const auto& variables = resolver_.descriptions[unit.value].variables;
        std::size_t matches = 0;
        for (std::uint32_t v = 0; v < variables.size(); ++v) {
            if (!can_be_recorded(variables[v])) continue;
            if (!matches_glob(pattern, qualified_name(owner, variables[v].name))) continue;
            add(unit, {v, std::nullopt});
            ++matches;
        }
        return matches;
    }

    void choose_among_all(const std::string& pattern, std::size_t dot) {
        std::size_t matches = 0;
        const std::string unit = pattern.substr(0, std::min(dot, pattern.find('/')));
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
    bool is_told_ = false;
    std::set<std::tuple<UnitId, std::uint32_t, std::uint32_t>> chosen_;
};

/// Steps end where something is to be recorded.
void check_interval(const Resolver& resolver, double interval) {
    const double step = resolver.scenario.experiment.step;
    const double steps = interval / step;
    constexpr double rounding = 1e-9;
    if (steps > 0.5 && std::abs(steps - std::round(steps)) <= rounding * steps) return;
    for (std::size_t u = 0; u < resolver.system.units.size(); ++u) {
        if (resolver.descriptions[u].capabilities.variable_step) continue;
        resolver.diagnostics.warning(
            resolver.scenario.recording.where,
            format(
                "steps end at the times of record.interval, but unit \"{}\" cannot vary its step",
                resolver.system.units[u].name),
            format("make the interval a multiple of experiment.step, which is {}", shortest(step)));
    }
}

} // namespace

void choose_observed(Resolver& resolver) {
    const Recording& recording = resolver.scenario.recording;
    if (recording.every < 1) {
        resolver.diagnostics.error(
            recording.where, format("record.every is {}: it must be at least 1", recording.every));
    }
    if (recording.interval && !(*recording.interval > 0)) {
        resolver.diagnostics.error(
            recording.where,
            format("record.interval is {}: it must be positive", shortest(*recording.interval)));
    }
    if (recording.interval && *recording.interval > 0)
        check_interval(resolver, *recording.interval);
    if (recording.interval && recording.every != 1) {
        resolver.diagnostics.error(recording.where, "record has both every and interval",
                                   "give one of them");
    }
    if (recording.bonds && resolver.scenario.bonds.empty()) {
        resolver.diagnostics.error(recording.where, "record.bonds is true, but there are none",
                                   "declare bonds, or leave it out");
    }
    constexpr int most_intermediate = 1'000'000;
    if (recording.intermediate < 0 || recording.intermediate > most_intermediate) {
        resolver.diagnostics.error(recording.where,
                                   format("record.intermediate is {}: it must lie between 0 and {}",
                                          recording.intermediate, most_intermediate));
    }
    Choice choice(resolver);
    if (recording.variables.empty()) choice.choose_outputs();
    for (const std::string& pattern : recording.variables) choice.choose(pattern);
}

} // namespace rubato::scenario
