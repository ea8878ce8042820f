// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "findings.hpp"

#include <rubato/files/archive.hpp>

namespace rubato::unit {

/// An FMU, packed or not. What is wrong with it as an archive is a Refusal by the rule for it.
class FmuArchive : public files::Archive {
public:
    FmuArchive(const std::filesystem::path& file, const files::ArchiveLimits& limits);

    std::string read(std::string_view entry) const;
    void unpack(const std::filesystem::path& folder) const;
};

} // namespace rubato::unit
