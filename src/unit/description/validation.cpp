// SPDX-License-Identifier: Apache-2.0
#include "model_description.hpp"

#include <rubato/unit/validation.hpp>

#include <algorithm>

namespace rubato::unit {

std::vector<Finding> validate(const std::filesystem::path& fmu,
                              const files::ArchiveLimits& limits) {
    Findings findings;
    try {
        read_model_description(FmuArchive(fmu, limits), findings);
    } catch (const Refusal& refusal) {
        findings.add(refusal.finding());
    }
    std::vector<Finding> all = findings.all();
    std::ranges::stable_sort(all, {}, [](const Finding& finding) { return finding.where.line; });
    return all;
}

} // namespace rubato::unit
