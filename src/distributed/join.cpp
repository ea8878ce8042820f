// SPDX-License-Identifier: Apache-2.0
#include "module.hpp"

#include <rubato/distributed/join.hpp>
#include <rubato/private/format.hpp>

#include <array>
#include <cstdlib>
#include <string>

namespace rubato::distributed {

namespace {

/// What launchers tell their processes: how many there are, and which of them this is.
struct Launcher {
    const char* size;
    const char* rank;
};
constexpr std::array launchers = {Launcher{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                  Launcher{"PMI_SIZE", "PMI_RANK"},
                                  Launcher{"SLURM_NTASKS", "PMIX_RANK"}}; // srun with PMIx

} // namespace

std::optional<unsigned> launched_rank() {
    for (const auto& [size, rank] : launchers) {
        const char* const how_many = std::getenv(size);
        const char* const which = std::getenv(rank);
        if (how_many && which && std::strtoul(how_many, nullptr, 10) > 1)
            return static_cast<unsigned>(std::strtoul(which, nullptr, 10));
    }
    return std::nullopt;
}

std::unique_ptr<engine::Processes> join() {
    const auto join = reinterpret_cast<JoinFunction>(
        files::module_function(mpi_module, "rubato_join_processes",
                               "a run in several processes (mpirun has started this one)"));
    // Crashes are reported by the program, with the unit (cli/crash_guard.cpp).
    constexpr int keep = 0;
    ::setenv("OMPI_MCA_opal_signal", "", keep);
    // Who waits gives way by itself (MpiProcesses::give_way): a yield in every call of MPI, which
    // Open MPI makes where ranks share processors, would take milliseconds on a busy machine.
    ::setenv("OMPI_MCA_mpi_yield_when_idle", "0", keep);
    const char* problem = nullptr;
    std::unique_ptr<engine::Processes> processes(join(&problem));
    if (!processes) throw Error(format("MPI does not start: {}", problem));
    return processes;
}

} // namespace rubato::distributed
