// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/value.hpp>
#include <rubato/scenario/algorithm_settings.hpp>
#include <rubato/scenario/approximation.hpp>
#include <rubato/scenario/clocks.hpp>
#include <rubato/scenario/constraints.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/event_settings.hpp>
#include <rubato/scenario/hla.hpp>
#include <rubato/scenario/loop_settings.hpp>
#include <rubato/scenario/machines.hpp>
#include <rubato/scenario/step_control.hpp>
#include <rubato/scenario/step_limits.hpp>
#include <rubato/scenario/unit_origin.hpp>
#include <rubato/scenario/written.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rubato::scenario {

/// When an input expects its value: before the unit steps, from a source that has already
/// advanced (`reactive`), or after (`delayed`).
enum class Reactivity { delayed, reactive };
std::string_view to_string(Reactivity reactivity);

/// A value for a parameter or a start value.
struct Assignment {
    std::string variable;
    Value value;
    Location where;
    std::vector<Value> elements;      ///< of an array, row by row; then `value` is not used
    std::vector<std::uint64_t> shape; ///< of nested lists; empty: the elements as one row
    friend bool operator==(const Assignment&, const Assignment&) = default;
};

/// What the scenario says of an input; the rest comes from the unit.
struct InputSettings {
    std::string name;
    std::optional<Approximation> approximation;
    std::optional<ApproximationMode> mode;
    std::optional<Reactivity> contract;
    Location where;
    std::optional<Join> join; ///< default: jump
    // For the choice of the order (docs/reference/scenario.md).
    std::optional<double> error_gain;       ///< 1/s: how an error of the input grows; default: 0
    std::optional<double> error_weight;     ///< of the input in its unit; default: 1/nominal
    std::optional<Variability> variability; ///< of a real; default: what the unit says
    friend bool operator==(const InputSettings&, const InputSettings&) = default;
};

/// What the scenario says of an output: the inputs that feed through to it, and when it has
/// converged.
struct OutputSettings {
    std::string name;
    std::optional<std::vector<std::string>> feedthrough; ///< during steps
    std::optional<std::vector<std::string>>
        feedthrough_initial; ///< during initialization; default: the same
    std::optional<double> absolute_tolerance, relative_tolerance; ///< default: the algorithm's
    std::optional<double> nominal; ///< its magnitude; default: what the unit says
    Location where;
    std::optional<Variability> variability; ///< of a real; default: what the unit says
    /// Between the points of a unit with its own step; default: that of the inputs that it feeds.
    std::optional<Approximation> approximation;
    friend bool operator==(const OutputSettings&, const OutputSettings&) = default;
};

/// How the equations of a model exchange FMU are solved.
enum class SolverMethod {
    cvode, ///< SUNDIALS' CVODE: variable order and step, BDF with Newton's method, for any model
    adams, ///< the same with Adams methods, for models that are not stiff
    euler, ///< explicit Euler with a fixed step
};
std::string_view to_string(SolverMethod method);

struct SolverSettings {
    SolverMethod method = SolverMethod::cvode;
    std::optional<double> tolerance;
    std::optional<double> max_step;
    std::optional<double> step;
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit(
            "method", self.method,
            "cvode (BDF, for any model), adams (for models that are not stiff) or euler (explicit, "
            "with a fixed step)");
        visit("tolerance", self.tolerance,
              "relative tolerance; default: that of the experiment, else of the FMU, else 1e-6");
        visit("max-step", self.max_step,
              "longest step of cvode and adams [s]; default: the communication step");
        visit("step", self.step, "step of euler [s]; default: the communication step");
    }
    friend bool operator==(const SolverSettings&, const SolverSettings&) = default;
};

/// How an FMU runs in a process of its own.
struct IsolationSettings {
    double time_limit = 60;
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("time-limit", self.time_limit,
              "longest time for one call of the FMU [s of wall clock]; 0: no limit");
    }
    friend bool operator==(const IsolationSettings&, const IsolationSettings&) = default;
};

/// What an FMU is to log.
struct LoggingSettings {
    bool on = true;
    std::vector<std::string> categories;
    int limit = 1000;
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("on", self.on, "whether the FMU logs");
        visit("categories", self.categories,
              "log categories of the FMU to enable; none: its own choice");
        visit("limit", self.limit,
              "messages of one level that are passed on; the others are counted");
    }
    friend bool operator==(const LoggingSettings&, const LoggingSettings&) = default;
};

/// Energy that a unit dissipates: in a step, the mean of the effort times what the displacement has
/// grown by. Both are variables of the unit.
struct LossSettings {
    std::string effort, displacement;
    Location where;
    friend bool operator==(const LossSettings&, const LossSettings&) = default;
};

