// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/processes.hpp>

#include <cstdint>

/// What the program and its modules have in common.
namespace rubato::distributed {

/// A graph in the form of METIS: of vertex v, edges begin at `begins[v]`.
struct PartitionProblem {
    std::int32_t vertices = 0;
    const std::int32_t* begins = nullptr;
    const std::int32_t* neighbours = nullptr;
    const std::int32_t* edge_weights = nullptr;
    const std::int32_t* vertex_weights = nullptr;
    std::int32_t parts = 1;
};

/// "rubato_join_processes": null means that `problem` says why not.
using JoinFunction = engine::Processes* (*)(const char** problem);
/// "rubato_partition": parts, by vertex. False: METIS has failed.
using PartitionFunction = bool (*)(const PartitionProblem& problem, std::int32_t* parts);

/// A shared library that the program loads when it needs it.
struct Module {
    const char* name;      ///< "rubato-mpi.so"
    const char* variable;  ///< of the environment, that names another file
    const char* libraries; ///< that it needs, for messages
    const char* remedy;    ///< where it is not there
};
constexpr Module mpi_module = {.name = "rubato-mpi.so",
                               .variable = "RUBATO_MPI",
                               .libraries = "Debian: openmpi-bin, libmetis5",
                               .remedy = "install Rubato as a whole"};

/// A function of a module, which is loaded. `purpose` is for the message when it is not there.
void* module_function(const Module& module, const char* name, const char* purpose);

} // namespace rubato::distributed
