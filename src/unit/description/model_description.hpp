// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi1/negated_aliases.hpp"
#include "fmi_version.hpp"
#include "fmu_archive.hpp"
#include "me/model_exchange.hpp"

#include <rubato/scenario/description.hpp>

#include <optional>
#include <string>

namespace rubato::unit {

/// What an FMU declares about one of its interfaces.
struct InterfaceDescription {
    std::string model_identifier; ///< names its library
    scenario::Capabilities capabilities;
};

/// What an FMU's modelDescription.xml declares. It offers one of the interfaces at least, unless it
/// is refused or offers scheduled execution only.
struct ModelDescription {
    FmiVersion version = FmiVersion::fmi2;
    std::optional<InterfaceDescription> co_simulation, model_exchange;
    bool is_only_scheduled = false; ///< FMI 3.0: scheduled execution is all that it offers
    scenario::UnitDescription unit; ///< but for what depends on the interface
    ContinuousStructure continuous;
    NegatedAliases negated; ///< FMI 1.0

    const std::optional<InterfaceDescription>& find(scenario::Interface interface) const {
        return interface == scenario::Interface::co_simulation ? co_simulation : model_exchange;
    }
};

/// What a unit is that runs one of the interfaces, which the FMU offers.
scenario::UnitDescription describe_unit(const ModelDescription& description,
                                        scenario::Interface interface);

/// Reads the description straight from the archive, which is not unpacked. Rules of the standard
/// that are broken go to the findings; after one that is refused the description is of no use.
/// Throws a Refusal where reading cannot go on.
ModelDescription read_model_description(const FmuArchive& archive, Findings& findings);

} // namespace rubato::unit
