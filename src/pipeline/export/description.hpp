// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/xml_writer.hpp>
#include <rubato/pipeline/export.hpp>
#include <rubato/pipeline/scenario_unit.hpp>

#include <string>
#include <vector>

namespace rubato::pipeline {

/// What is said of an FMU besides its interface.
struct FmuNames {
    std::string model;      ///< name of the scenario
    std::string identifier; ///< of the library: a name in C
    std::string token;      ///< GUID or instantiation token
};

/// The modelDescription.xml of an exported scenario.
std::string describe_fmi2(const composite::Interface& interface, const FmuNames& names);
std::string describe_fmi3(const composite::Interface& interface, const FmuNames& names);

/// Why variables of the interface cannot be variables in FMI 2.0, a line each.
void check_fmi2(const composite::Interface& interface, Diagnostics& diagnostics);

// What they have in common.

/// The name of an enumeration's type: variables of one type share it. Empty: it declares none.
std::string enumeration_name(const composite::Interface& interface,
                             const scenario::Variable& variable);
/// One variable for each type of enumeration.
std::vector<const scenario::Variable*> enumerations(const composite::Interface& interface);

void write_units(Xml& xml, const composite::Interface& interface);
void write_log_categories(Xml& xml);
void write_default_experiment(Xml& xml, const composite::Interface& interface);
/// Causality, variability and, if it has one, initial.
void write_attributes(Xml& xml, const scenario::Variable& variable);
/// Unit, range and nominal value, as far as they are declared.
void write_limits(Xml& xml, const scenario::Variable& variable);
/// Start values, element by element; empty: it has none.
std::vector<Value> start_values(const scenario::Variable& variable);
/// As XML writes it.
std::string start_text(const Value& value, ValueType type);
/// An unknown of the model structure, with what it depends on. Variables are numbered from `first`.
void write_unknown(Xml& xml, const composite::Interface& interface,
                   const scenario::Dependencies& unknown, bool at_initialization, unsigned first);

} // namespace rubato::pipeline
