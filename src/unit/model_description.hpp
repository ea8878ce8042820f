// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "archive.hpp"
#include "me/model_exchange.hpp"

#include <rubato/scenario/description.hpp>

#include <optional>
#include <string>

namespace rubato::unit {

enum class FmiVersion { fmi2, fmi3 };

/// What an FMU tells of one of its interfaces.
struct InterfaceDescription {
    std::string model_identifier; ///< names its library
    scenario::Capabilities capabilities;
};

/// What an FMU's modelDescription.xml tells. It offers one of the interfaces at least.
struct ModelDescription {
    FmiVersion version = FmiVersion::fmi2;
    std::optional<InterfaceDescription> co_simulation, model_exchange;
    scenario::UnitDescription unit; ///< but for what depends on the interface
    ContinuousStructure continuous;

    const std::optional<InterfaceDescription>& find(scenario::Interface interface) const {
        return interface == scenario::Interface::co_simulation ? co_simulation : model_exchange;
    }
};

/// What a unit is that runs one of the interfaces, which the FMU offers.
scenario::UnitDescription describe_unit(const ModelDescription& description,
                                        scenario::Interface interface);

/// Reads the description straight from the archive, which is not unpacked. Throws an InputError
/// with everything that is wrong.
ModelDescription read_model_description(const Archive& archive);

} // namespace rubato::unit
