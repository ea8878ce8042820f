// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "formats/foreign.hpp"
#include "formats/tree_values.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rubato::scenario::formats::maestro {

/// An FMU under its key: "{tank}".
struct Fmu {
    std::filesystem::path path; ///< as units name it
    Location where;
};

/// What is read, while it is.
struct Model {
    SystemFiles& files;
    Diagnostics& diagnostics;
    Reporter& reporter;
    Scenario scenario;
    std::map<std::string, Fmu> fmus;
    std::set<std::string> missing;                    ///< keys of FMUs that are not there
    std::map<std::string, std::size_t> units;         ///< of instances, "{tank}.wt"
    std::vector<const UnitDescription*> descriptions; ///< of units; null: not known
    std::set<std::string> names;                      ///< of units

    /// "{key}.instance.variable" as a unit and its variable. nullopt: it is none, which has been
    /// reported.
    std::optional<std::pair<std::size_t, std::string>> find(const std::string& text, Mark mark);
    /// `unit.variable`, or nothing.
    std::optional<std::string> name_of(const std::string& text, Mark mark);
};

/// The experiment, the algorithm, its constraints and what to record, from one file.
void read_settings(Model& model, MapReader& document);

} // namespace rubato::scenario::formats::maestro
