// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/archive_limits.hpp>
#include <rubato/unit/rules.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace rubato::unit {

/// A rule of the standard that an FMU breaks.
struct Finding {
    Rule rule;
    Location where;
    std::string message; ///< names the object and the value
    std::string hint;    ///< what to do; may be empty
};

/// Everything by which an FMU breaks the standard, by line. Reads the archive and the model
/// description; loads no binary. What cannot be read at all is a finding too: this throws nothing
/// but InputError for a file that is not there.
std::vector<Finding> validate(const std::filesystem::path& fmu,
                              const files::ArchiveLimits& limits = {});

} // namespace rubato::unit
