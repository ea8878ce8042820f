// SPDX-License-Identifier: Apache-2.0
#include "elements.hpp"

#include <rubato/private/format.hpp>

namespace rubato::unit {

std::string read_model_identifier(const XmlReader& reader, pugi::xml_node interface) {
    std::string identifier = reader.required(interface, "modelIdentifier");
    if (identifier.find_first_of("/\\") != std::string::npos) {
        reader.error(interface, format("modelIdentifier=\"{}\" is not a plain name", identifier),
                     "it names the library under binaries/ and may hold no path");
    }
    return identifier;
}

scenario::DefaultExperiment read_default_experiment(const XmlReader& reader, pugi::xml_node root) {
    const auto node = root.child("DefaultExperiment");
    return {reader.find_number(node, "startTime"), reader.find_number(node, "stopTime"),
            reader.find_number(node, "stepSize"), reader.find_number(node, "tolerance")};
}

} // namespace rubato::unit
