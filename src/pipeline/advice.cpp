// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/advice.hpp>
#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

namespace rubato::pipeline {
namespace {

using engine::CouplingError;
using report::human_number;
using scenario::Port;

constexpr double good_enough = 1e-3; // grade_of

/// Of an element of an array: "x[2]" is x.
const Port* find_input(const scenario::System& system, const std::string& name) {
    for (std::uint32_t p = 0; p < system.ports.size(); ++p) {
        const std::string port = system.name_of(PortId{p});
        if (name == port || name.starts_with(port + "[")) return &system.ports[p];
    }
    return nullptr;
}

struct Level {
    const Assembly& assembly;
    double step; ///< a scenario without a step of its own has that of the one around it
};

/// The scenario, among those within each other, that an input is of: the deepest with its path.
Level level_of(const Assembly& assembly, const std::string& input, double step_around) {
    const scenario::Experiment& experiment = assembly.scenario.experiment;
    const double step = experiment.open.step ? step_around : experiment.step;
    for (const auto& nested : assembly.nested)
        if (nested && input.starts_with(nested->assembly.path))
            return level_of(nested->assembly, input, step);
    return {assembly, step};
}

/// An option for a setting of the scenario: `--set right/experiment.step=0.1` for one within.
std::string setting(const Assembly& assembly, std::string_view path, const std::string& value) {
    return format("--set {}{}={}", assembly.path, path, value);
}

/// The option that the whole scenario has for a setting, or else the setting.
std::string option(const Assembly& assembly, std::string_view name, std::string_view path,
                   const std::string& value) {
    return assembly.path.empty() ? format("{} {}", name, value) : setting(assembly, path, value);
}

/// 0.0234 → 0.02: the next smaller of 1, 2, 5 times a power of ten.
double round_down(double value) {
    const double decade = std::pow(10, std::floor(std::log10(value)));
    for (const double digit : {5.0, 2.0})
        if (digit * decade <= value) return digit * decade;
    return decade;
}

/// With an approximation of order k errors fall with the (k + 1)-th power of the step.
std::string shorter_steps(const Level& level, double relative, unsigned order) {
    const Assembly& assembly = level.assembly;
    const scenario::StepControlSettings& control = assembly.scenario.step_control;
    if (control.controller != scenario::StepController::fixed)
        return option(assembly, "--step-tolerance", "step-control.tolerance",
                      human_number(round_down(control.tolerance / 10)));
    if (!assembly.scenario.experiment.step_output.empty())
        return format("shorter steps by {}", assembly.scenario.experiment.step_output);
    const double wanted = std::pow(good_enough / relative, 1.0 / (order + 1));
    const double step = level.step * std::min(0.5, wanted);
    return option(assembly, "--step", "experiment.step", human_number(round_down(step)));
}

/// The multiplier of a constraint is constant over a step.
bool is_multiplier(const Assembly& assembly, const Port& input) {
    const scenario::System& system = assembly.orchestration.system;
    return std::ranges::any_of(system.links, [&](const scenario::Link& link) {
        const UnitId source = system.port(link.from).unit;
        return &system.port(link.to) == &input && std::holds_alternative<scenario::Links>(
                                                      assembly.scenario.units[source.value].origin);
    });
}

std::string better_approximation(const Assembly& assembly, const Port& input, unsigned order) {
    if (is_multiplier(assembly, input)) return {};
    const auto& capabilities = assembly.descriptions[input.unit.value].capabilities;
    if (order > 1 || capabilities.input_derivatives <= order) return {};
    return setting(assembly,
                   format("units.{}.inputs.{}.approximation",
                          assembly.scenario.units[input.unit.value].name, input.name),
                   order == 0 ? "linear" : "quadratic");
}

std::string iteration(const Assembly& assembly, const Port& input) {
    const auto& units = assembly.descriptions;
    const bool can_roll_back = std::ranges::all_of(
        units, [](const scenario::UnitDescription& unit) { return unit.capabilities.snapshots; });
    const bool is_late = input.reactivity == scenario::Reactivity::delayed;
    const bool is_plain = !assembly.scenario.written && assembly.orchestration.step_loops.empty();
    if (!can_roll_back || !is_late || !is_plain) return "";
    return option(assembly, "--algorithm", "algorithm.recipe", "iterated-gauss-seidel");
}

} // namespace

std::vector<std::string> advice(const engine::Trust& trust, const Assembly& assembly) {
    const CouplingError* const worst = worst_coupling(trust);
    if (!worst) return {};
    const Grade of_growth = trust.growth ? grade_of_growth(*trust.growth) : Grade::good;
    const bool is_missed = grade_of(worst->relative()) > Grade::good;
    const bool is_doubtful = of_growth > Grade::good || may_be_damped(trust);
    if (!is_missed && !is_doubtful) return {};
    const std::string& name = of_growth > Grade::good ? trust.growth->to : worst->to;
    const Level level = level_of(assembly, name, assembly.scenario.experiment.step);
    const Port* const input = find_input(level.assembly.orchestration.system, name);
    const unsigned order = input ? static_cast<unsigned>(input->approximation) : 0;
    const double relative = std::max(worst->relative(), good_enough);
    std::vector<std::string> ways = {shorter_steps(level, relative, order)};
    if (input) {
        for (const std::string& way : {better_approximation(level.assembly, *input, order),
                                       iteration(level.assembly, *input)})
            if (!way.empty()) ways.push_back(way);
    }
    const std::string why = of_growth >= Grade::perhaps_unstable
                                ? "whether the growth remains with shorter steps"
                                : "what this does to the results";
    return {format("try {}", fmt::join(ways, ", or ")), "--reference H/2 shows " + why};
}

} // namespace rubato::pipeline
