// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "formats/foreign.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato::scenario::formats::osp {

struct Simulator {
    std::size_t unit = 0; ///< of the scenario
    std::filesystem::path source;
    const UnitDescription* description = nullptr; ///< null: not known
};

/// A function: it has no time of its own.
struct Function {
    enum class Kind : std::uint8_t { linear, sum };
    Kind kind = Kind::linear;
    std::string name;
    double factor = 1, offset = 0;
    int inputs = 1;
    int dimension = 0; ///< of a vector sum; 0: a scalar
    Location where;
};

/// A variable of a simulator, or a signal of a function.
struct Terminal {
    std::string owner; ///< simulator or function
    std::string name;
    bool is_signal = false;
};

struct Wire {
    Terminal from, to;
    Location where;
};

/// What is read, while it is.
struct System {
    const XmlSource& source;
    SystemFiles& files;
    std::filesystem::path file;
    Diagnostics& diagnostics;
    Scenario scenario;
    std::map<std::string, Simulator> simulators; ///< by name
    std::map<std::string, Function> functions;   ///< by name
    std::vector<Wire> wires;
};

/// Reads the element Connections.
void read_connections(System& system, pugi::xml_node list);

/// Two connections of one name are the two halves of a bond; `halves` has those whose other half is
/// still to come.
void add_bond(System& system, const std::string& name, const Wire& wire,
              std::map<std::string, Connection>& halves);

/// Makes connections and units of the wires.
void connect(System& system);

} // namespace rubato::scenario::formats::osp
