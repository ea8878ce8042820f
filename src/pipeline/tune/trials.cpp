// SPDX-License-Identifier: Apache-2.0
#include "tune/trials.hpp"

#include "workers/message.hpp"
#include "workers/worker.hpp"

#include <rubato/files/temporary_folder.hpp>
#include <rubato/pipeline/run.hpp>
#include <rubato/pipeline/stability.hpp>
#include <rubato/private/forked_copy.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <set>
#include <utility>

namespace rubato::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

double processor_seconds() {
    std::timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Measures the run alone, without what it takes to build it.
class TimedHooks final : public RunHooks {
public:
    engine::Summary execute(engine::Simulation& simulation, const engine::Observation& observation,
                            report::RunRecorder* recorder) override {
        const double before = processor_seconds();
        engine::Summary summary = RunHooks::execute(simulation, observation, recorder);
        seconds_ = processor_seconds() - before;
        return summary;
    }
    double seconds() const { return seconds_; }

private:
    double seconds_ = 0;
};

double connected_pairs(const scenario::System& system) {
    std::set<std::pair<UnitId, UnitId>> pairs;
    for (const scenario::Link& link : system.links)
        pairs.emplace(system.port(link.from).unit, system.port(link.to).unit);
    return static_cast<double>(pairs.size());
}

int sub_steps_of(const scenario::Scenario& scenario) {
    int most = 1;
    for (const scenario::Unit& unit : scenario.units)
        most = std::max(most, unit.sub_steps.value_or(1));
    return most;
}

/// Before each of its steps, repeated ones included, a unit gets what the others have.
Costs costs_of(const RunOutcome& outcome, double seconds) {
    const scenario::System& system = outcome.assembly.orchestration.system;
    const double steps = static_cast<double>(outcome.summary.unit_steps);
    const double units = static_cast<double>(std::max<std::size_t>(1, system.units.size()));
    return {.seconds = seconds,
            .messages = std::round(steps / units * connected_pairs(system)),
            .unit_steps = steps * sub_steps_of(outcome.assembly.scenario)};
}

Message completed(const RunOutcome& outcome, double seconds) {
    Message message;
    message.add(1.0);
    const Costs costs = costs_of(outcome, seconds);
    message.add(costs.seconds);
    message.add(costs.messages);
    message.add(costs.unit_steps);
    const engine::Series& series = *outcome.series;
    std::vector<double> times(series.times().begin(), series.times().end()), values;
    values.reserve(times.size() * series.columns().size());
    for (std::size_t row = 0; row < times.size(); ++row)
        for (std::size_t column = 0; column < series.columns().size(); ++column)
            values.push_back(series.value(row, column));
    message.add(static_cast<double>(series.columns().size()));
    for (const engine::Column& column : series.columns()) message.add(column.name);
    message.add(times);
    message.add(values);
    return message;
}

/// Where a run is long, an unstable one is found out beforehand, at a fraction of its cost: the
/// smallest disturbance would grow beyond everything.
void refuse_unstable(const Assembly& assembly, unit::Library& library) {
    constexpr double many_steps = 2000, part = 0.2, unsure = 1e-3, beyond = 1e12;
    const scenario::Experiment& experiment = assembly.scenario.experiment;
    const double steps = (experiment.stop - experiment.start) / experiment.step;
    const bool is_fixed =
        assembly.scenario.step_control.controller == scenario::StepController::fixed;
    if (!is_fixed || steps < many_steps || !units_without_rollback(assembly).empty()) return;
    StabilitySettings settings;
    settings.linearization.accuracy = 1e-6;
    settings.linearization.most_steps = static_cast<std::uint64_t>(part * steps);
    stability::Linearization map;
    try {
        map = linearize(assembly, library, silent_log(), settings);
    } catch (const Error&) {
        return; // the run itself will show
    }
    const bool is_sure = map.nonlinearity < unsure && map.residual < unsure &&
                         map.uncertainty < unsure * (map.spectral_radius - 1);
    if (is_sure && steps * std::log(map.spectral_radius) > std::log(beyond))
        throw Error(format("unstable: spectral radius {:.6g} of a step", map.spectral_radius));
}

Message perform(const Trial& trial, unit::Library& library) {
    try {
        Diagnostics diagnostics;
        Assembly assembly = assemble(trial.scenario, library, diagnostics);
        diagnostics.throw_if_errors();
        refuse_unstable(assembly, library);
        TimedHooks hooks;
        const RunOutcome outcome =
            run(std::move(assembly), library, {.estimate_errors = false, .keep_series = true},
                hooks, silent_log());
        return completed(outcome, hooks.seconds());
    } catch (const std::exception& error) {
        Message message;
        message.add(0.0);
        message.add(std::string(error.what()));
        return message;
    }
}

/// Never returns. What units print goes nowhere; FMUs are unpacked in the folder, which the parent
/// removes.
[[noreturn]] void be_trial(const Trial& trial, unit::Library& library, int descriptor,
                           const std::filesystem::path& folder) {
    become_worker(folder);
    write_all(descriptor, perform(trial, library).bytes());
    ::close(descriptor);
    ::_exit(0);
}

/// A trial under way.
struct Child {
    std::size_t index = 0;
    std::filesystem::path folder;
    pid_t process = 0;
    int descriptor = -1;
    Clock::time_point started, deadline;
    std::string received = {};
    bool has_ended = false, is_late = false;
};

Child begin(std::size_t index, const Trial& trial, unit::Library& library,
            const std::filesystem::path& scratch) {
    const std::filesystem::path folder = scratch / std::to_string(index);
    std::filesystem::create_directories(folder);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw Error(format("cannot start a trial run: {}", std::strerror(errno)));
    const auto now = Clock::now();
    const pid_t process = ForkedCopy::fork_on_purpose();
    if (process == 0) {
        ::close(ends[0]);
        be_trial(trial, library, ends[1], folder);
    }
    ::close(ends[1]);
    if (process < 0) {
        ::close(ends[0]);
        throw Error(format("cannot start a trial run: {}", std::strerror(errno)));
    }
    ::setpgid(process, process);
    const auto limit = std::chrono::duration<double>(std::max(1e-4, trial.limit));
    return {.index = index,
            .folder = folder,
            .process = process,
            .descriptor = ends[0],
            .started = now,
            .deadline = now + std::chrono::duration_cast<Clock::duration>(limit)};
}

void receive(Child& child) {
    char buffer[1 << 16];
    const ssize_t count = ::read(child.descriptor, buffer, sizeof buffer);
    if (count > 0)
        child.received.append(buffer, static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
        child.has_ended = true;
}

bool parse(Message message, TrialResult& result) {
    double is_complete = 0, count = 0;
    if (!message.take(is_complete)) return false;
    if (is_complete == 0) {
        result.fate = TrialResult::Fate::failed;
        return message.take(result.message);
    }
    Costs& costs = result.costs;
    if (!message.take(costs.seconds) || !message.take(costs.messages) ||
        !message.take(costs.unit_steps) || !message.take(count))
        return false;
    Trace trace;
    for (double i = 0; i < count; ++i)
        if (!message.take(trace.names.emplace_back())) return false;
    if (!message.take(trace.times) || !message.take(trace.values)) return false;
    if (trace.values.size() != trace.times.size() * trace.names.size()) return false;
    result.trace = std::move(trace);
    result.fate = TrialResult::Fate::completed;
    return true;
}

TrialResult conclude(Child& child) {
    ::kill(-child.process, SIGKILL); // processes that it has started, too
    ::close(child.descriptor);
    int status = 0;
    while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    std::error_code ignored;
    std::filesystem::remove_all(child.folder, ignored);
    TrialResult result;
    result.wall = std::chrono::duration<double>(Clock::now() - child.started).count();
    if (child.is_late) {
        result.fate = TrialResult::Fate::timed_out;
        result.message = format("not done after {}", report::human_duration(result.wall));
    } else if (!parse(Message(std::move(child.received)), result)) {
        result.fate = TrialResult::Fate::crashed;
        result.message = WIFSIGNALED(status) ? format("ended by signal {}", WTERMSIG(status))
                                             : std::string("a unit ended the process");
    }
    return result;
}

/// Until one of them has ended or is late.
void wait_for_one(std::vector<Child>& children, const std::atomic<bool>* stop) {
    constexpr auto longest = std::chrono::milliseconds(50);
    for (;;) {
        std::vector<pollfd> descriptors;
        for (const Child& child : children) descriptors.push_back({child.descriptor, POLLIN, 0});
        ::poll(descriptors.data(), descriptors.size(), static_cast<int>(longest.count()));
        const bool is_stopped = stop != nullptr && stop->load();
        bool is_any = false;
        for (std::size_t i = 0; i < children.size(); ++i) {
            if (descriptors[i].revents != 0) receive(children[i]);
            if (!children[i].has_ended && (is_stopped || Clock::now() >= children[i].deadline))
                children[i].has_ended = children[i].is_late = true;
            is_any = is_any || children[i].has_ended;
        }
        if (is_any) return;
    }
}

} // namespace

std::vector<TrialResult> run_trials(std::span<const Trial> trials, unit::Library& library,
                                    unsigned parallel, const std::atomic<bool>* stop) {
    std::vector<TrialResult> results(trials.size());
    const files::TemporaryFolder scratch;
    std::vector<Child> children;
    std::size_t next = 0;
    const auto is_stopped = [&] { return stop != nullptr && stop->load(); };
    while (next < trials.size() || !children.empty()) {
        while (next < trials.size() && children.size() < parallel && !is_stopped()) {
            children.push_back(begin(next, trials[next], library, scratch.path()));
            ++next;
        }
        if (children.empty()) break; // stopped
        wait_for_one(children, stop);
        for (Child& child : children)
            if (child.has_ended) results[child.index] = conclude(child);
        std::erase_if(children, [](const Child& child) { return child.has_ended; });
    }
    for (; next < trials.size(); ++next) {
        results[next].fate = TrialResult::Fate::timed_out;
        results[next].message = "not run: the search was stopped";
    }
    return results;
}

} // namespace rubato::pipeline
