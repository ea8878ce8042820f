// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"
#include "compiler.hpp"
#include "couplings.hpp"
#include "event_search.hpp"
#include "events.hpp"
#include "executor.hpp"
#include "finite_watch.hpp"
#include "grid.hpp"
#include "inner_recording.hpp"
#include "order_controller.hpp"
#include "step_control.hpp"
#include "step_limits.hpp"
#include "trust_meter.hpp"
#include "work.hpp"

#include <rubato/engine/simulation.hpp>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace rubato::engine {

struct Simulation::Implementation {
    Implementation(scenario::System the_system, const algorithm::Algorithm& algorithm,
                   std::vector<std::unique_ptr<unit::Unit>> the_units,
                   const scenario::Experiment& experiment, Log& the_log,
                   SimulationOptions the_options)
        : system(std::move(the_system)), units(std::move(the_units)),
          options(std::move(the_options)), log(the_log),
          grid(experiment, options.points), horizon{grid.start(), grid.stop(),
                                                    experiment.tolerance},
          compiled(
              compile(system, algorithm, units,
                      {options.threads, may_take_back(), options.loops, options.first_guesses})),
          executor(*compiled.plan, system, summary, log, options.threads),
          events(Events::make(system, units, compiled, grid.shortest(), summary, options.loops)),
          now(grid.start()),
          continues(experiment.after_partial_step == scenario::AfterPartialStep::proceed &&
                    !grid.is_given()) {
        compiled.plan->minimum_step = {experiment.minimum_step.value_or(grid.shortest().seconds)};
        if (system.ends_steps_at_events || !system.watched.empty())
            search = std::make_unique<EventSearch>(options.events, experiment, system, compiled,
                                                   units, executor, summary);
        if (options.points.empty())
            limits = StepLimits::make(options.step_limits, {experiment, system, compiled, units,
                                                            executor, search.get(), summary});
        if (options.order) order.emplace(*options.order, system, compiled, units);
        options.estimate_errors = options.estimate_errors || options.record_bonds;
        if (!is_controlled() && !options.estimate_errors) return;
        couplings = std::make_unique<Couplings>(system, compiled);
        if (is_controlled())
            control.emplace(options.step_control, experiment, system, *compiled.plan, units,
                            *couplings, executor, search.get(), limits.get(), summary);
        if (options.estimate_errors)
            meter = std::make_unique<TrustMeter>(system, *couplings, units, *compiled.plan,
                                                 grid.start(), grid.stop());
        if (!options.record_bonds) return;
        for (Column& column : meter->bond_columns()) compiled.columns.push_back(std::move(column));
    }

    bool is_controlled() const {
        return options.step_control.controller != scenario::StepController::fixed;
    }
    /// Whether steps are saved, to be taken back.
    bool may_take_back() const {
        const bool may_miss = is_controlled() || !system.limited_changes.empty();
        return (may_miss || system.ends_steps_at_events) && can_all_roll_back(units);
    }

    ~Implementation() { unit::free_units(units); }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    void begin_initialization() {
        for (const auto& each : units) {
            each->enter_initialization(horizon);
            executor.restore_mode(*each);
        }
        executor.initialize(grid.start());
        if (events) events->initialize(grid.start());
    }

    void end_initialization() {
        for (const auto& each : units) {
            each->exit_initialization();
            executor.restore_mode(*each);
        }
        summary.reached = now;
        if (events) (void)handle_events();
        constexpr std::size_t samples_within = 1; // polynomials are of order 2 at most
        for (const InnerWatch& watch : compiled.plan->inner_watches)
            watch.unit->watch(watch.outputs, samples_within);
        if (search) search->start(now);
        if (limits) limits->restart(now);
        if (couplings) couplings->restart(now);
        if (order) order->start(now);
        executor.observe();
        Calls::bind_direct_calls(*compiled.plan);
    }

    bool at_end() const { return now >= grid.stop() || !summary.ended_by.empty(); }

    /// Whether units are to enter event mode, now that a step has ended.
    bool has_events() {
        if (search && search->has_found()) return true;
        return events && (executor.ended_at_event() || events->are_due(now) ||
                          events->have_come_up(executor.configuration()));
    }

    Flow handle_events_of_units() {
        if (!events) return Flow::proceed;
        Flow flow = Flow::proceed;
        do flow = events->handle(now, executor.configuration());
        while (flow == Flow::proceed && events->next() <= now);
        if (search) search->report_changes(now);
        return flow;
    }

    Flow handle_events() {
        const bool found = search && search->has_found();
        if (found) search->settle(now);
        const Flow flow = handle_events_of_units();
        if (couplings) found ? couplings->restart(now) : couplings->jump();
        if (limits) found ? limits->restart(now) : limits->jump(now);
        if (order && flow == Flow::proceed) order->jump(now);
        return flow;
    }

    Flow advance(Duration by, Time end) {
        if (limits) return limits->advance(now, by, end);
        return search ? search->advance(now, by, end) : executor.advance(now, by, end);
    }

