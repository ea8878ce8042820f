// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/measure.hpp>
#include <rubato/scenario/scenario.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// A system structure as its files say it: elements, connectors, connections and parameters.
namespace rubato::scenario::formats::ssp {

enum class ConnectorKind : std::uint8_t {
    input,
    output,
    parameter,
    calculated_parameter,
    structural_parameter,
    constant,
    local,
    inout,
    unspecified,
};
std::string_view to_string(ConnectorKind kind);

/// A unit of measure as a file names it.
struct MeasureName {
    std::string name; ///< empty: none
    std::optional<Measure> measure;
};

using Items = std::vector<EnumerationItem>;

struct Connector {
    std::string name;
    ConnectorKind kind = ConnectorKind::unspecified;
    MeasureName unit;
    std::shared_ptr<const Items> items; ///< of an enumeration
    bool is_array = false;
    Location where;
};

/// What becomes of one value of a boolean, an integer or an enumeration, whose items may be given
/// by name.
struct MappedValue {
    Value from, to;
    friend bool operator==(const MappedValue&, const MappedValue&) = default;
};

/// What a connection or a parameter mapping does to values: scales them, or looks them up.
struct Transformation {
    double factor = 1, offset = 0;
    std::vector<MappedValue> map; ///< empty: none
    bool is_identity() const { return factor == 1 && offset == 0 && map.empty(); }
};

struct Link {
    std::string start_element, start_connector; ///< no element: the system that it is in
    std::string end_element, end_connector;
    std::string start_indices, end_indices; ///< "[2,1]"; empty: all elements
    bool suppresses_conversion = false;
    Transformation transformation;
    Location where;
};

/// A value of a parameter set, after prefix and mapping.
struct ParameterValue {
    std::string name;
    Value value;
    std::vector<Value> elements; ///< of an array; then `value` is not used
    MeasureName unit;
    std::shared_ptr<const Items> items; ///< of an enumeration
    bool suppresses_conversion = false;
    Transformation transformation;
    Location where;
};

/// Settings of OMSimulator and of the Open Simulation Platform, found in annotations.
/// `SolverHints::method` of a component that has a step of its own.
inline constexpr const char* own_step = "own step";

struct SolverHints {
    std::optional<double> step;      ///< of the master
    std::optional<double> tolerance; ///< relative
    std::optional<double> initial_step, minimum_step, maximum_step;
    std::string method; ///< "oms-ma", "cvode", …; empty: none
    Location where;
};

struct Element {
    enum class Kind : std::uint8_t { component, system, dictionary_reference };
    Kind kind = Kind::component;
    std::string name;
    Location where;
    std::vector<Connector> connectors;
    std::vector<std::vector<ParameterValue>> bindings; ///< the later, the stronger
    std::vector<SolverHints> hints;

    // Components.
    std::filesystem::path source; ///< of the FMU, as units of the scenario name it
    std::optional<Interface> interface;
    bool is_isolated = false;                     ///< the FMU runs in a process of its own
    const UnitDescription* description = nullptr; ///< of the FMU; null: not known

    // Systems.
    std::vector<std::unique_ptr<Element>> elements;
    std::vector<Link> links;
    std::vector<std::string> dictionaries;

    // References of signal dictionaries.
    std::string dictionary;

    Element* parent = nullptr; ///< null: the root

    const Connector* find_connector(std::string_view connector) const;
    Element* find_element(std::string_view element) const;
};

struct Structure {
    std::string name;
    std::unique_ptr<Element> root; ///< null: there is none, which has been reported
    std::optional<double> start, stop;
    std::vector<SolverHints> hints; ///< of the default experiment
};

} // namespace rubato::scenario::formats::ssp
