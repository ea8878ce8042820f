// SPDX-License-Identifier: Apache-2.0
#include "run_assembly.hpp"

#include "crash_guard.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "interrupt_monitor.hpp"
#include "profile_text.hpp"
#include "progress_bar.hpp"
#include "reference_text.hpp"
#include "run_summary.hpp"
#include "terminal.hpp"
#include "trust_text.hpp"

#include <rubato/pipeline/real_time.hpp>
#include <rubato/pipeline/reference_run.hpp>
#include <rubato/pipeline/run.hpp>
#include <rubato/pipeline/stability.hpp>
#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/result_formats.hpp>
#include <rubato/report/text_table.hpp>

#include <utility>

namespace rubato::cli {
namespace {

/// Shows progress, handles interrupts, and reports the kept results of a failed run.
class ConsoleHooks final : public pipeline::RunHooks {
public:
    /// `real_time` paces the run, `foreign` exchanges values with federates of other tools; null:
    /// nothing does.
    ConsoleHooks(bool quiet, pipeline::RealTime* real_time, distributed::ForeignExchange* foreign)
        : quiet_(quiet), real_time_(real_time), foreign_(foreign) {}

    engine::Summary execute(engine::Simulation& simulation, const engine::Observation& wanted,
                            report::RunRecorder* recorder) override {
        const Interrupt interrupt;
        engine::Observation observation = wanted;
        observation.stop = &interrupt.requested();
        if (real_time_) real_time_->stop_at(observation.stop);
        const SavedAtCrash saved(recorder);
        const InterruptMonitor monitor(interrupt);
        std::optional<ProgressBar> progress;
        if (foreign_) foreign_->attach(simulation, observation.stop);
        if (!quiet_) progress.emplace([&] { return simulation.progress(); }, calls_under_way_text);
        const EndOfCopies copies; // ends them before they wait for threads, which they do not have
        return simulation.run(observation);
    }

    void kept_results(Time until, const std::filesystem::path& file) override {
        print(stderr, format("the results up to t = {} s are in {}\n",
                             report::human_number(until.seconds), file.string()));
    }

private:
    bool quiet_;
    pipeline::RealTime* real_time_;
    distributed::ForeignExchange* foreign_;
};

void show(const pipeline::RunOutcome& run, unit::Library& library, const RunOutput& output,
          const pipeline::RealTime* real_time, std::FILE* stream) {
    const Style style(stream);
    const engine::Trust trust = pipeline::trust_of(run.simulation);
    if (!output.quiet)
        print(stream, summarize(run.assembly, run.summary, trust,
                                pipeline::find_growth_cause(run.assembly, trust, library),
                                {run.wall_seconds, real_time}, run.recorder.get(), style));
    if (output.trust) print(stream, trust_text(trust, run.summary, run.assembly.scenario, style));
}

void show_reference(const pipeline::RunOutcome& run, unit::Library& library, ConsoleHooks& hooks,
                    const pipeline::RunSettings& settings, Log& log, std::FILE* stream) {
    const pipeline::Reference reference = pipeline::compare_with_shorter_steps(
        run.assembly, library, log, *run.series, run.points, hooks, settings);
    if (!settings.is_first()) return;
    print(stream, reference_text(reference, run.assembly, pipeline::trust_of(run.simulation),
                                 Style(stream)));
}

pipeline::RunSettings settings_of(const RunOutput& output) {
    using pipeline::Overwrite;
    return {.results = output.results,
            .descriptor = {},
            .plain_unit = output.plain_unit,
            .overwrite = output.force ? Overwrite::anything : Overwrite::earlier_results,
            .estimate_errors = !output.quiet || output.trust,
            .stop_at_not_finite = output.strict,
            .keep_series = output.reference,
            .recorder = nullptr,
            .profile = nullptr,
            .pacing = nullptr,
            .processes = output.processes,
            .placement = output.placement};
}

} // namespace

std::string results_option_text() {
    return format("results file, in the format of its extension ({}); - writes CSV to standard "
                  "output; may be given several times",
                  report::result_extensions());
}

int run_assembly(const pipeline::Assembly& assembly, unit::Library& library,
                 const RunOutput& output, Log& log) {
    pipeline::RunSettings settings = settings_of(output);
    std::FILE* stream = output.summary;
    switch (std::erase_if(settings.results, pipeline::is_standard_output)) {
    case 0: break;
    case 1: // Only the results go to standard output.
        settings.descriptor = ::fileno(std::exchange(stream, stderr));
        break;
    default: throw InputError("results would be written to standard output twice");
    }
    std::optional<pipeline::RealTime> real_time;
    if (output.real_time) real_time.emplace(*output.real_time);
    pipeline::Profile profile;
    if (output.profile) settings.profile = &profile;
    settings.pacing = real_time ? &*real_time : nullptr;
    ConsoleHooks hooks(output.quiet || !output.is_first(), real_time ? &*real_time : nullptr,
                       output.foreign);
    const pipeline::RunOutcome outcome = pipeline::run(assembly, library, settings, hooks, log);
    if (output.is_first()) {
        show(outcome, library, output, real_time ? &*real_time : nullptr, stream);
        if (output.profile)
            print(stream, profile_text(profile, outcome.wall_seconds, Style(stream)));
    }
    if (output.reference && outcome.summary.end == engine::RunEnd::completed)
        show_reference(outcome, library, hooks, settings, log, stream);
    return outcome.summary.end == engine::RunEnd::interrupted ? exit_code::interrupted
                                                              : exit_code::success;
}

} // namespace rubato::cli