    /// The life of a macro step (docs/architecture.md).
    Flow step() {
        const Time before = now;
        const Flow flow = control ? make_controlled_step() : make_step_on_grid();
        if (flow == Flow::stop) {
            if (units.size() == 1) now = summary.reached = std::max(now, executor.accepted());
            return flow;
        }
        if (couplings && now > before) [[unlikely]]
            note_couplings();
        if (limits && now > before) limits->accept(now);
        if (control && control->has_jumped()) start_from_jump();
        ++summary.steps;
        summary.reached = now;
        done.store(now.seconds, std::memory_order_relaxed);
        return flow;
    }

    void start_from_jump() {
        executor.exchange(now);
        couplings->restart(now);
        if (order) order->jump(now);
    }

    Flow make_step_on_grid() {
        const Time point = grid.point(next_point);
        Time end = point;
        Duration by = on_grid ? grid.interval(next_point - 1) : end - now;
        if (!always_whole_steps) [[unlikely]] {
            if (choose_configuration() == Flow::stop) return Flow::stop;
            shorten(by, end);
        }
        if (events || recording_times || limits) stop_at(latest_end(by), by, end);
        const Flow flow = advance(by, end);
        if (flow == Flow::stop) return flow;
        if (order && executor.end() > now)
            order->note(executor.end(), executor.end() == end ? by : executor.end() - now);
        advance_to(executor.end(), end, point);
        return flow;
    }

    Flow make_controlled_step() {
        if (choose_configuration() == Flow::stop) return Flow::stop;
        const Time limit = std::min(grid.stop(), latest_end(control->next()));
        const Flow flow = control->advance(now, limit);
        if (flow == Flow::stop) return flow;
        if (executor.end() > now) {
            note_step_length(executor.end() - now);
            if (order) order->note(executor.end(), executor.end() - now);
        }
        now = limit - executor.end() > grid.shortest() ? executor.end() : limit;
        return flow;
    }

    /// Where a step that is to be no longer than `longest` has to end; infinite: anywhere.
    Time latest_end(Duration longest) const {
        Time end{HUGE_VAL};
        if (events) end = std::min(end, events->next());
        if (recording_times) end = std::min(end, recording_times.next());
        if (limits) end = std::min(end, limits->latest_end(now, longest));
        return end;
    }

    void note_couplings() {
        if (meter) meter->begin_step();
        const auto middle = control ? control->inner_point() : std::nullopt;
        const bool is_halved = middle && *middle < now;
        if (is_halved) {
            couplings->sample_middle(*middle);
            accept_couplings();
        }
        if (!control || is_halved) couplings->sample(now);
        accept_couplings();
    }

    void accept_couplings() {
        if (meter) meter->note(*couplings, executor.configuration());
        couplings->accept(executor.configuration());
    }

    void note_step_length(Duration by) {
        summary.longest_step = std::max(summary.longest_step, by);
        if (now + by < grid.stop()) note_forced_step(by); // the last one is what is left
    }

    Flow choose_configuration() {
        const std::size_t before = executor.configuration();
        bool reconnects = false;
        if (order)
            executor.switch_order(order->chosen());
        else
            reconnects = executor.choose_configuration(now);
        if (executor.configuration() == before) return Flow::proceed;
        if (couplings && order) couplings->change_order(before, executor.configuration());
        if (couplings && !order) couplings->forget();
        return reconnects ? hand_on_after_switch() : Flow::proceed;
    }

    /// What new connections carry may make events of its own, and reaches discrete inputs as
    /// events.
    Flow hand_on_after_switch() {
        if (search) search->start(now);
        if (events) events->reconnect(executor.configuration());
        const Flow flow = handle_events_of_units();
        if (couplings) couplings->restart(now);
        return flow;
    }

    /// A procedure may go by a part of the step only; no sliver is left before the next point.
    void shorten(Duration& by, Time& end) const {
        if (executor.fraction() == 1) return;
        const Duration part = executor.fraction() * grid.step();
        if (by.seconds - part.seconds <= grid.shortest().seconds) return;
        by = part;
        end = now + part;
    }

