// SPDX-License-Identifier: Apache-2.0
#include "model_description.hpp"

#include "fmi2/description.hpp"
#include "fmi3/description.hpp"
#include "xml.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

namespace rubato::unit {

using scenario::Interface;

namespace {

constexpr const char* file_name = "modelDescription.xml";

FmiVersion read_version(const XmlDocument& document) {
    const auto root = document.root();
    const std::string at = to_string(document.locate(root));
    if (std::string_view(root.name()) != "fmiModelDescription") {
        throw InputError(
            format("{}: the root element is <{}>, not <fmiModelDescription>", at, root.name()));
    }
    const std::string_view version = root.attribute("fmiVersion").value();
    if (version.empty()) throw InputError(format("{}: lacks the attribute fmiVersion", at));
    if (version == "2.0") return FmiVersion::fmi2;
    const bool is_draft = version.find('-') != std::string_view::npos;
    if (version.starts_with("3.") && !is_draft) return FmiVersion::fmi3;
    if (version == "1.0") {
        throw InputError(format("{}: FMI 1.0 is not supported yet", at),
                         "export the FMU as FMI 2.0 or 3.0");
    }
    throw InputError(format("{}: FMI version \"{}\" is not supported", at, version),
                     "supported are 2.0 and 3.0");
}

/// What a model can do behind a solver of ours, whatever it can do by itself.
scenario::Capabilities capabilities_behind_solver(const scenario::Capabilities& declared) {
    scenario::Capabilities can = declared;
    can.variable_step = true;
    can.snapshots = true;
    can.serialization = false;
    can.may_reject_step = can.may_return_early = false;
    can.input_derivatives = 2;
    can.output_derivatives = 0;
    return can;
}

} // namespace

scenario::UnitDescription describe_unit(const ModelDescription& description, Interface interface) {
    scenario::UnitDescription unit = description.unit;
    const bool solved = interface == Interface::model_exchange;
    const scenario::Capabilities& declared = description.find(interface).value().capabilities;
    unit.kind = format("FMI {}.0 {}", description.version == FmiVersion::fmi2 ? 2 : 3,
                       solved ? "model exchange" : "co-simulation");
    unit.interface = interface;
    unit.capabilities = solved ? capabilities_behind_solver(declared) : declared;
    return unit;
}

ModelDescription read_model_description(const Archive& archive) {
    const XmlDocument document((archive.file() / file_name).string(), archive.read(file_name));
    const FmiVersion version = read_version(document);
    Diagnostics diagnostics;
    const XmlReader reader(document, diagnostics);
    ModelDescription description = version == FmiVersion::fmi2
                                       ? read_fmi2_description(reader, document.root())
                                       : read_fmi3_description(reader, document.root());
    if (!description.co_simulation && !description.model_exchange) {
        reader.error(document.root(),
                     "the FMU has neither a <CoSimulation> nor a <ModelExchange> element",
                     "export it for co-simulation or model exchange");
    }
    diagnostics.throw_if_errors();
    if (description.co_simulation) description.unit.interfaces.push_back(Interface::co_simulation);
    if (description.model_exchange)
        description.unit.interfaces.push_back(Interface::model_exchange);
    description.unit.source = archive.file().string();
    description.unit.platforms = archive.folders_in("binaries");
    return description;
}

} // namespace rubato::unit
