// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "terminal.hpp"

#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/real_time.hpp>
#include <rubato/pipeline/verdict.hpp>
#include <rubato/report/run_recorder.hpp>

#include <string>

namespace rubato::cli {

/// How long a run took.
struct WallTime {
    double seconds = 0;
    const pipeline::RealTime* real_time = nullptr; ///< that paced it; null: nothing did
};

/// Summary of a run for people: units, algorithm, end, accuracy, run time, results file.
/// `recorder` may be null.
std::string summarize(const pipeline::Assembly& assembly, const engine::Summary& summary,
                      const engine::Trust& trust, const std::optional<pipeline::GrowthCause>& cause,
                      const WallTime& wall, const report::RunRecorder* recorder,
                      const Style& style);

/// "gauss-seidel in the order msd1, msd2".
std::string algorithm_name(const pipeline::Assembly& assembly);

/// "msd1, msd2, …": the first dozen.
std::string unit_names(const scenario::System& system);

} // namespace rubato::cli
