// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/rubato.hpp>

/// What can be known of scenarios and FMUs besides running them: the commands check, synthesize,
/// verify, graph, inspect, validate, simulate and export as functions.

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
