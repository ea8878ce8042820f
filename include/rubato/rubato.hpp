// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/log.hpp>
#include <rubato/core/value.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
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

class Result;
class Simulation;
struct RunOptions;
struct StartOptions;

/// How a scenario is loaded.
struct LoadOptions {
    /// Native models of the program, besides those that come with Rubato. They must outlive the
    /// scenario.
    std::vector<const model::ModelType*> models = {};
    Log* log = nullptr;  ///< gets warnings and what units log; null: they are dropped
    bool strict = false; ///< refuse FMUs that break the standard anywhere
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

    /// What the scenario is now, as YAML.
    std::string to_yaml() const;

private:
    struct Implementation;
    explicit Scenario(std::unique_ptr<Implementation> implementation);
    friend Scenario load(const std::filesystem::path& file, const LoadOptions& options);
    friend Scenario load_text(std::string_view text, const std::filesystem::path& file,
                              const LoadOptions& options);
    friend Result run(const Scenario& scenario, const RunOptions& options);
    friend Simulation start(const Scenario& scenario, const StartOptions& options);

    std::unique_ptr<Implementation> implementation_;
};

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

/// What a run starts from and where it ends; what is absent is as the scenario has it.
struct RunOptions {
    std::optional<double> start = {}; ///< [s]
    std::optional<double> stop = {};  ///< [s]
    std::optional<double> step = {};  ///< communication step [s]
    /// Names or patterns of what is recorded: `winch.*`; empty: as the scenario has it.
    std::vector<std::string> record = {};
    /// Where to write the results, too: CSV, with metadata and events in files next to it. Empty:
    /// no file is written.
    std::filesystem::path results = {};
    bool overwrite = false; ///< replace a file that is not known to hold results of the scenario
    /// Set to true by another thread: the run ends after the step it is in. Null: nobody asks.
    const std::atomic<bool>* stop_request = nullptr;
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

private:
    struct Data;
    explicit Result(std::shared_ptr<const Data> data);
    friend Result run(const Scenario& scenario, const RunOptions& options);

    std::shared_ptr<const Data> data_; ///< shared, as it never changes
};

/// Verifies the algorithm, runs to the end and gives the results. A failing unit is an Error.
Result run(const Scenario& scenario, const RunOptions& options = {});

/// The same of a simulation that the program steps through.
struct StartOptions {
    std::optional<double> start = {}; ///< [s]
    std::optional<double> stop = {};  ///< [s]
    std::optional<double> step = {};  ///< communication step [s]
};

/// A simulation under way. It records nothing: read values between steps.
class Simulation {
public:
    ~Simulation();
    Simulation(Simulation&& other) noexcept;            ///< leaves nothing to use
    Simulation& operator=(Simulation&& other) noexcept; ///< leaves nothing to use

    /// Makes one communication step. False: the end was reached before, and nothing was done.
    bool step();
    /// The time that has been reached [s].
    double time() const;

    /// The current value of any variable of any unit. T is double (integers and booleans become
    /// numbers), std::int64_t, bool or std::string.
    template <class T = double>
    T get(std::string_view name) const;

    /// Sets an input that is not connected, or a tunable parameter, from the next step on.
    void set(std::string_view name, const Value& value);

    /// How far the steps so far can be believed.
    Trust trust() const;

private:
    struct Implementation;
    explicit Simulation(std::unique_ptr<Implementation> implementation);
    friend Simulation start(const Scenario& scenario, const StartOptions& options);

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
/// @endcond

/// Verifies the algorithm and initializes all units, without a step.
Simulation start(const Scenario& scenario, const StartOptions& options = {});

} // namespace rubato
