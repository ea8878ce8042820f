// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::scenario {

namespace {

class StepLimitsCheck {
public:
    explicit StepLimitsCheck(Resolver& resolver)
        : resolver_(resolver), limits_(resolver.scenario.step_limits) {}

    void check_units() {
        std::vector<std::string> rigid;
        for (std::size_t u = 0; u < resolver_.system.units.size(); ++u)
            if (!resolver_.descriptions[u].capabilities.variable_step)
                rigid.push_back(resolver_.system.units[u].name);
        if (rigid.empty()) return;
        resolver_.diagnostics.error(limits_.where,
                                    format("steps cannot be limited: {} cannot vary {} step",
                                           listed_units(rigid),
                                           rigid.size() == 1 ? "its" : "their"),
                                    "remove step-limits, and choose experiment.step short enough");
    }

    void check(const SamplingInstants& sampling) {
        if (!(sampling.period > 0) || !std::isfinite(sampling.period))
            error(sampling.where,
                  format("the period of step-limits.sampling is {}", shortest(sampling.period)),
                  "it must be positive: [s]");
        const double shortest_period = 1e-6 * resolver_.scenario.experiment.step;
        if (sampling.period > 0 && sampling.period < shortest_period)
            error(sampling.where,
                  format("the period of step-limits.sampling is {}, less than a millionth of "
                         "experiment.step",
                         shortest(sampling.period)),
                  "steps so short do not end");
    }

    void add(const ChangeLimit& limit) {
        const auto output = find(limit, limit.of);
        const auto minus = limit.minus ? find(limit, *limit.minus) : std::nullopt;
        check_amounts(limit);
        if (!output || (limit.minus && !minus)) return;
        resolver_.system.limited_changes.push_back(
            {*output, minus, limit.absolute.value_or(0), limit.relative.value_or(0)});
    }

    void note_one_way() {
        std::vector<std::string> one_way;
        for (const SystemUnit& unit : resolver_.system.units)
            if (!unit.can_roll_back) one_way.push_back(unit.name);
        if (one_way.empty()) return;
        resolver_.diagnostics.warning(
            limits_.where,
            format("limits of changes may be exceeded: {} cannot go back; steps are shortened by "
                   "what the previous steps predict, and those that exceed a limit are counted",
                   listed_units(one_way)),
            "choose limits with some room, and experiment.step short enough for what comes "
            "suddenly");
    }

private:
    void error(const Location& where, const std::string& message, const std::string& hint) {
        resolver_.diagnostics.error(where, message, hint);
    }

    /// A single number that moves.
    std::optional<PortId> find(const ChangeLimit& limit, const std::string& text) {
        const auto name = split_port_name(text);
        if (!name) {
            error(limit.where, format("step-limits.changes: \"{}\" is no output", text),
                  "write unit.output");
            return std::nullopt;
        }
        const auto output = find_compared(
            resolver_, {.unit = name->unit, .output = name->port, .where = limit.where});
        if (!output || resolver_.system.port(*output).is_continuous) return output;
        error(limit.where,
              format("step-limits.changes: {} is discrete: however short a step is, it changes all "
                     "at once",
                     text),
              "limit what moves; of a real that its unit declares discrete the scenario can say "
              "variability: continuous");
        return std::nullopt;
    }

    void check_amounts(const ChangeLimit& limit) {
        for (const auto& [key, value] :
             {std::pair("absolute", limit.absolute), std::pair("relative", limit.relative)}) {
            if (!value || (*value > 0 && std::isfinite(*value))) continue;
            error(limit.where,
                  format("step-limits.changes: {} of the limit of {} is {}: it must be positive",
                         key, limit.of, shortest(*value)),
                  "");
        }
        if (limit.absolute || limit.relative) return;
        error(limit.where,
              format("step-limits.changes: the limit of {} lacks its amount", limit.of),
              "give absolute, relative or both: {of: tank.level, absolute: 0.01, relative: 0.05}");
    }

    Resolver& resolver_;
    const StepLimitSettings& limits_;
};

} // namespace

void check_step_limits(Resolver& resolver) {
    const StepLimitSettings& limits = resolver.scenario.step_limits;
    if (limits.empty()) return;
    StepLimitsCheck check(resolver);
    check.check_units();
    for (const SamplingInstants& sampling : limits.sampling) check.check(sampling);
    for (const ChangeLimit& change : limits.changes) check.add(change);
    if (!limits.changes.empty()) check.note_one_way();
}

} // namespace rubato::scenario
