// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/constraints.hpp>
#include <rubato/scenario/step_size_unit.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rubato::scenario {

/// Only declared: the inputs and outputs are those that the scenario names. Such a unit can take
/// part in everything but a simulation.
struct Declared {
    friend bool operator==(const Declared&, const Declared&) = default;
};

struct FmuFile {
    std::filesystem::path file; ///< as written; relative to the scenario's folder
    friend bool operator==(const FmuFile&, const FmuFile&) = default;
};

/// A model that is compiled into the program.
struct NativeModel {
    std::string name;
    friend bool operator==(const NativeModel&, const NativeModel&) = default;
};

/// What the cells of a table's column are, and what holds between two rows.
enum class ColumnKind {
    continuous, ///< reals, linear from row to row
    discrete,   ///< reals, each held until the next row; so are all others
    integer,
    large_integer, ///< for uint64, beyond the range of int64
    boolean,
    string,
    binary, ///< in hexadecimal digits
};
std::string_view to_string(ColumnKind kind);

struct TableColumn {
    std::string name;
    ColumnKind kind = ColumnKind::continuous;
    Location where;
    friend bool operator==(const TableColumn&, const TableColumn&) = default;
};

/// Values over time.
struct TableFile {
    std::filesystem::path file;            ///< CSV, as written; relative to the scenario's folder
    std::vector<TableColumn> columns = {}; ///< where what they feed does not say what they hold
    /// Whether steps end where a column jumps; none: if all units accept steps of any size.
    std::optional<bool> stop_at_jumps = {};
    friend bool operator==(const TableFile&, const TableFile&) = default;
};

struct Scenario;

/// Another scenario, with its own algorithm and steps. Its section `interface` says which of its
/// variables are those of the unit.
struct NestedScenario {
    std::filesystem::path
        file; ///< as written; relative to the folder of the scenario; empty: inline
    std::shared_ptr<const Scenario> scenario = {}; ///< null: not read yet
    friend bool operator==(const NestedScenario& a, const NestedScenario& b);
};

/// An artificial unit that computes the inputs by which constraints are kept. Its inputs are called
/// as the outputs that are to be equal, `left.x`, its outputs as the inputs that it sets, `left.F`,
/// and as the constraints.
struct Links {
    std::vector<Constraint> links;
    friend bool operator==(const Links&, const Links&) = default;
};

/// Where a unit comes from. A new kind is an alternative here, its key in the formats
/// (formats/unit_origins.hpp), and a unit::UnitFactory that makes its units.
using UnitOrigin =
    std::variant<Declared, FmuFile, NativeModel, TableFile, NestedScenario, Links, StepSizeUnit>;

} // namespace rubato::scenario
