// SPDX-License-Identifier: Apache-2.0
#include "model_description.hpp"

#include "fmi1/description.hpp"
#include "fmi2/description.hpp"
#include "fmi3/description.hpp"
#include "me/shared_events.hpp"
#include "rules/archive.hpp"
#include "rules/definitions.hpp"
#include "rules/schema.hpp"
#include "xml.hpp"

#include <rubato/private/format.hpp>

namespace rubato::unit {

using scenario::Interface;

namespace {

constexpr const char* file_name = "modelDescription.xml";

[[noreturn]] void refuse(const XmlDocument& document, Rule rule, std::string message,
                         std::string hint = {}) {
    throw Refusal({rule, document.locate(document.root()), std::move(message), std::move(hint)});
}

/// 3.0, 3.1.2
bool is_release_of_fmi3(std::string_view version) {
    return version.starts_with("3.") && !version.ends_with('.') &&
           version.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// What a description is that does not say so.
std::optional<FmiVersion> guess_version(pugi::xml_node root) {
    const std::string_view version = root.attribute("fmiVersion").value();
    const auto first = version.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        if (root.attribute("instantiationToken")) return FmiVersion::fmi3;
        if (root.attribute("modelIdentifier")) return FmiVersion::fmi1;
        if (root.attribute("guid")) return FmiVersion::fmi2;
        return std::nullopt;
    }
    const bool is_draft = version.find('-') != std::string_view::npos;
    const bool has_more = first + 1 < version.size();
    const bool is_whole = !has_more || std::string_view(". \t\r\n").find(version[first + 1]) !=
                                           std::string_view::npos;
    if (is_draft || !is_whole) return std::nullopt;
    if (version[first] == '1') return FmiVersion::fmi1;
    if (version[first] == '2') return FmiVersion::fmi2;
    if (version[first] == '3') return FmiVersion::fmi3;
    return std::nullopt;
}

FmiVersion read_version(const XmlDocument& document, const XmlReader& reader) {
    const auto root = document.root();
    if (std::string_view(root.name()) != "fmiModelDescription")
        refuse(document, Rule::root_element,
               format("the root element is <{}>, not <fmiModelDescription>", root.name()));
    const std::string_view version = root.attribute("fmiVersion").value();
    if (version == "1.0") return FmiVersion::fmi1;
    if (version == "2.0") return FmiVersion::fmi2;
    if (is_release_of_fmi3(version)) return FmiVersion::fmi3;
    const auto guess = guess_version(root);
    if (!guess)
        refuse(document, Rule::version_unsupported,
               version.empty() ? "lacks the attribute fmiVersion"
                               : format("FMI version \"{}\" is not supported", version),
               "supported are 1.0, 2.0 and 3.0");
    reader.report(Rule::version_spelling, root,
                  version.empty() ? "lacks the attribute fmiVersion"
                                  : format("fmiVersion=\"{}\" is no version of FMI", version));
    return *guess;
}

/// What a model can do behind a solver of ours, whatever it can do by itself.
scenario::Capabilities capabilities_behind_solver(const ModelDescription& description,
                                                  const scenario::Capabilities& declared) {
    scenario::Capabilities can = declared;
    can.variable_step = true;
    can.snapshots = true;
    can.serialization = false;
    const ContinuousStructure& continuous = description.continuous;
    const bool has_own_events = continuous.event_indicators > 0 || continuous.needs_completed_step;
    can.may_reject_step = can.may_return_early =
        can.event_mode && has_own_events && may_concern_others(description.unit.variables);
    can.input_derivatives = 2;
    can.output_derivatives = 0;
    can.intermediate_outputs = true;
    return can;
}

/// What can be had, or set, within steps.
void settle_intermediate(scenario::UnitDescription& unit) {
    bool any_output = false;
    for (scenario::Variable& variable : unit.variables) {
        const bool can_be = variable.type == ValueType::float64 && !variable.is_array() &&
                            variable.variability == scenario::Variability::continuous &&
                            unit.capabilities.intermediate_outputs;
        const bool is_output = variable.causality == scenario::Causality::output;
        const bool solved = unit.interface == Interface::model_exchange;
        variable.intermediate = can_be && (solved ? is_output : variable.intermediate);
        any_output = any_output || (variable.intermediate && is_output);
    }
    unit.capabilities.intermediate_outputs = any_output;
}

} // namespace

scenario::UnitDescription describe_unit(const ModelDescription& description, Interface interface) {
    scenario::UnitDescription unit = description.unit;
    const bool solved = interface == Interface::model_exchange;
    const scenario::Capabilities& declared = description.find(interface).value().capabilities;
    unit.kind = format("FMI {}.0 {}", static_cast<int>(description.version),
                       solved ? "model exchange" : "co-simulation");
    unit.interface = interface;
    unit.capabilities = solved ? capabilities_behind_solver(description, declared) : declared;
    settle_intermediate(unit);
    return unit;
}

namespace {

const ElementSchema& schema_of(FmiVersion version) {
    switch (version) {
    case FmiVersion::fmi1: return fmi1_schema;
    case FmiVersion::fmi2: return fmi2_schema;
    case FmiVersion::fmi3: break;
    }
    return fmi3_schema;
}

ModelDescription read_description(FmiVersion version, const XmlReader& reader,
                                  pugi::xml_node root) {
    switch (version) {
    case FmiVersion::fmi1: return read_fmi1_description(reader, root);
    case FmiVersion::fmi2: return read_fmi2_description(reader, root);
    case FmiVersion::fmi3: break;
    }
    return read_fmi3_description(reader, root);
}

} // namespace

ModelDescription read_model_description(const FmuArchive& archive, Findings& findings) {
    const XmlDocument document((archive.file() / file_name).string(), archive.read(file_name));
    const XmlReader reader(document, findings);
    const auto root = document.root();
    if (!document.encoding_fault().empty())
        reader.report(Rule::xml_encoding, root, document.encoding_fault());
    const FmiVersion version = read_version(document, reader);
    check_schema(reader, root, schema_of(version));
    check_archive(reader, version, root, archive);
    check_log_categories(reader, root);
    for (const char* interface : {"CoSimulation", "ModelExchange", "ScheduledExecution"})
        check_capabilities(reader, root.child(interface));
    ModelDescription description = read_description(version, reader, root);
    const bool is_told = version == FmiVersion::fmi1; // by what it has, not by an element
    const bool has_interface = description.co_simulation || description.model_exchange || is_told;
    description.is_only_scheduled =
        !has_interface && version == FmiVersion::fmi3 && !root.child("ScheduledExecution").empty();
    if (description.is_only_scheduled)
        description.unit.kind = "FMI 3.0 scheduled execution";
    else if (!has_interface)
        reader.report(Rule::no_interface, root,
                      "the FMU has neither a <CoSimulation> nor a <ModelExchange> element",
                      "export it for co-simulation or model exchange");
    if (description.co_simulation) description.unit.interfaces.push_back(Interface::co_simulation);
    if (description.model_exchange)
        description.unit.interfaces.push_back(Interface::model_exchange);
    description.unit.source = archive.file().string();
    description.unit.platforms = archive.folders_in("binaries");
    return description;
}

} // namespace rubato::unit
