// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "control/step_driver.hpp"
#include "distribution/distributed_run.hpp"
#include "events/events.hpp"
#include "execution/executor.hpp"
#include "execution/finite_check.hpp"
#include "execution/inner_recording.hpp"
#include "execution/work.hpp"
#include "program/compiler.hpp"
#include "program/direct_calls.hpp"

#include <rubato/engine/simulation.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

namespace rubato::engine {

/// What a simulation consists of.
struct Simulation::Implementation {
    Implementation(scenario::System the_system, const algorithm::Algorithm& algorithm,
                   std::vector<std::unique_ptr<unit::Unit>> the_units,
                   const scenario::Experiment& experiment, Log& the_log,
                   SimulationOptions the_options)
        : system(std::move(the_system)), units(std::move(the_units)),
          options(std::move(the_options)), log(the_log), horizon(horizon_of(experiment)),
          compiled(
              compile(system, algorithm, units,
                      {options.threads, may_take_back(), options.loops, options.first_guesses})),
          executor(*compiled.plan, system, summary, log, options.threads,
                   Decisions(options.reductions)),
          events(has_events(system)
                     ? std::make_unique<Events>(system, units, *compiled.plan, executor,
                                                Grid(experiment).shortest(), summary)
                     : nullptr),
          driver({system, experiment, options, units, compiled, executor, events.get(), summary}),
          joint(DistributedRun::make(options, system, compiled, units, decides_by_values())) {
        if (joint) executor.exchange_by(&joint->transfers());
        compiled.plan->minimum_step = {
            experiment.minimum_step.value_or(driver.grid().shortest().seconds)};
        if (!options.record_bonds) return;
        for (Column& column : driver.trust_meter()->bond_columns())
            compiled.columns.push_back(std::move(column));
    }

    /// Units are not given a stop time that nobody knows.
    static unit::Horizon horizon_of(const scenario::Experiment& experiment) {
        unit::Horizon horizon{{experiment.start}, {}, experiment.tolerance};
        if (!experiment.open.stop) horizon.stop = Time{experiment.stop};
        return horizon;
    }

    /// What has been thrown becomes an Error, which ends the run in all processes.
    [[noreturn]] void fail() const {
        try {
            unit::rethrow_as_error();
        } catch (const StepRejected&) {
            throw; // in all processes: the run may start over
        } catch (...) {
            if (joint) joint->fail(std::current_exception(), driver.now());
            executor.decisions().fail(std::current_exception());
        }
    }
    [[noreturn]] void fail_recording(const Observation& observation) {
        try {
            fail();
        } catch (...) {
            end_recording(observation);
            throw;
        }
    }
    /// Does something with units.
    template <class Body>
    void call_units(Body&& body) const {
        try {
            body();
            unit::note_no_call();
        } catch (...) {
            fail();
        }
    }

    bool is_controlled() const {
        return options.step_control.controller != scenario::StepController::fixed;
    }
    bool decides_by_values() const {
        return events != nullptr || is_controlled() || options.order.has_value();
    }
    /// Whether steps are saved, to be taken back.
    bool may_take_back() const {
        const bool may_miss = is_controlled() || !system.limited_changes.empty();
        return (may_miss || system.ends_steps_at_events) && can_all_roll_back(units);
    }

