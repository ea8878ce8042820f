// SPDX-License-Identifier: Apache-2.0

/// What a sweep costs in addition to its steps: rubato_bench_sweep SCENARIO PATH=VALUES
/// Compares the processor time of a sweep, with all its processes, with that of the steps alone.

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/temporary_folder.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/sweep_results.hpp>
#include <rubato/private/format.hpp>

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <exception>

namespace {

using namespace rubato; // NOLINT(google-build-using-namespace)

/// Of this process and of those that it has waited for [s].
double processor_seconds() {
    double seconds = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        ::getrusage(who, &usage);
        for (const timeval& time : {usage.ru_utime, usage.ru_stime})
            seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
    return seconds;
}

struct Cost {
    double processor = 0, wall = 0; ///< [s]
};

template <class Work>
Cost cost_of(Work&& work) {
    const double before = processor_seconds();
    const auto begun = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
    return {processor_seconds() - before, wall.count()};
}

/// The steps of so many runs: one simulation, restored to its initial state each time.
void step_only(const pipeline::Assembly& assembly, unit::Library& library, std::size_t runs) {
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
    simulation.initialize();
    const engine::SavedRun initial = simulation.save();
    for (std::size_t run = 0; run < runs; ++run) {
        simulation.restore(initial);
        while (!simulation.has_ended()) simulation.step();
    }
}

void sweep(pipeline::Sweep& all, unsigned parallel) {
    const files::TemporaryFolder scratch;
    pipeline::SweepResults results(scratch.path() / "sweep", all, pipeline::ExistingFolder::refuse);
    all.run(results.missing(),
            {.parallel = parallel,
             .on_result = [&](pipeline::CaseResult&& result) { results.add(std::move(result)); }});
    results.conclude();
    if (results.failed() > 0) throw Error("runs have failed");
}

void measure(const char* file, const char* variation) {
    Diagnostics diagnostics;
    unit::Library library(silent_log());
    pipeline::add_native_models(library);
    const scenario::Scenario scenario = pipeline::read(file, diagnostics);
    diagnostics.throw_if_errors();
    const pipeline::SweepPlan plan({pipeline::parse_variation(variation)}, std::nullopt, 1);
    pipeline::Sweep all(scenario, library, plan, {});
    for (const unsigned parallel : {1U, 2U}) {
        const Cost cost = cost_of([&] { sweep(all, parallel); });
        std::printf("sweep of %zu runs, %u at a time: %.3f s of processors, %.3f s\n", plan.size(),
                    parallel, cost.processor, cost.wall);
    }
    // Last, so that workers are forked from a process that has loaded no FMU.
    const pipeline::Assembly assembly = pipeline::assemble(scenario, library, diagnostics);
    diagnostics.throw_if_errors();
    const Cost steps = cost_of([&] { step_only(assembly, library, plan.size()); });
    std::printf("steps alone: %.3f s of processors, %.3f s\n", steps.processor, steps.wall);
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::fputs("usage: rubato_bench_sweep SCENARIO PATH=VALUES\n", stderr);
        return 2;
    }
    try {
        measure(arguments[1], arguments[2]);
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s\n", fault.what());
        return 1;
    }
    return 0;
}