/// Why something is there, for readers of the file: a comment. Scenarios that differ in nothing else
/// are equal.
struct Remark {
    std::string text;
    friend bool operator==(const Remark&, const Remark&) { return true; }
};

/// One simulator of the scenario: where it comes from, and what the scenario says of it.
struct Unit {
    std::string name;
    UnitOrigin origin;                        ///< none: it is only declared
    std::optional<Interface> type;            ///< of the FMU; none: co-simulation if it offers that
    std::optional<SolverSettings> solver;     ///< for model exchange
    std::optional<IsolationSettings> isolate; ///< none: the FMU runs in this process if it can
    std::optional<LoggingSettings> logging;   ///< of the FMU
    std::vector<Assignment> parameters;
    std::vector<Assignment> start;
    std::vector<InputSettings> inputs;
    std::vector<OutputSettings> outputs;
    std::optional<bool> can_reject_step;
    Location where;
    std::optional<int> sub_steps;     ///< equal parts that each step is cut in; none: it is not cut
    std::optional<double> step;       ///< its own, from the start on [s]; none: as all units
    std::vector<std::string> energy;  ///< variables whose sum is the energy that the unit holds
    std::vector<LossSettings> losses; ///< what it dissipates
    Remark remark;                    ///< why it is there
    friend bool operator==(const Unit&, const Unit&) = default;

    bool is_only_declared() const { return std::holds_alternative<Declared>(origin); }
};

/// `unit.port`, taken apart at the first dot.
struct PortName {
    std::string unit, port;
    friend bool operator==(const PortName&, const PortName&) = default;
};

/// `unit.variable`; where a unit is a scenario, variables of its units have a path: `unit/inner.x`.
std::string qualified_name(const std::string& unit, const std::string& variable);

/// nullopt: one of the two is missing.
std::optional<PortName> split_port_name(std::string_view text);

/// The same for a variable at any depth: of `drivetrain/clutch.torque` the unit is `drivetrain`, of
/// which the variable is called `/clutch.torque`.
std::optional<PortName> split_variable_path(std::string_view text);

/// How a connection makes an integer or a boolean of a number.
enum class TypeConversion {
    round, ///< to the nearest integer; halves away from zero
    floor,
    ceiling,
    truncate,  ///< towards zero
    nonzero,   ///< true: it is not 0
    threshold, ///< true: it exceeds the threshold
};
std::string_view to_string(TypeConversion conversion);

/// `target = factor · source + offset`, the source in the target's unit of measure.
struct Connection {
    std::string from_unit, from_port;
    std::string to_unit, to_port;
    double factor = 1;
    double offset = 0;
    Location where;
    bool convert = true; ///< between units of measure
    /// To an integer or a boolean, after factor and offset; none: as it is, and true is 1.
    std::optional<TypeConversion> to_type;
    double threshold = 0; ///< of TypeConversion::threshold
    friend bool operator==(const Connection&, const Connection&) = default;
};

/// Two connections between two units: one carries an effort (a force, a voltage), the other, back,
/// a flow (a velocity, a current). Their product is the power that goes from the unit that gives
/// the effort to the one that takes it.
struct BondSettings {
    std::string name;
    Connection effort, flow; ///< only who is connected counts
    Location where;
    friend bool operator==(const BondSettings&, const BondSettings&) = default;
};

/// How an output compares with a number; true is 1, false 0.
enum class Relation { equals, exceeds, falls_below };
std::string_view to_string(Relation relation);

/// `valve.open`, `supervisor.mode = 2`, `tank.level > 0.5`
struct Condition {
    std::string unit, output;
    Relation relation = Relation::equals;
    double value = 1;
    Location where;
    friend bool operator==(const Condition&, const Condition&) = default;
};

/// nullopt: the text is no condition.
std::optional<Condition> parse_condition(std::string_view text);
std::string to_string(const Condition& condition);

/// Contracts and connections that hold for a while, and the step procedure that keeps them.
struct ConfigurationSettings {
    struct Contract {
        std::string unit, input;
        Reactivity reactivity = Reactivity::delayed;
        Location where;
        friend bool operator==(const Contract&, const Contract&) = default;
    };
    std::string name;
    std::string procedure;           ///< name of its step procedure
    std::vector<Contract> contracts; ///< where they differ from those of the units
    std::vector<Connection> connections;
    std::optional<double> from;    ///< time at which it comes into force
    std::optional<Condition> when; ///< it is in force
    Location where;
    friend bool operator==(const ConfigurationSettings&, const ConfigurationSettings&) = default;
};