    /// Steps end at `next`; no sliver is left before a point of the grid.
    void stop_at(Time next, Duration& by, Time& end) const {
        if (next + grid.shortest() >= end) return;
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
            on_grid = point - reached <= grid.shortest();
            if (!on_grid && continues && reached < end && reached > now)
                return continue_from(reached);
        }
        now = on_grid ? point : reached;
        if (on_grid) ++next_point;
    }

    /// The step was accepted in part only: whole steps follow from where it ended.
    void continue_from(Time reached) {
        grid.begin_at(reached);
        now = reached;
        next_point = 1;
        on_grid = true;
    }

    void add_points(std::vector<Time>& points) const {
        if (control && control->inner_point()) points.push_back(*control->inner_point());
        if (now > points.back()) points.push_back(now);
    }

    bool is_to_be_recorded(const Observation& observation) {
        if (recording_times) return recording_times.pass(now);
        return summary.steps % observation.every == 0;
    }

    void record(const Observation& observation) {
        if (!observation.recorder) return;
        executor.observe();
        finite_watch.look(now, options.stop_at_not_finite, summary, log);
        observation.recorder->record(now);
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
        while (!at_end()) {
            if (observation.stop && observation.stop->load(std::memory_order_relaxed)) {
                return RunEnd::interrupted;
            }
            const Time before = now;
            const Flow went = step();
            if (inner && now > before) inner->record(*observation.recorder);
            if (went == Flow::stop) {
                if (now > before) record(observation); // a unit on its own has got so far
                return RunEnd::terminated;
            }
            const bool event = has_events();
            if (is_to_be_recorded(observation) || event || at_end())
                record(observation);
            else if (inner)
                keep_values();
            if (observation.points) add_points(*observation.points);
            if (!event) continue;
            const Flow flow = handle_events();
            record(observation);
            if (flow == Flow::stop) return RunEnd::terminated;
        }
        return RunEnd::completed;
    }

    void conclude_summary() {
        if (control) summary.missed_most = control->worst_missed();
        if (limits) summary.exceeded_most = limits->worst_exceeded();
        tell_work(summary, *compiled.plan, units);
    }

    scenario::System system;
    std::vector<std::unique_ptr<unit::Unit>> units;
    SimulationOptions options;
    Log& log;
    Grid grid;
    unit::Horizon horizon;
    Compiled compiled;
    Summary summary;
    Executor executor;
    std::unique_ptr<Events> events;       ///< null: no unit has event mode
    std::unique_ptr<EventSearch> search;  ///< null: events within steps are not looked for
    std::unique_ptr<StepLimits> limits;   ///< null: nothing shortens steps, beside events
    std::optional<OrderController> order; ///< none: the order stays
    std::unique_ptr<Couplings> couplings; ///< null: nobody looks at them
    std::optional<StepControl> control;   ///< none: steps are those of the grid
    std::unique_ptr<TrustMeter> meter;    ///< null: errors are not estimated
    RecordingTimes recording_times;
    FiniteWatch finite_watch;              ///< of what is recorded
    std::unique_ptr<InnerRecording> inner; ///< null: nothing is recorded within steps
    Time now;
    /// Nothing to choose: one procedure, that goes by the whole step.
    const bool always_whole_steps = compiled.plan->procedures.size() == 1 &&
                                    compiled.plan->procedures[0].fraction == 1 && !events;
    const bool continues; ///< after a partly accepted step, instead of returning to the grid
    std::int64_t next_point = 1;
    bool on_grid = true; ///< the present time is a point of the grid
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
    unit::calling_units([&] { implementation_->begin_initialization(); });
}

void Simulation::end_initialization() {
    unit::calling_units([&] { implementation_->end_initialization(); });
}

void Simulation::step() {
    if (implementation_->at_end())
        throw std::logic_error("Simulation::step: the stop time is reached");
    Implementation& self = *implementation_;
    unit::calling_units([&] {
        if (self.step() == Flow::proceed && self.has_events()) (void)self.handle_events();
    });
}

Summary Simulation::run(const Observation& observation) {
    Implementation& self = *implementation_;
    initialize();
    if (observation.interval)
        self.recording_times =
            RecordingTimes(self.grid.start(), *observation.interval, self.grid.shortest());
    if (observation.points) observation.points->assign(1, self.now);
    self.look_into_steps(observation);
    if (observation.recorder) {
        self.finite_watch = FiniteWatch(self.compiled.columns);
        observation.recorder->begin(self.compiled.columns);
    }
    if (self.search) self.search->report_to(observation.recorder);
    try {
        self.record(observation);
        self.summary.end =
            self.summary.ended_by.empty() ? self.run_to_end(observation) : RunEnd::terminated;
        for (const auto& each : self.units) each->terminate();
        unit::note_no_call();
    } catch (...) {
        if (observation.recorder) observation.recorder->end();
        unit::rethrow_as_error();
    }
    if (observation.recorder) observation.recorder->end();
    self.conclude_summary();
    return self.summary;
}

Time Simulation::time() const { return implementation_->now; }

bool Simulation::has_ended() const { return implementation_->at_end(); }

const Summary& Simulation::summary() const { return implementation_->summary; }

Trust Simulation::trust() const {
    return implementation_->meter ? implementation_->meter->report() : Trust{};
}

double Simulation::progress() const {
    const Grid& grid = implementation_->grid;
    const double done =
        implementation_->done.load(std::memory_order_relaxed) - grid.start().seconds;
    return std::max(0.0, done / (grid.stop() - grid.start()).seconds);
}

const scenario::System& Simulation::system() const { return implementation_->system; }

unit::Unit& Simulation::unit(UnitId id) { return *implementation_->units[id.value]; }

} // namespace rubato::engine
