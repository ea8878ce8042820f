// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <cmath>

namespace rubato::scenario {

namespace {

class StepOutputCheck {
public:
    explicit StepOutputCheck(Resolver& resolver)
        : resolver_(resolver), experiment_(resolver.scenario.experiment) {}

    void check_maximum() {
        if (!experiment_.maximum_step) return;
        if (!(*experiment_.maximum_step > 0))
            resolver_.diagnostics.error(experiment_.where,
                                        format("experiment.maximum-step is {}: it must be positive",
                                               shortest(*experiment_.maximum_step)));
        else if (experiment_.step_output.empty())
            resolver_.diagnostics.warning(
                experiment_.where,
                "experiment.maximum-step has no effect: experiment.step is a number",
                "name an output that gives the step, or use step-control.maximum");
    }

    void check_others() {
        const StepControlSettings& control = resolver_.scenario.step_control;
        if (control.controller != StepController::fixed)
            error(format("step-control.controller is {}, which chooses steps, too",
                         to_string(control.controller)),
                  "use step-control: fixed, or give experiment.step as a number");
        std::vector<std::string> rigid;
        for (std::size_t u = 0; u < resolver_.system.units.size(); ++u)
            if (!resolver_.descriptions[u].capabilities.variable_step)
                rigid.push_back(resolver_.system.units[u].name);
        if (!rigid.empty())
            error(format("{} cannot vary {} step", listed_units(rigid),
                         rigid.size() == 1 ? "its" : "their"),
                  "give experiment.step as a number");
    }

    std::optional<PortId> find() {
        const auto name = split_port_name(experiment_.step_output);
        if (!name) {
            error("it is no output", "write unit.output, or a number");
            return std::nullopt;
        }
        const auto unit = resolver_.find_unit(name->unit);
        if (!unit) {
            resolver_.report_unknown_unit(experiment_.where, name->unit);
            return std::nullopt;
        }
        const auto ports = resolver_.find_ports(*unit, name->port, Direction::output);
        if (ports.empty()) {
            resolver_.report_unknown_variable(
                experiment_.where, *unit, name->port, "output",
                [](const Variable& v) { return v.causality == Causality::output; });
            return std::nullopt;
        }
        const Port& port = resolver_.system.port(ports.front());
        const bool is_array = ports.size() > 1 || port.part.count > 1;
        if (is_array || storage_of(port.type) != Storage::real || !port.is_continuous) {
            error(is_array                                 ? "it is an array"
                  : storage_of(port.type) != Storage::real ? "it is no real"
                                                           : "it is discrete",
                  "the length of steps is a continuous real output; of a real that its unit "
                  "declares discrete the scenario can say variability: continuous");
            return std::nullopt;
        }
        return ports.front();
    }

private:
    void error(const std::string& reason, const std::string& hint) {
        resolver_.diagnostics.error(
            experiment_.where,
            format("{} cannot give experiment.step: {}", experiment_.step_output, reason), hint);
    }

    Resolver& resolver_;
    const Experiment& experiment_;
};

} // namespace

void choose_step_output(Resolver& resolver) {
    StepOutputCheck check(resolver);
    check.check_maximum();
    if (resolver.scenario.experiment.step_output.empty()) return;
    check.check_others();
    resolver.system.step_output = check.find();
}

} // namespace rubato::scenario
