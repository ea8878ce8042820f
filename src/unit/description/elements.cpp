// SPDX-License-Identifier: Apache-2.0
#include "elements.hpp"

#include "rules/names.hpp"

#include <rubato/private/format.hpp>

#include <map>

namespace rubato::unit {

namespace {

constexpr const char* not_positive = "not positive";

} // namespace

std::string read_model_identifier(const XmlReader& reader, pugi::xml_node interface) {
    std::string identifier = reader.text(interface, "modelIdentifier");
    if (identifier.empty()) {
        reader.report(Rule::model_identifier_missing, interface,
                      format("<{}> lacks the attribute modelIdentifier", interface.name()));
    } else if (identifier.find_first_of("/\\") != std::string::npos) {
        reader.report(Rule::model_identifier_path, interface,
                      format("modelIdentifier=\"{}\" is not a plain name", identifier),
                      "it names the library under binaries/ and may hold no path");
    } else if (!is_c_name(identifier)) {
        reader.report(Rule::model_identifier_syntax, interface,
                      format("modelIdentifier=\"{}\" is not a name of the language C", identifier));
    }
    return identifier;
}

std::string read_identifier(const XmlReader& reader, pugi::xml_node root, const char* attribute) {
    std::string identifier = reader.text(root, attribute);
    if (identifier.empty())
        reader.report(Rule::guid_missing, root,
                      format("<{}> lacks the attribute {}", root.name(), attribute));
    return identifier;
}

namespace {

Measure read_base_unit(const XmlReader& reader, pugi::xml_node node) {
    Measure measure;
    for (std::size_t i = 0; i < base_units.size(); ++i)
        measure.dimension[i] = node.attribute(base_units[i]).as_int();
    measure.factor = reader.find_number(node, "factor").value_or(1);
    measure.offset = reader.find_number(node, "offset").value_or(0);
    return measure;
}

} // namespace

void read_measures(const XmlReader& reader, pugi::xml_node root,
                   std::vector<scenario::Variable>& variables) {
    std::map<std::string, Measure, std::less<>> defined;
    for (const auto unit : root.child("UnitDefinitions").children("Unit")) {
        const auto base = unit.child("BaseUnit");
        if (base) defined.emplace(reader.text(unit, "name"), read_base_unit(reader, base));
    }
    for (scenario::Variable& variable : variables) {
        if (variable.unit.empty()) continue;
        const auto found = defined.find(variable.unit);
        variable.measure = found != defined.end() ? found->second : find_measure(variable.unit);
    }
}

scenario::DefaultExperiment read_default_experiment(const XmlReader& reader, pugi::xml_node root) {
    const auto node = root.child("DefaultExperiment");
    scenario::DefaultExperiment experiment = {
        reader.find_number(node, "startTime"), reader.find_number(node, "stopTime"),
        reader.find_number(node, "stepSize"), reader.find_number(node, "tolerance")};
    const auto drop = [&](std::optional<double>& value, const char* attribute, const char* why) {
        reader.report(
            Rule::default_experiment, node,
            format("<DefaultExperiment> has {}=\"{}\", which is {}", attribute, *value, why));
        value.reset();
    };
    if (experiment.step && !(*experiment.step > 0)) drop(experiment.step, "stepSize", not_positive);
    if (experiment.tolerance && !(*experiment.tolerance > 0))
        drop(experiment.tolerance, "tolerance", not_positive);
    if (experiment.stop && *experiment.stop < experiment.start.value_or(0))
        drop(experiment.stop, "stopTime", "before its start");
    return experiment;
}

} // namespace rubato::unit