    ~Implementation() {
        compiled.plan->slots->serve({}); // saved runs may live longer
        unit::free_units(units);
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    void enter_initialization() {
        for (const auto& each : units) {
            each->enter_initialization(horizon);
            executor.restore_mode(*each);
        }
    }

    void solve_initialization() {
        executor.initialize(horizon.start);
        if (events && events->handles_units()) events->initialize(horizon.start);
    }

    void exit_initialization() {
        for (const auto& each : units) {
            each->exit_initialization();
            executor.restore_mode(*each);
        }
        summary.reached = driver.now();
    }

    /// The first events have been handled.
    void start() {
        constexpr std::size_t samples_within = 1; // polynomials are of order 2 at most
        for (const InnerSampling& sampling : compiled.plan->inner_samplings)
            sampling.unit->sample(sampling.outputs, samples_within);
        driver.start();
        executor.observe();
        bind_direct_calls(*compiled.plan);
        has_started = true;
    }

    static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
    /// The next ones, if nothing is to be done between them but to count them.
    Flow make_whole_steps(std::uint64_t count, const std::atomic<bool>* stop = nullptr) {
        static const std::atomic<bool> unset = false;
        return driver.make_whole_steps(count, stop ? *stop : unset, done);
    }

    Flow step() {
        const Flow flow = driver.step(recording_times ? recording_times.next() : Time{HUGE_VAL});
        done.store(driver.now().seconds, std::memory_order_relaxed);
        return flow;
    }

    unit::StepResult advance() {
        ExternalInputs* const external = executor.external_inputs();
        while (!driver.is_at_end()) {
            if (make_whole_steps(no_limit) == Flow::stop || step() == Flow::stop)
                return {summary.reached, unit::StepEnd::terminated};
            if (external && external->is_sampling() && !driver.is_at_end()) {
                executor.move_inputs(driver.now());
                external->pass(driver.now());
            }
            if (driver.has_events() || (external && !driver.is_at_end() && external->ends_span()))
                return {driver.now(), unit::StepEnd::event};
        }
        const bool is_terminated = !summary.ended_by.empty(); // by an event before this span
        return {driver.now(), is_terminated ? unit::StepEnd::terminated : unit::StepEnd::completed};
    }

    void end_event() {
        driver.end_event();
        if (!has_started) start();
    }

    void propagate() {
        executor.propagate(driver.now());
        if (driver.has_changed_inputs()) (void)driver.handle_events();
    }

    void add_points(std::vector<Time>& points) const {
        if (driver.inner_point()) points.push_back(*driver.inner_point());
        if (driver.now() > points.back()) points.push_back(driver.now());
    }

    bool is_to_be_recorded(const Observation& observation) {
        if (recording_times) return recording_times.pass(driver.now());
        return summary.steps % observation.every == 0;
    }

    /// So many steps are made before one that may be recorded, at least.
    std::uint64_t unobserved_steps(const Observation& observation) const {
        if (inner || observation.points || observation.pacing) return 0;
        if (recording_times) {
            const double steps =
                (recording_times.next() - driver.now()).seconds / driver.grid().step().seconds;
            return steps > 2 ? static_cast<std::uint64_t>(std::min(steps, 1e18)) - 2 : 0;
        }
        if (!observation.recorder) return no_limit;
        return observation.every - 1 - summary.steps % observation.every;
    }

    void record(const Observation& observation) {
        if (!observation.recorder) return;
        executor.observe();
        if (!joint) check_finite(driver.now());
        joint ? joint->record_point(driver.now()) : observation.recorder->record(driver.now());
        if (inner) inner->keep();
    }
    void check_finite(Time now) {
        finite_check.look(now, options.stop_at_not_finite, summary, log);
    }
    void begin_recording(Observation& observation) {
        if (joint) joint->begin(observation, [this](Time time) { check_finite(time); });
        if (!observation.recorder) return;
        finite_check = FiniteCheck(joint ? joint->recorded() : compiled.columns);
        observation.recorder->begin(compiled.columns);
    }
    /// After a failure that all processes know of.
    void end_recording(const Observation& observation) {
        if (joint) return joint->end_failed();
        if (observation.recorder) observation.recorder->end();
    }
    bool is_to_stop(const Observation& observation) {
        if (joint) return joint->is_to_stop();
        return observation.stop && observation.stop->load(std::memory_order_relaxed);
    }

    /// For rows within the next step: what does not move there is as it is now.
    void keep_values() {
        executor.observe();
        inner->keep();
    }

    void look_into_steps(const Observation& observation) {
        if (observation.recorder)
            inner =
                InnerRecording::make(system, units, compiled,
                                     {observation.intermediate, observation.events_within_steps});
    }

    /// Records the end of a step and handles its events, each with a row of its own.
    Flow conclude_step(const Observation& observation) {
        const bool event = driver.has_events();
        if (is_to_be_recorded(observation) || event || driver.is_at_end())
            record(observation);
        else if (inner)
            keep_values();
        if (observation.points) add_points(*observation.points);
        const Flow flow = event ? driver.handle_events() : Flow::proceed;
        if (event) record(observation);
        end_point();
        return flow;
    }
    /// Nothing more happens at this time.
    void end_point() {
        if (ExternalInputs* const external = executor.external_inputs()) {
            if (joint)
                joint->read_silently([&] { external->end_point(driver.now()); });
            else
                external->end_point(driver.now());
        }
        executor.announce(RunCommand::end_iteration, driver.now());
    }

    RunEnd run_to_end(const Observation& observation) {
        while (!driver.is_at_end()) {
            Flow went = make_whole_steps(unobserved_steps(observation), observation.stop);
            const Time before = went == Flow::proceed ? driver.now() : executor.began();
            if (went == Flow::proceed) {
                if (is_to_stop(observation)) return RunEnd::interrupted;
                went = step();
            }
            if (inner && driver.now() > before) inner->record(*observation.recorder);
            if (went == Flow::stop) {
                if (driver.now() > before) record(observation); // a unit on its own has got so far
                return RunEnd::terminated;
            }
            if (conclude_step(observation) == Flow::stop) return RunEnd::terminated;
            if (observation.pacing) observation.pacing->reached(driver.now());
        }
        return RunEnd::completed;
    }

    /// All that changes in the course of a run, but for the units. What is recorded within steps is
    /// left to `run`.
    void visit_state(StateArchive& archive) {
        archive(recording_times, finite_check, summary, *compiled.plan, executor, driver);
        if (events) archive(*events);
    }

    /// Direct calls pass by the units, which do not know then where they stand.
    void let_units_be_saved() {
        if (std::exchange(is_saved, true)) return;
        for (const auto& each : units) {
            if (each->snapshots()) continue;
            is_saved = false;
            throw Error(
                format("unit \"{}\" cannot save its state, so the run cannot be saved",
                       each->name()),
                "an FMU says by canGetAndSetFMUstate (3.0: canGetAndSetFMUState) that it can");
        }
        unbind_direct_calls(*compiled.plan);
        std::vector<unit::Snapshots*> all;
        for (const auto& each : units) {
            each->stand_at(driver.now());
            all.push_back(each->snapshots());
        }
        compiled.plan->slots->serve(std::move(all));
    }

    void conclude_summary() {
        driver.conclude();
        if (joint) joint->share_work(summary);
        tell_work(summary, *compiled.plan, units);
    }

    scenario::System system;
    std::vector<std::unique_ptr<unit::Unit>> units;
    SimulationOptions options;
    Log& log;
    unit::Horizon horizon;
    Compiled compiled;
    Summary summary;
    Executor executor;
    std::unique_ptr<Events> events; ///< null: nothing happens between steps
    StepDriver driver;
    std::unique_ptr<DistributedRun> joint; ///< null: there are no other processes
    RecordingTimes recording_times;
    FiniteCheck finite_check;              ///< of what is recorded
    std::unique_ptr<InnerRecording> inner; ///< null: nothing is recorded within steps
    bool has_started = false;              ///< steps may be made
    bool is_saved = false;                 ///< units are called so that their states can be saved
    std::atomic<double> done = -HUGE_VAL;
};

} // namespace rubato::engine
