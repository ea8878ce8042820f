// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accuracy/couplings.hpp"
#include "accuracy/trust_meter.hpp"
#include "events/event_search.hpp"
#include "events/events.hpp"
#include "execution/executor.hpp"
#include "execution/grid.hpp"
#include "order_controller.hpp"
#include "program/compiler.hpp"
#include "step_control.hpp"
#include "step_controller.hpp"
#include "step_output.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace rubato::engine {

/// Makes macro steps. Each goes through the stages of docs/architecture.md:
///
///   1 Choose    configuration, order and length, by what the controllers propose
///   2 Save      what an attempt may have to be rolled back to
///   3 Advance   the executor runs the step procedure
///   4 Judge     a controller accepts the attempt, or asks for another: back to 2
///   5 Commit    the controllers learn from the accepted step
///
/// The sixth, Observe, is the caller's. Events come after it.
class StepDriver {
public:
    /// What is passed must outlive it. `events` is null where nothing happens between steps.
    struct Parts {
        const scenario::System& system;
        const scenario::Experiment& experiment;
        const SimulationOptions& options;
        std::span<const std::unique_ptr<unit::Unit>> units;
        Compiled& compiled;
        Executor& executor;
        Events* events;
        Summary& summary;
    };
    explicit StepDriver(const Parts& parts);
    /// One more, inside of all others.
    void add(std::unique_ptr<StepController> controller);

    /// All units are initialized. Units with event mode handle their first events.
    void handle_first_events();
    /// The same, when these have been handled.
    void start();
    /// The next steps are those of a span that another simulation asks for.
    void begin_span(Time from, Duration by);
    /// One step that ends at `latest` at the latest.
    Flow step(Time latest);
    /// Up to `count` steps of the grid, none if anybody may have a say in them; not the last one.
    /// Ends early where one does not reach its end, or if `stop` is set. `done`: for others, the
    /// time that is reached.
    Flow make_whole_steps(std::uint64_t count, const std::atomic<bool>& stop,
                          std::atomic<double>& done);
    /// Whether units are to enter event mode, now that a step has ended.
    bool has_events() { return (search_ || events_) && has_found_events(); }
    /// Whether they are to, since inputs have changed from outside.
    bool has_changed_inputs();
    Flow handle_events();
    /// The same, in instants that another simulation makes; some unit has event mode.
    void begin_event();
    void end_event();

    const Grid& grid() const { return grid_; }
    Time now() const { return now_; }
    bool is_at_end() const { return now_ >= grid_.stop() || !summary_.ended_by.empty(); }
    /// The communication point within the step made last, if there is one.
    std::optional<Time> inner_point() const {
        return couplings_ ? couplings_->middle() : std::nullopt;
    }
    EventSearch* event_search() { return search_; }
    const TrustMeter* trust_meter() const { return meter_.get(); }

    void conclude();
    void visit_state(StateArchive& archive);

private:
    void make_controllers(const Parts& parts);
    template <class Controller>
    Controller* added(std::unique_ptr<Controller> controller);

    /// All stages. A whole step of the grid that nobody has a say in goes without it.
    [[gnu::noinline]] Flow step_as_chosen(Time latest);
    // 1 Choose
    bool choose_configuration(); ///< true: connections have changed
    /// `is_located`: at an event that a step was made to end at.
    Flow propagate_after_switch(bool is_located);
    void propagate_new_connections(bool is_located);
    Attempt choose(Time latest) const;
    Attempt next_of_grid() const;
    Attempt next_of_procedure() const;
    Time latest_end(Duration longest) const;
    // 2 Save, 3 Advance, 4 Judge
    Flow advance(const Attempt& wanted, std::size_t judge = 0);
    // 5 Commit
    Flow end_step(const Attempt& wanted, Flow flow);
    void commit(const Attempt& wanted);
    void move_to_next_point(const MadeStep& step, Time wanted_end);
    void reach_next_point() {
        now_ = next_.time;
        on_grid_ = true;
        head_for(next_.number + 1);
    }
    void head_for(std::int64_t point) {
        next_ = {point, grid_.point(point), grid_.interval(point - 1)};
    }
    void count_step() {
        ++summary_.steps;
        summary_.reached = now_;
    }
    void start_from_jump();

    [[gnu::noinline]] bool has_found_events();
    Flow handle(bool is_located);
    void restart_controllers(bool is_located, Flow flow);
    void note_step_length(const MadeStep& step, Time wanted_end);

    const scenario::System& system_;
    Executor& executor_;
    Events* handler_; ///< of all events; null: there are none
    Events* events_;  ///< the same; null: no unit has event mode
    Summary& summary_;
    Grid grid_;
    std::unique_ptr<Couplings> couplings_; ///< null: nobody follows them
    std::unique_ptr<TrustMeter> meter_;    ///< null: errors are not estimated
    /// The outermost first: an attempt that an inner one accepts is judged by the next outer one.
    std::vector<std::unique_ptr<StepController>> controllers_;
    std::vector<StepController*> judges_; ///< those of them that judge attempts
    // Those of them that do more; null: there is none.
    StepControl* control_ = nullptr;
    StepOutput* step_output_ = nullptr;
    EventSearch* search_ = nullptr;
    OrderController* order_ = nullptr;
    std::optional<Duration> own_step_; ///< of spans; none: each of them is one step
    bool is_free_ = false;             ///< steps are not those of the grid
    bool continues_ = false;           ///< with whole steps, where a step was accepted in part
    /// Nothing to choose: one procedure, that makes the whole step.
    bool always_whole_steps_ = false;
    bool is_plain_ = false; ///< neither are there controllers, nor events of units

    Time now_;
    GridPoint next_;
    bool on_grid_ = true; ///< the present time is a point of the grid
    // Of the event that others make the instants of.
    bool is_located_ = false, has_reconnected_ = false;
};

inline Flow StepDriver::step(Time latest) {
    if (!is_plain_ || latest + grid_.shortest() < next_.time) [[unlikely]]
        return step_as_chosen(latest);
    const Duration by = on_grid_ ? next_.interval : next_.time - now_;
    const Flow flow = executor_.advance(now_, by, next_.time);
    if (flow != Flow::proceed || executor_.end() != next_.time) [[unlikely]]
        return end_step(next_of_grid(), flow);
    reach_next_point();
    count_step();
    return flow;
}

} // namespace rubato::engine
