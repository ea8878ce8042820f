// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/processes.hpp>

#include <cstdint>

/// What the program and the module with MPI and METIS have in common.
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

/// A function of the module, which is loaded. `purpose` is for the message when it is not there.
void* module_function(const char* name, const char* purpose);

} // namespace rubato::distributed
