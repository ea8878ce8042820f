// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/processes.hpp>

#include <memory>
#include <optional>

/// Several processes as one run.
namespace rubato::distributed {

/// The rank that a launcher of MPI (mpirun, srun) has given this process among several; nullopt:
/// it was started alone.
std::optional<unsigned> launched_rank();

/// The processes that were started together with this one. Loads the MPI library, which other runs
/// do not need. Throws Error if this build has none, or if MPI cannot start.
std::unique_ptr<engine::Processes> join();

} // namespace rubato::distributed
