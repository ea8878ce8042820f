// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "xml_source.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/scenario/system_files.hpp>

#include <filesystem>
#include <optional>
#include <set>
#include <string>

/// What readers of other tools' systems share.
namespace rubato::scenario::formats {

/// A name that units may have: made of letters, digits, _ and -, others replaced by _.
std::string plain_name(const std::string& name);

/// `name`, or `name_2` and so on; then it is taken.
std::string unique_name(const std::string& name, std::set<std::string>& taken);

/// A path of a URI, relative or absolute. nullopt: it is another kind of URI, which has been
/// reported. The fragment, after "#", goes to `fragment`.
std::optional<std::filesystem::path> path_of_uri(const XmlSource& source, pugi::xml_node node,
                                                 const std::string& uri, std::string& fragment);

/// An FMU that a URI names.
struct FmuReference {
    std::filesystem::path path;
    std::string fragment;
    bool is_isolated = false; ///< it runs in a process of its own
};

/// The same for an FMU. The Open Simulation Platform writes "proxyfmu://localhost?file=a.fmu" for
/// "a.fmu" in a process of its own.
std::optional<FmuReference> fmu_of_uri(const XmlSource& source, pugi::xml_node node,
                                       const std::string& uri);

/// The variable, or the array that an element belongs to; null: there is none, or nothing is known.
const Variable* find_variable(const UnitDescription* description, const std::string& name);

/// Gives a variable its value: among the parameters or the start values, as the FMU says, else as
/// the file does. A real that is a whole number is one where an integer is wanted. A value that the
/// FMU computes is named.
void add_value(Unit& unit, Assignment assignment, const Variable* variable,
               bool is_declared_parameter, Diagnostics& diagnostics);

/// Gives all parameters that have no value the start values of the description, as Maestro and
/// MasterSim do: FMUs may have others built in.
void add_declared_parameters(Unit& unit, const UnitDescription& description);

} // namespace rubato::scenario::formats
