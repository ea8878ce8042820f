// SPDX-License-Identifier: Apache-2.0
#include "model_description.hpp"

#include "fmi2/description.hpp"
#include "fmi3/description.hpp"
#include "xml.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

namespace rubato::unit {

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
                         "export the FMU as FMI 2.0 or 3.0 for co-simulation");
    }
    throw InputError(format("{}: FMI version \"{}\" is not supported", at, version),
                     "supported are 2.0 and 3.0");
}

} // namespace

ModelDescription read_model_description(const Archive& archive) {
    const XmlDocument document((archive.file() / file_name).string(), archive.read(file_name));
    const FmiVersion version = read_version(document);
    Diagnostics diagnostics;
    const XmlReader reader(document, diagnostics);
    ModelDescription description = version == FmiVersion::fmi2
                                       ? read_fmi2_description(reader, document.root())
                                       : read_fmi3_description(reader, document.root());
    diagnostics.throw_if_errors();
    description.unit.source = archive.file().string();
    description.unit.platforms = archive.folders_in("binaries");
    return description;
}

} // namespace rubato::unit
