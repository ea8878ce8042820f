// SPDX-License-Identifier: Apache-2.0
#include "formats/osp/system.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/osp.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::scenario {

namespace formats::osp {

namespace {

/// The text of an element as a number. nullopt: it is absent, or none, which has been reported.
std::optional<double> number_in(const System& system, pugi::xml_node parent, const char* name) {
    const pugi::xml_node node = child_of(parent, name);
    if (!node) return std::nullopt;
    const auto number = files::parse_number<double>(node.child_value());
    if (!number || !std::isfinite(*number))
        system.source.error(node, format("\"{}\" of <{}> is no number", node.child_value(), name));
    return number;
}

std::optional<Value> read_value(const System& system, pugi::xml_node node) {
    const std::string_view type = local_name(node);
    if (type == "Real") {
        if (const auto number = system.source.number(node, "value")) return *number;
    } else if (type == "Integer") {
        if (const auto number = system.source.integer(node, "value")) return *number;
    } else if (type == "Boolean") {
        if (const auto truth = system.source.boolean(node, "value")) return *truth;
    } else if (type == "String") {
        return system.source.text(node, "value");
    } else {
        system.source.error(node, format("<{}> is no type of a value", node.name()),
                            "OSP knows Real, Integer, Boolean and String");
    }
    return std::nullopt;
}

void read_initial_values(System& system, pugi::xml_node node, const Simulator& simulator) {
    Unit& unit = system.scenario.units[simulator.unit];
    for (const pugi::xml_node each : children_of(child_of(node, "InitialValues"), "InitialValue")) {
        const std::string name = system.source.required(each, "variable");
        const pugi::xml_node content = each.first_child();
        if (!content) {
            system.source.error(each, format("the initial value of \"{}\" has no value", name));
            continue;
        }
        const auto value = read_value(system, content);
        if (!value || name.empty()) continue;
        add_value(unit, {name, *value, system.source.locate(each), {}, {}},
                  find_variable(simulator.description, name), false, system.diagnostics);
    }
}

/// A simulator makes every n-th step of the whole, where n is rounded down as libcosim does.
std::optional<double> step_of(const System& system, pugi::xml_node node, double base) {
    const auto step = system.source.number(node, "stepSize");
    if (!step || *step == 0) return std::nullopt; // 0: that of the whole
    if (!(*step > 0) || !std::isfinite(*step)) {
        system.source.error(
            node, format("stepSize=\"{}\" must be positive", system.source.text(node, "stepSize")));
        return std::nullopt;
    }
    if (system.scenario.step_control.controller != StepController::fixed) {
        system.source.warning(node,
                              format("stepSize=\"{}\" has no effect: with ecco all simulators "
                                     "make the same steps",
                                     system.source.text(node, "stepSize")));
        return std::nullopt;
    }
    if (base <= 0) return step; // there is no base step
    const double ratio = *step / base;
    const double factor = std::max(1.0, std::floor(ratio * (1 + 1e-9)));
    if (std::abs(ratio - factor) > 1e-9 * factor)
        system.source.warning(node,
                              format("simulator \"{}\" makes steps of {} s instead of "
                                     "stepSize=\"{}\", as in OSP: steps are multiples of the base "
                                     "step, which is {} s",
                                     system.source.text(node, "name"), shortest(factor * base),
                                     system.source.text(node, "stepSize"), shortest(base)));
    return factor > 1 ? std::optional(factor * base) : std::nullopt;
}

void read_simulator(System& system, pugi::xml_node node, double base,
                    std::set<std::string>& taken) {
    const XmlSource& source = system.source;
    source.check_known(node, {"InitialValues"}, {"name", "source", "stepSize"});
    const std::string name = source.required(node, "name");
    const std::string uri = source.required(node, "source");
    const auto fmu = uri.empty() ? std::nullopt : fmu_of_uri(source, node, uri);
    if (name.empty() || !fmu) return;
    if (system.simulators.contains(name)) {
        source.error(node, format("there are two simulators \"{}\"", name));
        return;
    }
    Simulator simulator;
    simulator.unit = system.scenario.units.size();
    simulator.source = (system.file.parent_path() / fmu->path).lexically_normal();
    Unit unit;
    unit.step = step_of(system, node, base);
    if (fmu->is_isolated) unit.isolate.emplace().where = source.locate(node);
    unit.name = unique_name(plain_name(name), taken);
    unit.where = source.locate(node);
    try {
        unit.origin = FmuFile{system.files.path_of(simulator.source)};
        simulator.description = system.files.describe(unit);
    } catch (const InputError& error) {
        source.error(node, format("simulator \"{}\": \"{}\": {}", name, uri, error.what()));
    }
    if (unit.name != name)
        system.diagnostics.note(unit.where,
                                format("\"{}\" is called \"{}\": names of units are made of "
                                       "letters, digits, _ and -",
                                       name, unit.name));
    system.scenario.units.push_back(std::move(unit));
    read_initial_values(system, node, simulator);
    system.simulators.emplace(name, simulator);
}

void read_function(System& system, pugi::xml_node node) {
    const XmlSource& source = system.source;
    const std::string_view kind = local_name(node);
    Function function;
    function.name = source.required(node, "name");
    function.where = source.locate(node);
    if (kind == "LinearTransformation") {
        function.factor = source.number(node, "factor").value_or(1);
        function.offset = source.number(node, "offset").value_or(0);
    } else if (kind == "Sum" || kind == "VectorSum") {
        constexpr int most = 256; // of the native model "gain"
        function.kind = Function::Kind::sum;
        function.inputs = static_cast<int>(source.integer(node, "inputCount").value_or(0));
        if (kind == "VectorSum")
            function.dimension = static_cast<int>(source.integer(node, "dimension").value_or(0));
        const bool is_possible = function.inputs > 0 && function.inputs <= most &&
                                 function.dimension >= 0 && function.dimension <= most &&
                                 (kind == "Sum" || function.dimension > 0);
        if (!is_possible) {
            source.error(node, format("function \"{}\" has to have 1 to {} inputs and dimensions",
                                      function.name, most));
            return;
        }
    } else {
        source.error(node, format("<{}> is no function that Rubato knows", node.name()),
                     "it knows LinearTransformation, Sum and VectorSum");
        return;
    }
    if (!system.functions.emplace(function.name, function).second)
        source.error(node, format("there are two functions \"{}\"", function.name));
}

/// Rubato's controller by energy is that of ECCO, but for its gains, and it repeats steps that
/// miss the tolerance if all units can go back.
void read_ecco(System& system, pugi::xml_node root) {
    const pugi::xml_node ecco = child_of(root, "EccoConfiguration");
    StepControlSettings& control = system.scenario.step_control;
    control.controller = StepController::energy;
    control.where = system.source.locate(ecco ? ecco : root);
    control.at_minimum = AtMinimum::accept; // ECCO never stops
    control.minimum = number_in(system, ecco, "MinimumStepSize");
    control.maximum = number_in(system, ecco, "MaximumStepSize");
    control.safety = number_in(system, ecco, "SafetyFactor").value_or(control.safety);
    control.growth = number_in(system, ecco, "MaximumChangeRate").value_or(control.growth);
    control.shrinking = number_in(system, ecco, "MinimumChangeRate").value_or(control.shrinking);
    control.tolerance = number_in(system, ecco, "RelativeTolerance").value_or(control.tolerance);
    if (const auto step = number_in(system, ecco, "StepSize"))
        system.scenario.experiment.step = *step;
    for (const char* name : {"ProportionalGain", "IntegralGain", "AbsoluteTolerance"})
        if (const pugi::xml_node node = child_of(ecco, name))
            system.source.warning(node,
                                  format("<{}> {} has no effect: the controller \"energy\" has "
                                         "its own",
                                         name, node.child_value()));
}

void read_settings(System& system, pugi::xml_node root) {
    Scenario& scenario = system.scenario;
    Experiment& experiment = scenario.experiment;
    experiment.open = {.start = true, .stop = true, .step = true, .tolerance = true};
    experiment.where = system.source.locate(root);
    if (const auto start = number_in(system, root, "StartTime")) experiment.start = *start;
    experiment.open.start = !child_of(root, "StartTime");
    if (const auto stop = number_in(system, root, "EndTime")) experiment.stop = *stop;
    experiment.open.stop = !child_of(root, "EndTime");
    if (const auto step = number_in(system, root, "BaseStepSize")) {
        experiment.step = *step;
        experiment.open.step = false;
        if (*step <= 0)
            system.source.error(child_of(root, "BaseStepSize"), "<BaseStepSize> must be positive");
    }
    scenario.algorithm.recipe = Recipe::jacobi; // what all of OSP's algorithms are
    scenario.algorithm.where = experiment.where;
    const pugi::xml_node algorithm = child_of(root, "Algorithm");
    std::string name = algorithm ? algorithm.child_value() : "fixedStep";
    std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (name == "ecco")
        read_ecco(system, root);
    else if (name != "fixedstep")
        system.source.error(algorithm,
                            format("algorithm \"{}\" is not known", algorithm.child_value()),
                            "OSP has fixedStep and ecco");
}

void read_root(System& system, pugi::xml_node root) {
    system.source.check_known(root,
                              {"StartTime", "EndTime", "BaseStepSize", "Algorithm", "Simulators",
                               "Functions", "Connections", "EccoConfiguration"},
                              {"version"});
    read_settings(system, root);
    const Experiment& experiment = system.scenario.experiment;
    std::set<std::string> taken;
    for (const pugi::xml_node each : children_of(child_of(root, "Simulators"), "Simulator"))
        read_simulator(system, each, experiment.open.step ? 0 : experiment.step, taken);
    if (system.scenario.units.empty()) system.source.error(root, "there are no simulators");
    for (const pugi::xml_node each : child_of(root, "Functions").children())
        if (each.type() == pugi::node_element) read_function(system, each);
    read_connections(system, child_of(root, "Connections"));
    connect(system);
}

} // namespace

} // namespace formats::osp

Scenario parse_osp(const std::filesystem::path& file, SystemFiles& files,
                   Diagnostics& diagnostics) {
    const formats::XmlSource source(files.label(file), files.read(file), diagnostics);
    const pugi::xml_node root = source.root();
    if (!root) return {};
    if (formats::local_name(root) != "OspSystemStructure") {
        source.error(root, format("the root is <{}> instead of <OspSystemStructure>", root.name()));
        return {};
    }
    formats::osp::System system{source, files, file, diagnostics, {}, {}, {}, {}};
    formats::osp::read_root(system, root);
    return std::move(system.scenario);
}

} // namespace rubato::scenario
