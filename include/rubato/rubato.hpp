// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/log.hpp>
#include <rubato/core/value.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// @mainpage Rubato
/// The library: load a scenario, change it, run it, or step through it. Names of variables are
/// `unit.variable`, or `unit.array[2]` for an element of an array, counted from 1.
///
/// What goes wrong is an Error that names the object, the value and what to do; an InputError if
/// nothing has been run. Models are written with <rubato/model/declare.hpp> instead.

namespace rubato {

namespace model {
struct ModelType;
}
namespace unit {
class Library;
}
namespace facade {
struct Access;
}

/// How a scenario is loaded.
struct LoadOptions {
    /// Native models of the program, besides those that come with Rubato. They must outlive the
    /// scenario.
    std::vector<const model::ModelType*> models = {};
    Log* log = nullptr;  ///< gets warnings and what units log; null: they are dropped
    bool strict = false; ///< refuse FMUs that break the standard anywhere
    /// Adds other kinds of units, for programs built in the source tree of Rubato.
    std::function<void(unit::Library&)> extend = {};
};

/// A co-simulation as its file describes it. Copies are independent, but share the FMUs that have
/// been unpacked: use a scenario and its copies from one thread at a time.
class Scenario {
public:
    ~Scenario();
    Scenario(const Scenario& other);                ///< shares the unpacked FMUs
    Scenario(Scenario&& other) noexcept;            ///< leaves nothing to use
    Scenario& operator=(const Scenario& other);     ///< shares the unpacked FMUs
    Scenario& operator=(Scenario&& other) noexcept; ///< leaves nothing to use

    /// The name that the file gives, or the name of the file.
    const std::string& name() const;

    /// Changes a parameter or a start value, `winch.mass`, or a setting as in the file:
    /// `experiment.step`, `algorithm.recipe`, `units.winch.inputs.u.approximation`.
    void set(std::string_view path, const Value& value);
    /// The same with a value as it stands in YAML: a list, a map or a scalar.
    void set_yaml(std::string_view path, std::string_view yaml);

    /// Adds a unit, given as in the file: `{fmu: winch.fmu, parameters: {mass: 20}}`.
    void add_unit(std::string_view name, std::string_view yaml);
    /// Connects `winch.F` to `load.F`, with settings as in the file: `{factor: 2}`.
    void connect(std::string_view from, std::string_view to, std::string_view yaml = "{}");
    /// The names of the units, in their order.
    std::vector<std::string> units() const;

    /// What the scenario is now, as YAML.
    std::string to_yaml() const;

private:
    struct Implementation;
    explicit Scenario(std::unique_ptr<Implementation> implementation);
    friend struct facade::Access;

    std::unique_ptr<Implementation> implementation_;
};

/// A scenario without units, to which a program adds them. FMUs and tables are looked for in the
/// folder of `file`, which need not exist and gives the name.
Scenario make_scenario(const std::filesystem::path& file = "scenario.yaml",
                       const LoadOptions& options = {});

/// The same scenario with FMUs unpacked for itself alone: for another thread.
Scenario copy_apart(const Scenario& scenario, const LoadOptions& options = {});

/// Reads a scenario: YAML or `.conf`, recognized by its content. Loads no FMU.
Scenario load(const std::filesystem::path& file, const LoadOptions& options = {});

/// The same from text. FMUs and tables are looked for in the folder of `file`, which names the text
/// in messages and need not exist.
Scenario load_text(std::string_view text, const std::filesystem::path& file = "scenario.yaml",
                   const LoadOptions& options = {});

/// How far the results of a run can be believed, estimated from the values that units exchanged.
struct Trust {
    /// From best to worst; `unknown` where units exchange nothing that would show it.
    enum class Grade : std::uint8_t {
        unknown,
        good,
        fair,
        rough,
        poor,
        perhaps_unstable,
        unstable,
    };

    /// The verdict in a word.
    Grade grade = Grade::unknown;
    /// The verdict with its reasons, then what else is to be known, a line each.
    std::vector<std::string> lines = {};
    /// What to change for better results; empty: nothing.
    std::vector<std::string> advice = {};

    /// How far an input was from what its source shows that it should have been.
    struct Connection {
        std::string from, to;    ///< "msd1.x1", "msd2.x1"
        std::string unit;        ///< of measure
        double range = 0;        ///< of the source's values; 0: they do not move
        double largest = 0;      ///< error in any step
        double time = 0;         ///< the end of that step [s]
        double relative = 0;     ///< the error over the range
        std::uint64_t jumps = 0; ///< of the source, each of which reaches the input late
    };
    /// What went through a power bond [J, if the units of measure are known].
    struct Bond {
        std::string name;
        double exchanged = 0; ///< both ways
        double created = 0;   ///< by the coupling; negative: lost
        double relative = 0;  ///< created over exchanged
    };
    std::vector<Connection> connections = {}; ///< that carry numbers
    std::vector<Bond> bonds = {};             ///< as the scenario declares them

