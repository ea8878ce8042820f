// SPDX-License-Identifier: Apache-2.0
#include "systems/relocate.hpp"
#include "tune/candidates.hpp"

namespace rubato::pipeline {

scenario::Scenario tuned_scenario(const scenario::Scenario& scenario, unit::Library& library,
                                  const TuneCandidate& best, const std::filesystem::path& folder) {
    Diagnostics diagnostics;
    const Assembly assembly = assemble(scenario, library, diagnostics);
    diagnostics.throw_if_errors();
    return relocated(with_candidate(scenario, best, tuned_system(assembly).inputs), folder);
}

} // namespace rubato::pipeline
