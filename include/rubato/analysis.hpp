// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/rubato.hpp>

#include <complex>

/// What can be known of scenarios and FMUs besides running them: the commands check, synthesize,
/// verify, graph, transform, tune, stability, inspect, validate, simulate, import and export as
/// functions.

namespace rubato {

/// A variable of a unit.
struct VariableInfo {
    std::string name;
    std::string type;        ///< "float64", "int32", "boolean", …
    std::string causality;   ///< "input", "output", "parameter", …
    std::string variability; ///< "continuous", "tunable", …
    std::string unit;        ///< of measure; empty: none
    std::string description;
    std::optional<Value> start;
    std::optional<double> minimum, maximum, nominal;
    std::vector<std::uint64_t> shape; ///< of an array; empty: a scalar
};

/// What a unit is, without running it.
struct UnitInfo {
    std::string model;  ///< name of the model
    std::string kind;   ///< "FMI 2.0 co-simulation", "native model", …
    std::string source; ///< file, or name of the native model
    std::string description;
    std::string tool; ///< that made it
    std::vector<VariableInfo> variables;
    bool can_save = false;                              ///< its state
    std::optional<double> start, stop, step, tolerance; ///< that it suggests
};

/// A unit of a scenario. Throws InputError if there is none of the name, or it cannot be read.
UnitInfo describe(const Scenario& scenario, std::string_view unit);
/// An FMU: what `rubato inspect` shows.
UnitInfo inspect(const std::filesystem::path& fmu, const LoadOptions& options = {});

/// What `rubato check` finds.
struct Check {
    std::vector<Diagnostic> problems; ///< errors, warnings and notes
    std::vector<std::string> remarks; ///< what was derived and assumed
    bool is_correct() const;          ///< no error among the problems
};
Check check(const Scenario& scenario);

/// The algorithm that follows from the contracts: as text, or the whole scenario in a format that
/// scenarios are written in ("yaml", "conf"). What that cannot express is added to `losses`.
std::string synthesize(const Scenario& scenario, std::string_view format = "text",
                       std::vector<std::string>* losses = nullptr);

/// A way in which an algorithm breaks a contract.
struct Counterexample {
    std::string message;            ///< operation, contract and port, with times
    std::string hint;               ///< what would mend it; may be empty
    std::vector<std::string> trace; ///< the operations from the start that lead there
};

/// What `rubato verify` finds.
struct Verification {
    enum class Outcome : std::uint8_t { correct, wrong, not_decided };
    Outcome outcome = Outcome::correct;
    std::vector<Counterexample> counterexamples; ///< if wrong; the shortest first
    std::optional<Counterexample> undecided;     ///< why it is not decided
    std::uint64_t runs = 0;                      ///< that were explored
};
Verification verify(const Scenario& scenario);

/// What the operation graph is drawn of.
struct GraphOptions {
    std::string of = "step"; ///< or "initialization", "event"
    std::optional<std::string> configuration = {};
    std::string format = "svg"; ///< or "dot"
};
/// The operation graph, as `rubato graph` draws it.
std::string graph(const Scenario& scenario, const GraphOptions& options = {});
/// Units and connections as SVG.
std::string diagram(const Scenario& scenario);

/// A violation of the FMI standard.
struct Violation {
    std::string rule;    ///< its identifier
    Location where;      ///< in the model description
    std::string message; ///< what is wrong
    std::string hint;
    std::string treatment;   ///< what Rubato does: "ignored", …
    std::string consequence; ///< what follows from that
};
std::vector<Violation> validate(const std::filesystem::path& fmu);

/// The run of a single FMU; what is absent is as the FMU suggests.
struct SimulateOptions {
    std::optional<double> start = {}, stop = {}, step = {}, tolerance = {};
    std::vector<std::string> settings = {};     ///< parameters and start values: `k=3`
    std::vector<std::string> record = {};       ///< names or patterns; empty: the outputs
    std::optional<std::filesystem::path> input; ///< a table for its inputs, CSV
    std::optional<std::string> interface = {};  ///< "cs" or "me"; none: cs if it offers that
    RunOptions run = {};                        ///< its start, stop, step and record are not used
};
Result simulate(const std::filesystem::path& fmu, const SimulateOptions& options = {},
                const LoadOptions& load = {});

/// How a scenario is exported.
struct ExportOptions {
    int fmi = 2;            ///< version of FMI, 2 or 3
    bool overwrite = false; ///< replace a file that exists
};
/// Writes the scenario as one FMU that needs no Rubato, and gives its size in bytes.
std::uintmax_t export_fmu(const Scenario& scenario, const std::filesystem::path& target,
                          const ExportOptions& options = {});

/// Writes the scenario as an SSP 1.0 package with its FMUs, and gives its size in bytes.
std::uintmax_t export_ssp(const Scenario& scenario, const std::filesystem::path& target,
                          bool overwrite = false);

/// Writes the scenario to a file, which is replaced: `.conf` or else YAML. Relative paths lead from
/// there to the same files. What the format cannot hold goes to the log as a warning.
void save(const Scenario& scenario, const std::filesystem::path& file);

/// How a system of another tool is imported.
struct ImportOptions {
    std::string variant;    ///< of an SSP package: which of its descriptions; empty: the default
    bool overwrite = false; ///< replace files that exist
};
/// Writes a system of another tool (SSP, OSP, Maestro, MasterSim) as a scenario in YAML, with FMUs
/// of packages in a folder next to it. What has no exact counterpart goes to the log.
Scenario import_system(const std::filesystem::path& system, const std::filesystem::path& target,
                       const ImportOptions& options = {}, const LoadOptions& load = {});

/// A scenario that was rewritten.
struct Transformation {
    /// What was done about one concern.
    struct Stage {
        std::string concern;
        bool is_present = false;              ///< false: there was nothing to do
        std::vector<std::string> explanation; ///< a line for each change
    };
    Scenario scenario;
    std::vector<Stage> stages; ///< in their order
};
/// Rewrites the scenario so that the simplest algorithm, Jacobi, suffices. Concerns are "causality",
/// "loops", "accuracy" and "communication"; empty: all.
Transformation transform_scenario(const Scenario& scenario,
                                  std::span<const std::string> concerns = {});

/// Whether the coupling is stable: the map of one communication step, linearized.
struct Stability {
    struct Share {
        std::string name;
        double part = 0; ///< of the sum over all
    };
    struct Mode {
        std::complex<double> eigenvalue; ///< one of a conjugate pair
        std::vector<Share> connections;  ///< whose gains move it; largest first
        std::vector<Share> units;        ///< the same, summed over the inputs of each unit
    };
    bool is_stable = false;
    double spectral_radius = 0;
    double uncertainty = 0;           ///< of the spectral radius
    double time = 0;                  ///< of the linearization [s]
    double step = 0;                  ///< of communication [s]
    std::vector<Mode> modes;          ///< largest magnitude first
    std::vector<std::string> remarks; ///< what limits this
    std::string picture;              ///< the eigenvalues in the complex plane, SVG
};
/// Linearizes at a time, by default the start. Error: units cannot save their states.
Stability analyze_stability(const Scenario& scenario, std::optional<double> at = {});

/// How long the communication steps of an algorithm can be.
struct StableStep {
    std::string algorithm;
    std::optional<double> stable;   ///< the longest that was found stable; none: no step was
    std::optional<double> unstable; ///< the shortest that was found unstable above it
    std::optional<double> radius;   ///< spectral radius with the scenario's step
    std::string reason;             ///< why nothing longer, or nothing at all, was tried
};
/// The same for every algorithm.
std::vector<StableStep> find_stable_steps(const Scenario& scenario, std::optional<double> at = {});

/// A search for the cheapest way to run a scenario.
struct TuneOptions {
    double tolerance = 1e-3;       ///< of recorded real variables, relative to their ranges
    double budget = 60;            ///< time that the search may take [s]
    std::string minimize = "time"; ///< or "messages", "unit-steps"
    unsigned parallel = 0;         ///< runs at the same time; 0: one for each processor
    /// Called with the number of runs so far, some at a time, on the thread that searches.
    std::function<void(std::size_t runs)> progress = {};
    /// Set to true by another thread: the search ends with what it has found. Null: nobody asks.
    const std::atomic<bool>* stop_request = nullptr;
};
/// What was found.
struct Tuning {
    /// A run in one way.
    struct Trial {
        std::string way;   ///< "gauss-seidel, linear inputs, steps of 0.01 s"
        double error = 0;  ///< the largest of a recorded variable, relative to its range
        std::string worst; ///< that variable
        double seconds = 0, messages = 0, unit_steps = 0; ///< what it costs
        bool is_within = false;                           ///< the tolerance
        std::string fault;                                ///< why it has no result
    };
    std::vector<Trial> trials;        ///< the first one is the scenario as given
    std::optional<std::size_t> best;  ///< none: nothing is within the tolerance
    std::vector<std::size_t> front;   ///< cheapest first, each with less error than those before
    std::string reference;            ///< the way that errors are measured against
    double reference_change = 0;      ///< of its results with half the step
    bool reference_is_sure = false;   ///< that is small compared with the tolerance
    std::string stopped;              ///< why the search ended
    std::optional<Scenario> scenario; ///< that runs in the best way
};
/// Runs the scenario in many ways, each in a process of its own, which it forks: other threads of
/// this process must not hold locks that a unit needs.
Tuning tune(const Scenario& scenario, const TuneOptions& options = {});

/// A setting of scenarios, as it is declared once for files, options and programs.
struct SettingInfo {
    std::string path; ///< "step-control.tolerance", "units.<name>.solver.method"
    std::string type; ///< "number", "integer", "boolean", "text", "list of texts" or "choice"
    std::vector<std::string> choices;         ///< of a choice
    std::optional<std::string> default_value; ///< as in YAML
    std::string meaning;
};
std::vector<SettingInfo> settings();

/// The version of Rubato: "0.1.0".
std::string_view version();

} // namespace rubato
