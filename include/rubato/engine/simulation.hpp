// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/log.hpp>
#include <rubato/engine/external_inputs.hpp>
#include <rubato/engine/order_control.hpp>
#include <rubato/engine/pacing.hpp>
#include <rubato/engine/recorder.hpp>
#include <rubato/engine/reductions.hpp>
#include <rubato/engine/saved_run.hpp>
#include <rubato/engine/trust.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/unit/unit.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rubato::engine {

class Distribution;
class Processes;

enum class RunEnd : std::uint8_t {
    completed,   ///< the stop time was reached
    terminated,  ///< a unit asked for the end
    interrupted, ///< the user did
};

/// What a solver of ours did for a unit.
struct SolverWork {
    std::string unit;
    unit::SolverStatistics statistics;
};

/// How a fixed-point loop was solved.
struct LoopWork {
    std::string over; ///< what is iterated, such as "msd1.x1, msd1.v1"
    scenario::LoopMethod method = scenario::LoopMethod::plain;
    std::optional<Time> since;    ///< when that was chosen; none: the scenario says so
    double contraction = 0;       ///< of plain iteration then
    std::uint64_t iterations = 0; ///< those that Jacobians took included
    std::uint64_t jacobians = 0;
};

/// A recorded variable that nothing is connected to, and that was NaN or infinite.
struct NotFinite {
    std::string variable; ///< "two.y"
    double value = 0;
    Time first; ///< recorded time at which it was
};

/// What a process of a distributed run has done.
struct ProcessWork {
    std::string name; ///< "rank 1 on node07"
    std::size_t units = 0;
    double working = 0, exchanging = 0, waiting = 0; ///< [s]
};

/// What a run did.
struct Summary {
    RunEnd end = RunEnd::completed;
    Time reached;
    std::uint64_t steps = 0;         ///< communication steps
    std::uint64_t events = 0;        ///< times at which units were in event mode
    std::uint64_t found_events = 0;  ///< in steps, which have ended there
    std::uint64_t trials = 0;        ///< attempts at a step that it took to locate them
    std::uint64_t switches = 0;      ///< from one configuration to another
    std::uint64_t unit_steps = 0;    ///< steps of units, repeated ones included
    std::uint64_t iterations = 0;    ///< of all fixed-point loops, for Jacobians too
    int most_iterations = 0;         ///< in one loop
    std::uint64_t not_converged = 0; ///< loops accepted at their limit
    double contraction = 0;          ///< of plain iteration, the worst: change over the one before
    std::uint64_t rejections = 0;    ///< attempts at a step that a unit accepted only in part
    std::uint64_t repeated = 0;      ///< attempts at a step that missed the tolerance
    std::uint64_t missed = 0;        ///< steps accepted although they did
    std::string missed_most;         ///< what the worst of them is due to
    std::uint64_t shortened = 0;     ///< attempts at a step in which a value changed by too much
    std::uint64_t exceeded = 0;      ///< steps accepted although one did
    std::string exceeded_most;       ///< which, in the worst of them
    Duration shortest_step;          ///< of those that units or step control made; 0: none
    Duration longest_step;           ///< of those that step control made; 0: none
    std::string ended_by;            ///< unit that asked for the end
    std::vector<SolverWork> solvers; ///< of the units that have one
    std::vector<LoopWork> loops;     ///< those that were iterated
    std::vector<NotFinite> not_finite;
    std::vector<ProcessWork> processes; ///< by rank; empty: the run was not distributed
};

struct Observation {
    Recorder* recorder = nullptr;            ///< null: record nothing
    std::uint64_t every = 1;                 ///< record every n-th communication point
    std::optional<Duration> interval;        ///< record at start + n·interval instead
    const std::atomic<bool>* stop = nullptr; ///< set to true to end after the step under way
    std::vector<Time>* points = nullptr;     ///< gets all communication points; null: none
    /// Record up to so many instants within each step, too, of a unit that provides its outputs
    /// there; whatever it does not provide keeps the value of the communication point before.
    std::size_t intermediate = 0;
    /// Record both sides of events within steps, where a unit provides them; for a unit on its own.
    bool events_within_steps = false;
    Pacing* pacing = nullptr; ///< when steps may begin; null: at once
};

/// A unit has accepted only part of a step, and the algorithm does not negotiate steps with it.
class StepRejected : public Error {
public:
    StepRejected(std::string unit, const std::string& message, std::string_view hint)
        : Error(message, hint), unit_(std::move(unit)) {}
    const std::string& unit() const { return unit_; }

private:
    std::string unit_;
};

/// What an input is taken to be where a loop of the initialization guesses it.
struct FirstGuess {
    PortId input;
    std::vector<Value> values; ///< of its elements
};

