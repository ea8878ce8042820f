// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/processes.hpp>
#include <rubato/files/module.hpp>

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

/// MPI loads parts of itself later, which use the symbols of the rest.
constexpr files::Module mpi_module = {.name = "rubato-mpi.so",
                                      .variable = "RUBATO_MPI",
                                      .libraries = "Debian: openmpi-bin, libmetis5",
                                      .is_global = true};

} // namespace rubato::distributed
