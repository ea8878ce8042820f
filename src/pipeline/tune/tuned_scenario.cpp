// SPDX-License-Identifier: Apache-2.0
#include "moved_files.hpp"
#include "tune/candidates.hpp"

namespace rubato::pipeline {

scenario::Scenario tuned_scenario(const scenario::Scenario& scenario, unit::Library& library,
                                  const TuneCandidate& best, const std::filesystem::path& folder) {
    Diagnostics diagnostics;
    const Assembly assembly = assemble(scenario, library, diagnostics);
    diagnostics.throw_if_errors();
    scenario::Scenario tuned = with_candidate(scenario, best, tuned_system(assembly).inputs);
    if (tuned.file.string() != "-") move_files(tuned, tuned.file.parent_path(), folder);
    return tuned;
}

} // namespace rubato::pipeline
