// SPDX-License-Identifier: Apache-2.0
#include "compiler.hpp"
#include "events.hpp"
#include "executor.hpp"

#include <rubato/engine/simulation.hpp>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace rubato::engine {

namespace {

/// What is shorter than this part of a step comes of rounding: no step ends so near before a point
/// of the grid, and a unit that accepts no more accepts nothing.
constexpr double sliver = 1e-9;

/// The communication points: start + n·step, the last one the stop time.
class Grid {
public:
    explicit Grid(const scenario::Experiment& experiment)
        : start_{experiment.start}, stop_{experiment.stop}, step_{experiment.step} {
        const double steps = (experiment.stop - experiment.start) / experiment.step;
        count_ = static_cast<std::int64_t>(std::max(0.0, std::ceil(steps - sliver)));
        last_is_whole_ = std::abs(steps - static_cast<double>(count_)) <= sliver;
    }

    Time point(std::int64_t n) const {
        return n >= count_ ? stop_ : start_ + static_cast<double>(n) * step_;
    }
    /// From point n to the next. A whole step is handed on as written, free of rounding.
    Duration interval(std::int64_t n) const {
        const bool whole = n + 1 < count_ || last_is_whole_;
        return whole ? step_ : point(n + 1) - point(n);
    }
    std::int64_t count() const { return count_; }
    Duration step() const { return step_; }
    Time start() const { return start_; }
    Time stop() const { return stop_; }

private:
    Time start_, stop_;
    Duration step_;
    std::int64_t count_ = 0;
    bool last_is_whole_ = true;
};

} // namespace

struct Simulation::Implementation {
    Implementation(scenario::System the_system, const algorithm::Algorithm& algorithm,
                   std::vector<std::unique_ptr<unit::Unit>> the_units,
                   const scenario::Experiment& experiment, Log& log, unsigned threads)
        : system(std::move(the_system)), units(std::move(the_units)),
          grid(experiment), horizon{grid.start(), grid.stop(), experiment.tolerance},
          compiled(compile(system, algorithm, units, threads)),
          executor(*compiled.plan, system, summary, log, threads),
          events(Events::make(system, units, compiled, sliver * grid.step(), summary)),
          now(grid.start()) {
        compiled.plan->minimum_step = {experiment.minimum_step.value_or(sliver * experiment.step)};
    }

    void begin_initialization() {
        for (const auto& each : units) each->enter_initialization(horizon);
        executor.initialize(grid.start());
        if (events) events->initialize(grid.start());
    }

    void end_initialization() {
        for (const auto& each : units) each->exit_initialization();
        summary.reached = now;
        if (events) (void)handle_events();
        executor.observe();
    }

    bool at_end() const { return next_point > grid.count() || !summary.ended_by.empty(); }

    /// Whether units are to enter event mode, now that a step has ended.
    bool has_events() {
        return events && (executor.ended_at_event() || events->are_due(now) ||
                          events->have_come_up(executor.configuration()));
    }

    Flow handle_events() {
        Flow flow = Flow::proceed;
        do {
            flow = events->handle(now, executor.configuration());
        } while (flow == Flow::proceed && events->next() <= now);
        return flow;
    }

    /// The life of a macro step (docs/architecture.md).
    Flow step() {
        const Time point = grid.point(next_point);
        Time end = point;
        Duration by = on_grid ? grid.interval(next_point - 1) : end - now;
        if (!always_whole_steps) [[unlikely]] {
            executor.choose_configuration(now);
            shorten(by, end);
            if (events) stop_at_event(by, end);
        }
        const Flow flow = executor.advance(now, by, end);
        if (flow == Flow::stop) {
            if (units.size() == 1) now = summary.reached = std::max(now, executor.accepted());
            return flow;
        }
        advance_to(executor.end(), end, point);
        ++summary.steps;
        summary.reached = now;
        done.store(now.seconds, std::memory_order_relaxed);
        return flow;
    }

    /// A procedure may go by a part of the step only; no sliver is left before the next point.
    void shorten(Duration& by, Time& end) const {
        if (executor.fraction() == 1) return;
        const Duration part = executor.fraction() * grid.step();
        if (by.seconds - part.seconds <= sliver * grid.step().seconds) return;
        by = part;
        end = now + part;
    }

    /// Steps end where events are expected; no sliver is left before a point of the grid.
    void stop_at_event(Duration& by, Time& end) const {
        const Time next = events->next();
        if (next + sliver * grid.step() >= end) return;
        end = next;
        by = end - now;
    }