/// How a simulation runs, beyond its experiment.
struct SimulationOptions {
    unsigned threads = 1;                            ///< share the sections of the algorithm
    scenario::StepControlSettings step_control = {}; ///< adapts the communication step
    scenario::StepLimitSettings step_limits = {};    ///< what shortens steps
    scenario::EventSettings events = {};             ///< how they are found
    scenario::LoopSettings loops = {};               ///< how fixed-point loops are solved
    bool estimate_errors = false;                    ///< of what crosses: for `trust`
    bool record_bonds = false;       ///< their power and residual; errors are estimated
    bool stop_at_not_finite = false; ///< where a recorded value is; else it is logged
    std::optional<OrderControl> order =
        {};                        ///< the system's configurations are orders to choose from
    std::vector<Time> points = {}; ///< communication points; empty: by experiment.step
    std::vector<FirstGuess> first_guesses = {}; ///< others: what sources give before inputs are set
    Reductions* reductions = nullptr;           ///< null: this process decides alone
    /// Units are those of `Distribution::share`; null: all are in this process.
    std::shared_ptr<Distribution> distribution = {};
    bool first_estimates_errors = false; ///< the first process does, whether or not this is it
};

/// A system of units, compiled to a plan and run.
class Simulation {
public:
    /// Compiles. `units` are those of the system in its order, instantiated, with parameters and
    /// start values set.
    Simulation(scenario::System system, const algorithm::Algorithm& algorithm,
               std::vector<std::unique_ptr<unit::Unit>> units,
               const scenario::Experiment& experiment, Log& log, SimulationOptions options = {});
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    /// Brings all units to consistent initial values at the start time.
    void initialize();
    /// The same in two parts; between them the units are still in their phase `initializing`.
    void begin_initialization();
    void end_initialization();
    /// One communication step, with the events at its end, after `initialize` and before the stop
    /// time. Allocates nothing.
    void step();
    /// Initializes and steps to the end, recording. An Error of a unit passes through after the
    /// recorder has ended.
    Summary run(const Observation& observation);

    /// The run as it is now, with all units: after `initialize`, between steps. A run that is
    /// restored and continued gives the same results, bit by bit. Error: a unit cannot save its
    /// state.
    SavedRun save();
    /// The same over a run that was saved before. Allocates nothing, strings apart.
    void save(SavedRun& over);
    void restore(const SavedRun& saved);
    /// Nobody will restore it before it is saved again.
    void release(const SavedRun& saved);
    /// A saved run as bytes, if all units can (unit::SerializedStates). Another simulation of the
    /// same system can read them, in another process, too.
    void serialize(const SavedRun& saved, std::vector<std::byte>& bytes);
    /// As if it had been saved here. Error: these are not the bytes of a run of this system.
    SavedRun deserialize(std::span<const std::byte> bytes);

    // As a unit of another simulation (rubato/composite/composite_unit.hpp).

    /// Where inputs that no unit feeds come from, also in `run`; it must outlive the simulation.
    void take_inputs_from(ExternalInputs& inputs);
    /// The units enter their phase `initializing`: the first part of begin_initialization. The
    /// experiment's start and stop are those of the whole.
    void enter_initialization();
    /// The second: as often as inputs have changed from outside.
    void solve_initialization();
    /// Inputs have changed from outside, between steps: what depends on them directly follows, and
    /// events that come of it are handled.
    void propagate();
    /// The next steps are those from where it stands to the end of this span. If
    /// experiment.open.step: one step.
    void begin_span(Time from, Duration by);
    /// Steps of its own to the end of the span, or to an event, which is then to be handled, or to
    /// where ExternalInputs end it. Allocates nothing.
    unit::StepResult advance();
    /// Of a span, whether a step that ends here would be one of rounding only.
    bool is_near(Time start) const;
    /// Handles the event that it has advanced to, alone. False: a unit asks for the end.
    bool handle_events();

    // The same in instants that all units of the whole share (unit::EventMode). Some unit has event
    // mode.

    /// All units leave their phase `initializing`, to event mode: in place of end_initialization.
    void exit_initialization();
    /// The first event begins, or any other.
    void begin_event();
    /// Inputs have been set from outside, within an instant: what depends on them at once follows.
    void exchange_at_event();
    unit::EventUpdate end_instant();
    /// All units return to their steps.
    void end_event();

    /// All units terminate.
    void terminate();
    /// Brings what is recorded up to date: the system's observed variables, in their order. Clocked
    /// ones are what they were at their last tick.
    std::span<const Column> observe();

    Time time() const;
    /// Whether the stop time is reached, or a unit has asked for the end.
    bool has_ended() const;
    const Summary& summary() const;
    /// What was estimated of the steps so far; empty if nothing was to be.
    Trust trust() const;
    /// Fraction of the simulated span that is done; may be read from any thread.
    double progress() const;
    const scenario::System& system() const;
    unit::Unit& unit(UnitId id) const;

private:
    SavedRun empty_run();

    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace rubato::engine
