// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/reader.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::scenario::formats::ssp {

namespace {

/// OMSimulator writes the method with "-", its library with "_".
std::string method_of(const XmlSource& source, pugi::xml_node node, const char* attribute) {
    std::string method = source.text(node, attribute);
    std::ranges::replace(method, '_', '-');
    return method;
}

SolverHints read_solver(const XmlSource& source, pugi::xml_node node, const char* method) {
    SolverHints hints;
    hints.where = source.locate(node);
    hints.method = method_of(source, node, method);
    hints.step = source.number(node, "stepSize");
    hints.tolerance = source.number(node, "relativeTolerance");
    if (!hints.tolerance) hints.tolerance = source.number(node, "tolerance");
    hints.initial_step = source.number(node, "initialStepSize");
    hints.minimum_step = source.number(node, "minimumStepSize");
    hints.maximum_step = source.number(node, "maximumStepSize");
    return hints;
}

/// OMSimulator 2 has an element per kind of solver, OMSimulator 3 attributes.
void read_openmodelica(const XmlSource& source, pugi::xml_node annotation,
                       std::vector<SolverHints>& all) {
    for (const pugi::xml_node list : children_of(annotation, "Annotations")) {
        for (const pugi::xml_node info : children_of(list, "SimulationInformation")) {
            if (info.attribute("method")) all.push_back(read_solver(source, info, "method"));
            for (const char* attribute : {"resultFile", "signalFilter"})
                if (const std::string text = source.text(info, attribute); !text.empty())
                    source.diagnostics().note(
                        source.locate(info),
                        format("{}=\"{}\" has no effect: Rubato records every output, or what "
                               "--record names",
                               attribute, text));
            for (const pugi::xml_node solver : info.children())
                if (solver.type() == pugi::node_element)
                    all.push_back(read_solver(source, solver, "description"));
        }
    }
}

void read_open_simulation_platform(const XmlSource& source, pugi::xml_node annotation,
                                   std::vector<SolverHints>& all) {
    for (const pugi::xml_node algorithm : children_of(annotation, "Algorithm")) {
        for (const pugi::xml_node fixed : children_of(algorithm, "FixedStepAlgorithm")) {
            SolverHints hints;
            hints.where = source.locate(fixed);
            hints.method = "fixed-step";
            hints.step = source.number(fixed, "baseStepSize");
            all.push_back(std::move(hints));
        }
    }
    for (const pugi::xml_node hint : children_of(annotation, "StepSizeHint")) {
        SolverHints hints;
        hints.where = source.locate(hint);
        hints.method = own_step;
        hints.step = source.number(hint, "value");
        all.push_back(std::move(hints));
    }
}

} // namespace

std::vector<SolverHints> read_hints(const XmlSource& source, pugi::xml_node element) {
    std::vector<SolverHints> all;
    for (const pugi::xml_node list : children_of(element, "Annotations")) {
        for (const pugi::xml_node annotation : children_of(list, "Annotation")) {
            const std::string type = source.text(annotation, "type");
            if (type == "org.openmodelica")
                read_openmodelica(source, annotation, all);
            else if (type == "com.opensimulationplatform")
                read_open_simulation_platform(source, annotation, all);
            else
                source.diagnostics().note(
                    source.locate(annotation),
                    format("the annotation \"{}\" has no effect: it is for another tool", type));
        }
    }
    return all;
}

} // namespace rubato::scenario::formats::ssp