    /// All lines and the advice as one text.
    std::string text() const;
};

/// A change of a variable at an event.
struct Event {
    double time = 0;      ///< [s]
    int microstep = 0;    ///< what follows from it at the same time counts up
    std::string unit;     ///< name of the unit
    std::string variable; ///< name of its variable; empty: the unit has stopped a step
    Value before = 0.0;   ///< value before the event
    Value after = 0.0;    ///< value after it
};

class Result;

/// What a run starts from and where it ends; what is absent is as the scenario has it.
struct RunOptions {
    std::optional<double> start = {}; ///< [s]
    std::optional<double> stop = {};  ///< [s]
    std::optional<double> step = {};  ///< communication step [s]
    /// Names or patterns of what is recorded: `winch.*`; empty: as the scenario has it.
    std::vector<std::string> record = {};
    /// Where to write the results, too, as the extension says (.csv, .mat), with metadata and events
    /// in files next to it. Empty:
    /// no file is written.
    std::filesystem::path results = {};
    bool overwrite = false; ///< replace a file that is not known to hold results of the scenario
    /// Set to true by another thread: the run ends after the step it is in. Null: nobody asks.
    const std::atomic<bool>* stop_request = nullptr;
    /// Called about 20 times a second on the thread that runs, when an instant was recorded: with the
    /// time [s] and the fraction of the run that is done. False: the run ends after the step.
    std::function<bool(double time, double fraction)> progress = {};
    /// Gets what was recorded if the run fails. Null: that is lost, unless it is in `results`.
    std::optional<Result>* so_far = nullptr;
};

/// What a run gave. Copies are cheap: they share the values, which never change.
class Result {
public:
    /// The instants that were recorded [s].
    std::span<const double> time() const;
    /// The values of a recorded variable at these instants; true is 1, false 0. Throws an Error if
    /// it was not recorded or is a text.
    std::span<const double> operator[](std::string_view name) const;
    /// All recorded variables.
    std::span<const std::string> names() const;
    /// The unit of measure of a recorded variable; empty: none is known.
    const std::string& unit(std::string_view name) const;
    /// What happened at events, in order.
    std::span<const Event> events() const;
    /// How far the results can be believed.
    const Trust& trust() const;
    /// Communication steps that were made.
    std::uint64_t steps() const;
    /// Whether the stop time was reached.
    bool is_complete() const;
    /// Why it was not: the unit that asked for the end, or the user. Empty: it was.
    const std::string& message() const;

    /// The type of a recorded variable: "float64", "int32", "boolean".
    std::string_view type(std::string_view name) const;
    /// Plots variables as SVG, a panel for each unit of measure. Names may be patterns: `winch.*`.
    std::string plot(std::span<const std::string> names) const;

private:
    struct Data;
    explicit Result(std::shared_ptr<const Data> data);
    friend struct facade::Access;

    std::shared_ptr<const Data> data_; ///< shared, as it never changes
};

/// Verifies the algorithm, runs to the end and gives the results. A failing unit is an Error.
Result run(const Scenario& scenario, const RunOptions& options = {});

/// The same of a simulation that the program steps through.
struct StartOptions {
    std::optional<double> start = {}; ///< [s]
    std::optional<double> stop = {};  ///< [s]
    std::optional<double> step = {};  ///< communication step [s]
    bool record = false;              ///< keep what the scenario records of each step, in memory
};

/// The state of a simulation with all its units between two steps. Copies share it.
class SavedState {
public:
    double time() const; ///< [s]

private:
    struct Data;
    explicit SavedState(std::shared_ptr<const Data> data);
    friend class Simulation;

    std::shared_ptr<const Data> data_; ///< shared, as it never changes
};

/// A simulation under way. Unless it records, read values between steps.
class Simulation {
public:
    ~Simulation();
    Simulation(Simulation&& other) noexcept;            ///< leaves nothing to use
    Simulation& operator=(Simulation&& other) noexcept; ///< leaves nothing to use

    /// Makes one communication step. False: the end was reached before, and nothing was done.
    bool step();
    /// The time that has been reached [s].
    double time() const;
    /// Whether the stop time was reached, or a unit has asked for the end.
    bool has_ended() const;

    /// The current value of any variable of any unit. T is double (integers and booleans become
    /// numbers), std::int64_t, bool, std::string, or Value for what the variable has.
    template <class T = double>
    T get(std::string_view name) const;

    /// Sets an input that is not connected, or a tunable parameter, from the next step on.
    void set(std::string_view name, const Value& value);

    /// The simulation as it is now. Error: a unit cannot save its state.
    SavedState save();
    /// Goes back to a state of this simulation. From there it gives the same results, bit by bit;
    /// what was recorded since then is dropped.
    void restore(const SavedState& state);

    /// How far the steps so far can be believed.
    Trust trust() const;
    /// What was recorded so far. Error: nothing was to be recorded.
    Result result() const;

private:
    struct Implementation;
    explicit Simulation(std::unique_ptr<Implementation> implementation);
    friend struct facade::Access;

    std::unique_ptr<Implementation> implementation_;
};

/// @cond the types that get() knows
template <>
double Simulation::get(std::string_view name) const;
template <>
std::int64_t Simulation::get(std::string_view name) const;
template <>
bool Simulation::get(std::string_view name) const;
template <>
std::string Simulation::get(std::string_view name) const;
template <>
Value Simulation::get(std::string_view name) const;
/// @endcond

/// Verifies the algorithm and initializes all units, without a step.
Simulation start(const Scenario& scenario, const StartOptions& options = {});

} // namespace rubato
