// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace rubato::cli {

struct CorpusOptions {
    std::filesystem::path folder;
    double time_limit = 60; ///< for each FMU [s]
    unsigned threads = 1;   ///< number of FMUs that run at the same time
};

/// Runs every FMU of a folder in a separate process, compares it with its reference and prints a
/// line for each. Returns the exit code: success only if all pass.
int simulate_corpus(const CorpusOptions& options);

} // namespace rubato::cli
