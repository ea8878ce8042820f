// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "formats/foreign.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario::formats::msim {

/// A line of a project: words, where quotes hold words together.
struct Line {
    std::vector<std::string> words;
    std::string rest; ///< all after the second word
    Location where;
};

struct Simulator {
    std::string name;
    std::size_t cycle = 0;
    std::size_t unit = 0; ///< of the scenario
    const UnitDescription* description = nullptr;
};

/// What is read, while it is.
struct Project {
    std::filesystem::path file;
    SystemFiles& files;
    Diagnostics& diagnostics;
    Scenario scenario;
    std::vector<Simulator> simulators;
    std::map<std::string, Line> settings; ///< by keyword
    std::set<std::string> names;          ///< of units

    const Simulator* find(std::string_view name) const;
};

/// Seconds of "30 min". nullopt: it is no time, which has been reported.
std::optional<double> time_of(const Line& line, Diagnostics& diagnostics);

/// A factor to seconds; nullopt: not known.
std::optional<double> seconds_per(std::string_view unit);

/// The experiment, the algorithm and step control.
void settle(Project& project);

/// The text of a table as Rubato reads it: comma separated, names without units of measure, time in
/// seconds. Throws InputError with the reason.
std::string plain_table(const std::string& text, const std::string& label);

} // namespace rubato::scenario::formats::msim