    void note_forced_step(Duration by) {
        Duration& shortest = summary.shortest_step;
        if (shortest == Duration{} || by < shortest) shortest = by;
    }

    /// From a step that was to end at `end`, on the way to the next point of the grid.
    void advance_to(Time reached, Time end, Time point) {
        if (reached == point) [[likely]] {
            on_grid = true;
        } else {
            if (reached < end) note_forced_step(reached - now);
            on_grid = (point - reached).seconds <= sliver * grid.step().seconds;
        }
        now = on_grid ? point : reached;
        if (on_grid) ++next_point;
    }

    void record(const Observation& observation) {
        if (!observation.recorder) return;
        executor.observe();
        observation.recorder->record(now);
    }

    RunEnd run_to_end(const Observation& observation) {
        while (!at_end()) {
            if (observation.stop && observation.stop->load(std::memory_order_relaxed)) {
                return RunEnd::interrupted;
            }
            const Time before = now;
            if (step() == Flow::stop) {
                if (now > before) record(observation); // a unit on its own has got so far
                return RunEnd::terminated;
            }
            const bool event = has_events();
            if (event || summary.steps % observation.every == 0 || at_end()) record(observation);
            if (!event) continue;
            const Flow flow = handle_events();
            record(observation);
            if (flow == Flow::stop) return RunEnd::terminated;
        }
        return RunEnd::completed;
    }

    void collect_solver_work() {
        summary.solvers.clear();
        for (const auto& each : units) {
            if (const unit::SolverStatistics* statistics = each->solver_statistics())
                summary.solvers.push_back({each->name(), *statistics});
        }
    }

    scenario::System system;
    std::vector<std::unique_ptr<unit::Unit>> units;
    Grid grid;
    unit::Horizon horizon;
    Compiled compiled;
    Summary summary;
    Executor executor;
    std::unique_ptr<Events> events; ///< null: no unit has event mode
    Time now;
    /// Nothing to choose: one procedure, that goes by the whole step.
    const bool always_whole_steps = compiled.plan->procedures.size() == 1 &&
                                    compiled.plan->procedures[0].fraction == 1 && !events;
    std::int64_t next_point = 1;
    bool on_grid = true; ///< the present time is a point of the grid
    std::atomic<double> done = -HUGE_VAL;
};

Simulation::Simulation(scenario::System system, const algorithm::Algorithm& algorithm,
                       std::vector<std::unique_ptr<unit::Unit>> units,
                       const scenario::Experiment& experiment, Log& log, unsigned threads)
    : implementation_(std::make_unique<Implementation>(
          std::move(system), algorithm, std::move(units), experiment, log, threads)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::initialize() {
    begin_initialization();
    end_initialization();
}

void Simulation::begin_initialization() { implementation_->begin_initialization(); }

void Simulation::end_initialization() { implementation_->end_initialization(); }

void Simulation::step() {
    if (implementation_->at_end())
        throw std::logic_error("Simulation::step: the stop time is reached");
    Implementation& self = *implementation_;
    if (self.step() == Flow::proceed && self.has_events()) (void)self.handle_events();
}

Summary Simulation::run(const Observation& observation) {
    Implementation& self = *implementation_;
    initialize();
    if (observation.recorder) observation.recorder->begin(self.compiled.columns);
    try {
        self.record(observation);
        self.summary.end =
            self.summary.ended_by.empty() ? self.run_to_end(observation) : RunEnd::terminated;
        for (const auto& each : self.units) each->terminate();
    } catch (...) {
        if (observation.recorder) observation.recorder->end();
        throw;
    }
    if (observation.recorder) observation.recorder->end();
    self.collect_solver_work();
    return self.summary;
}

Time Simulation::time() const { return implementation_->now; }

bool Simulation::has_ended() const { return implementation_->at_end(); }

const Summary& Simulation::summary() const { return implementation_->summary; }

double Simulation::progress() const {
    const Grid& grid = implementation_->grid;
    const double done =
        implementation_->done.load(std::memory_order_relaxed) - grid.start().seconds;
    return std::max(0.0, done / (grid.stop() - grid.start()).seconds);
}

const scenario::System& Simulation::system() const { return implementation_->system; }

unit::Unit& Simulation::unit(UnitId id) { return *implementation_->units[id.value]; }

} // namespace rubato::engine
