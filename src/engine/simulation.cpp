// SPDX-License-Identifier: Apache-2.0
#include "control/step_driver.hpp"
#include "events/events.hpp"
#include "execution/executor.hpp"
#include "execution/finite_check.hpp"
#include "execution/inner_recording.hpp"
#include "execution/work.hpp"
#include "program/compiler.hpp"
#include "program/direct_calls.hpp"

#include <rubato/engine/simulation.hpp>
#include <rubato/private/format.hpp>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace rubato::engine {

struct Simulation::Implementation {
    Implementation(scenario::System the_system, const algorithm::Algorithm& algorithm,
                   std::vector<std::unique_ptr<unit::Unit>> the_units,
                   const scenario::Experiment& experiment, Log& the_log,
                   SimulationOptions the_options)
        : system(std::move(the_system)), units(std::move(the_units)),
          options(std::move(the_options)),
          log(the_log), horizon{{experiment.start}, Time{experiment.stop}, experiment.tolerance},
          compiled(
              compile(system, algorithm, units,
                      {options.threads, may_take_back(), options.loops, options.first_guesses})),
          executor(*compiled.plan, system, summary, log, options.threads,
                   Decisions(options.reductions)),
          events(has_events(system)
                     ? std::make_unique<Events>(system, units, *compiled.plan, executor,
                                                Grid(experiment).shortest(), summary)
                     : nullptr),
          driver({system, experiment, options, units, compiled, executor, events.get(), summary}) {
        compiled.plan->minimum_step = {
            experiment.minimum_step.value_or(driver.grid().shortest().seconds)};
        if (!options.record_bonds) return;
        for (Column& column : driver.trust_meter()->bond_columns())
            compiled.columns.push_back(std::move(column));
    }