/// What follows a step that ended earlier than it was to: a unit accepted only part of it, or there
/// was an event within it.
enum class AfterPartialStep {
    return_to_grid, ///< a short step to the next of the points start + n·step
    proceed,        ///< a whole step from where it ended
};
std::string_view to_string(AfterPartialStep after);

struct Experiment {
    double start = 0;
    double stop = 1;
    double step = 0.01;
    std::optional<double> minimum_step; ///< none: negligible relative to the step
    std::optional<double> tolerance;    ///< handed to the units
    AfterPartialStep after_partial_step = AfterPartialStep::return_to_grid;
    /// What the author leaves open: assembling fills it in from what the units suggest.
    struct Open {
        bool start = false, stop = false, step = false, tolerance = false;
        friend bool operator==(const Open&, const Open&) = default;
    };
    Open open;
    Location where;

    /// Name, member and meaning of every setting: drives reading, writing, --help and the
    /// reference.
    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("start", self.start, "start time [s]; if units suggest one: the earliest");
        visit("stop", self.stop,
              "stop time [s]; if units suggest one: the latest; equal to start: the system is "
              "initialized and recorded once");
        visit("step", self.step, "communication step [s]; if units suggest one: the smallest");
        visit("minimum-step", self.minimum_step,
              "shortest step that a unit may force by rejecting steps [s]; default: a "
              "billionth of the step");
        visit(
            "after-partial-step", self.after_partial_step,
            "after a step that ended early: return-to-grid (a short step to the next of the points "
            "start + n·step) or continue (a whole step from there)");
        visit("tolerance", self.tolerance,
              "relative tolerance for the units' own solvers; if units suggest one: the "
              "smallest");
    }
    friend bool operator==(const Experiment&, const Experiment&) = default;
};

struct Recording {
    std::vector<std::string> variables; ///< names or patterns `unit.variable`; empty: all outputs
    int every = 1;
    std::optional<double> interval;
    bool bonds = false;
    int intermediate = 0;
    std::optional<std::string> file;
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("variables", self.variables,
              "names or patterns such as msd1.x1, msd2.*; default: every output");
        visit("every", self.every, "record every n-th communication point");
        visit("interval", self.interval,
              "record at start + n·interval [s] instead; communication steps end there");
        visit("bonds", self.bonds, "also record the power and the energy residual of bonds");
        visit("intermediate", self.intermediate,
              "also record up to this number of instants within each step, if the unit "
              "provides them");
        visit("file", self.file,
              "result file, relative to the working directory; default: results/<name>.csv");
    }
    friend bool operator==(const Recording&, const Recording&) = default;
};

/// A variable that a scenario shows to the outside: to the scenario that it is a unit of.
struct ExposedVariable {
    std::string name;
    std::vector<std::string> of; ///< `unit.variable`; inputs and parameters may stand for several
    Location where;
    friend bool operator==(const ExposedVariable&, const ExposedVariable&) = default;
};

/// What a scenario is as a unit.
struct InterfaceSettings {
    std::vector<ExposedVariable> inputs, outputs, parameters;
    Location where;
    friend bool operator==(const InterfaceSettings&, const InterfaceSettings&) = default;
};

/// A co-simulation as its author describes it: plain data, names not yet resolved.
struct Scenario {
    std::string name;
    std::filesystem::path file; ///< where it was read from; empty: made by a program
    std::vector<Unit> units;
    std::vector<Connection> connections;
    std::vector<BondSettings> bonds;
    std::vector<Constraint> constraints; ///< that are no connections
    std::vector<Machine> machines;       ///< none: all units run on one
    CommunicationSettings communication; ///< between machines
    Experiment experiment;
    StepControlSettings step_control;
    StepLimitSettings step_limits;
    AlgorithmSettings algorithm;
    LoopSettings loops;
    EventSettings events;
    Recording recording;
    std::optional<WrittenAlgorithm> written; ///< none: the algorithm is derived
    int largest_step = 1; ///< in ticks: what is verified is verified for steps of 1 … largest_step
    std::vector<ConfigurationSettings> configurations; ///< none: nothing changes during a run
    std::optional<Clocks> clocks;
    /// none: all outputs, all parameters, and the inputs that nothing is connected to.
    std::optional<InterfaceSettings> interface;
    HlaSettings hla; ///< what federates of other tools see and feed
    friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// What results and summaries call the algorithm: the recipe's name, or "hand-written".
std::string_view algorithm_label(const Scenario& scenario);

} // namespace rubato::scenario
