// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rubato/core/xml_writer.hpp>
#include <rubato/model/instance.hpp>

#include <string>
#include <vector>

namespace rubato::model {

/// The modelDescription.xml of a model's FMU.
std::string describe_fmi1(const ModelType& type, Interface interface);
std::string describe_fmi2(const ModelType& type);
std::string describe_fmi3(const ModelType& type);

// What they have in common.

/// Causality, variability and initial, spelled as in the standards; empty: not to be written.
struct Attributes {
    const char* causality = "";
    const char* variability = "";
    const char* initial = "";
    bool has_start = false;
};
Attributes attributes_of(const VariableType& variable);

/// The value that a new instance has, or the list of an array's.
std::string start_value(Instance& fresh, ValueRef reference);
/// The same of strings, and of binaries in hexadecimal digits.
std::vector<std::string> start_texts(Instance& fresh, ValueRef reference);

void write_attributes(Xml& xml, const Attributes& attributes);
void write_units(Xml& xml, const ModelType& type);
void write_log_categories(Xml& xml);
void write_default_experiment(Xml& xml, const ModelType& type);

/// What an output, local or derivative depends on between steps: states, the inputs that feed
/// through and, if it matters, time. With parameters: what it depends on during initialization.
std::vector<ValueRef> dependencies_of(const ModelType& type, const VariableType& variable,
                                      bool with_parameters);
/// "3 4 5"; `first` is the number of the first variable.
std::string join(const std::vector<ValueRef>& references, ValueRef first);

inline constexpr const char* solver_type = "Solver";
inline constexpr const char* solver_names[] = {"euler", "rk4", "exact"};
inline constexpr const char* solver_texts[] = {
    "explicit Euler", "the classical Runge-Kutta method of order 4",
    "exact, for linear models and inputs that are polynomials of degree up to 2"};

} // namespace rubato::model
