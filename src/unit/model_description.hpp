// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "archive.hpp"

#include <rubato/scenario/description.hpp>

#include <string>

namespace rubato::unit {

enum class FmiVersion { fmi2, fmi3 };

/// What an FMU's modelDescription.xml tells.
struct ModelDescription {
    FmiVersion version = FmiVersion::fmi2;
    std::string model_identifier; ///< names its library
    scenario::UnitDescription unit;
};

/// Reads the description straight from the archive, which is not unpacked. Throws an InputError
/// with everything that is wrong.
ModelDescription read_model_description(const Archive& archive);

} // namespace rubato::unit