    /// What has been thrown becomes an Error, which ends the run in all processes.
    [[noreturn]] void fail() const {
        try {
            unit::rethrow_as_error();
        } catch (...) {
            executor.decisions().fail(std::current_exception());
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

    void end_initialization() {
        for (const auto& each : units) {
            each->exit_initialization();
            executor.restore_mode(*each);
        }
        summary.reached = driver.now();
        driver.handle_first_events();
        constexpr std::size_t samples_within = 1; // polynomials are of order 2 at most
        for (const InnerSampling& sampling : compiled.plan->inner_samplings)
            sampling.unit->sample(sampling.outputs, samples_within);
        driver.start();
        executor.observe();
        bind_direct_calls(*compiled.plan);
    }

    Flow step() {
        const Flow flow = driver.step(recording_times ? recording_times.next() : Time{HUGE_VAL});
        done.store(driver.now().seconds, std::memory_order_relaxed);
        return flow;
    }

    unit::StepResult advance(Time from, Duration by) {
        driver.begin_span(from, by);
        ExternalInputs* const external = executor.external_inputs();
        while (!driver.is_at_end()) {
            if (step() == Flow::stop) return {summary.reached, unit::StepEnd::terminated};
            if (driver.has_events() && driver.handle_events() == Flow::stop)
                return {driver.now(), unit::StepEnd::terminated};
            // What is that near to the start comes of rounding: a step must get somewhere.
            const bool is_start = driver.now() - from <= driver.grid().shortest();
            if (external && external->concern_others() && !is_start && !driver.is_at_end())
                return {driver.now(), unit::StepEnd::event};
        }
        const bool is_terminated = !summary.ended_by.empty(); // by an event before this span
        return {driver.now(), is_terminated ? unit::StepEnd::terminated : unit::StepEnd::completed};
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

    void record(const Observation& observation) {
        if (!observation.recorder) return;
        executor.observe();
        finite_check.look(driver.now(), options.stop_at_not_finite, summary, log);
        observation.recorder->record(driver.now());
        if (inner) inner->keep();
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

    RunEnd run_to_end(const Observation& observation) {
        while (!driver.is_at_end()) {
            if (observation.stop && observation.stop->load(std::memory_order_relaxed)) {
                return RunEnd::interrupted;
            }
            const Time before = driver.now();
            const Flow went = step();
            if (inner && driver.now() > before) inner->record(*observation.recorder);
            if (went == Flow::stop) {
                if (driver.now() > before) record(observation); // a unit on its own has got so far
                return RunEnd::terminated;
            }
            const bool event = driver.has_events();
            if (is_to_be_recorded(observation) || event || driver.is_at_end())
                record(observation);
            else if (inner)
                keep_values();
            if (observation.points) add_points(*observation.points);
            if (!event) continue;
            const Flow flow = driver.handle_events();
            record(observation);
            if (flow == Flow::stop) return RunEnd::terminated;
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
    RecordingTimes recording_times;
    FiniteCheck finite_check;              ///< of what is recorded
    std::unique_ptr<InnerRecording> inner; ///< null: nothing is recorded within steps
    bool is_saved = false;                 ///< units are called so that their states can be saved
    std::atomic<double> done = -HUGE_VAL;
};

Simulation::Simulation(scenario::System system, const algorithm::Algorithm& algorithm,
                       std::vector<std::unique_ptr<unit::Unit>> units,
                       const scenario::Experiment& experiment, Log& log, SimulationOptions options)
    : implementation_(std::make_unique<Implementation>(
          std::move(system), algorithm, std::move(units), experiment, log, std::move(options))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::initialize() {
    begin_initialization();
    end_initialization();
}

void Simulation::begin_initialization() {
    enter_initialization();
    solve_initialization();
}

void Simulation::take_inputs_from(ExternalInputs& inputs) {
    implementation_->executor.take_inputs_from(&inputs);
}

void Simulation::enter_initialization() {
    implementation_->call_units([&] { implementation_->enter_initialization(); });
}

void Simulation::solve_initialization() {
    implementation_->call_units([&] { implementation_->solve_initialization(); });
}

void Simulation::propagate() {
    implementation_->call_units([&] { implementation_->propagate(); });
}

unit::StepResult Simulation::advance(Time from, Duration by) {
    unit::StepResult result;
    implementation_->call_units([&] { result = implementation_->advance(from, by); });
    return result;
}

std::span<const Column> Simulation::observe() {
    implementation_->call_units([&] { implementation_->executor.observe(); });
    return implementation_->compiled.columns;
}

void Simulation::terminate() {
    implementation_->call_units([&] {
        for (const auto& each : implementation_->units) each->terminate();
    });
}

void Simulation::end_initialization() {
    implementation_->call_units([&] { implementation_->end_initialization(); });
}

void Simulation::step() {
    if (implementation_->driver.is_at_end())
        throw std::logic_error("Simulation::step: the stop time is reached");
    Implementation& self = *implementation_;
    self.call_units([&] {
        if (self.step() == Flow::proceed && self.driver.has_events())
            (void)self.driver.handle_events();
    });
}

Summary Simulation::run(const Observation& observation) {
    Implementation& self = *implementation_;
    initialize();
    if (observation.interval)
        self.recording_times = RecordingTimes(self.horizon.start, *observation.interval,
                                              self.driver.grid().shortest());
    if (observation.points) observation.points->assign(1, self.driver.now());
    self.look_into_steps(observation);
    if (observation.recorder) {
        self.finite_check = FiniteCheck(self.compiled.columns);
        observation.recorder->begin(self.compiled.columns);
    }
    if (EventSearch* const search = self.driver.event_search())
        search->report_to(observation.recorder);
    try {
        self.record(observation);
        self.summary.end =
            self.summary.ended_by.empty() ? self.run_to_end(observation) : RunEnd::terminated;
        terminate();
    } catch (...) {
        if (observation.recorder) observation.recorder->end();
        self.fail();
    }
    if (observation.recorder) observation.recorder->end();
    self.conclude_summary();
    return self.summary;
}

SavedRun Simulation::save() {
    Implementation& self = *implementation_;
    self.let_units_be_saved();
    const auto slots = self.compiled.plan->slots;
    SavedRun saved;
    saved.owner_ = &self;
    saved.slot_ = {new std::uint32_t(slots->take()), [slots](const std::uint32_t* slot) {
                       slots->give_back(*slot);
                       delete slot;
                   }};
    save(saved);
    return saved;
}

void Simulation::save(SavedRun& over) {
    Implementation& self = *implementation_;
    if (over.owner_ != &self)
        throw std::logic_error("Simulation::save: the saved run is of another simulation");
    unit::calling_units([&] {
        for (const auto& each : self.units) each->snapshots()->save(*over.slot_);
    });
    over.time_ = self.driver.now();
    auto archive = StateArchive::saving(over.state_);
    self.visit_state(archive);
}

void Simulation::restore(const SavedRun& saved) {
    Implementation& self = *implementation_;
    if (saved.owner_ != &self)
        throw std::logic_error("Simulation::restore: the saved run is of another simulation");
    unit::calling_units([&] {
        for (const auto& each : self.units) each->snapshots()->restore(*saved.slot_);
    });
    auto archive = StateArchive::restoring(saved.state_);
    self.visit_state(archive);
    self.done.store(self.driver.now().seconds, std::memory_order_relaxed);
}

void Simulation::release(const SavedRun& saved) {
    unit::calling_units([&] {
        for (const auto& each : implementation_->units) each->snapshots()->release(*saved.slot_);
    });
}

Time Simulation::time() const { return implementation_->driver.now(); }

bool Simulation::has_ended() const { return implementation_->driver.is_at_end(); }

const Summary& Simulation::summary() const { return implementation_->summary; }

Trust Simulation::trust() const {
    const TrustMeter* const meter = implementation_->driver.trust_meter();
    return meter ? meter->report() : Trust{};
}

double Simulation::progress() const {
    const Grid& grid = implementation_->driver.grid();
    const double done =
        implementation_->done.load(std::memory_order_relaxed) - grid.start().seconds;
    return std::max(0.0, done / (grid.stop() - grid.start()).seconds);
}

const scenario::System& Simulation::system() const { return implementation_->system; }

unit::Unit& Simulation::unit(UnitId id) const { return *implementation_->units[id.value]; }

} // namespace rubato::engine
