// SPDX-License-Identifier: Apache-2.0
#include "distributed_run.hpp"

#include "crash_guard.hpp"
#include "exit_code.hpp"
#include "problems.hpp"
#include "terminal.hpp"

#include <rubato/distributed/join.hpp>
#include <rubato/distributed/partition.hpp>
#include <rubato/files/reader_gone.hpp>
#include <rubato/files/temporary_folder.hpp>
#include <rubato/pipeline/placement.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace rubato::cli {
namespace {

/// Of the exception that is being handled.
int exit_code_of_exception() {
    try {
        throw;
    } catch (const files::ReaderGone&) {
        return exit_code::reader_gone;
    } catch (const InputError&) {
        return exit_code::bad_input;
    } catch (const NotDecided&) {
        return exit_code::not_decided;
    } catch (const Error&) {
        return exit_code::run_failed;
    } catch (...) {
        return exit_code::internal_error;
    }
}

/// Null: the first process reports why not.
std::unique_ptr<engine::Processes> join(unsigned rank) {
    try {
        return distributed::join();
    } catch (const Error&) {
        if (rank == 0) throw;
        return nullptr;
    }
}

/// Where not all processes have come to the end, those that have not must be ended, too.
void end_all(engine::Processes& processes, std::string_view message) {
    if (processes.is_complete()) return;
    print(stderr, format("{} {}\n", Style(stderr).red("rubato:"), message));
    files::remove_temporary_folders();
    processes.end(exit_code_of_exception());
}

/// The exit code is that of the process that reports: launchers end all processes when one of them
/// has another one than 0, and may do so before it has reported.
int run_jointly(engine::Processes& processes,
                const std::function<int(engine::Processes*)>& command) {
    const JointCrash joint_crash(processes);
    try {
        const int code = command(&processes);
        return processes.rank() == 0 ? code : exit_code::success;
    } catch (...) {
        try {
            processes.fail(std::current_exception());
        } catch (const std::exception& fault) {
            if (!processes.reports()) return exit_code::success;
            end_all(processes, fault.what());
            throw;
        }
        throw;
    }
}

std::set<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::set<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.insert(line);
    return lines;
}

/// "file winch.fmu 1f…" without the hash.
std::string without_hash(const std::string& line) { return line.substr(0, line.rfind(' ')); }

} // namespace

int in_processes(const std::function<int(engine::Processes*)>& command) {
    const std::optional<unsigned> rank = distributed::launched_rank();
    if (!rank) return command(nullptr);
    const std::unique_ptr<engine::Processes> processes = join(*rank);
    return processes ? run_jointly(*processes, command) : exit_code::success;
}

std::vector<std::uint32_t> place(engine::Processes& processes, const pipeline::Assembly& assembly) {
    std::vector<std::uint32_t> ranks = pipeline::placement_of(
        assembly, pipeline::unit_graph(assembly), processes.count(), distributed::partition);
    processes.broadcast(0, std::as_writable_bytes(std::span(ranks)));
    return ranks;
}

void require_same_inputs(engine::Processes& processes, const pipeline::Assembly& assembly,
                         const unit::Library& library) {
    std::string own;
    for (const std::string& line : pipeline::fingerprint_of(assembly, library)) own += line + "\n";
    const std::vector<std::string> all = processes.gather_everywhere(own);
    const std::set<std::string> first = lines_of(all.front());
    for (std::uint32_t rank = 1; rank < all.size(); ++rank) {
        const std::set<std::string> other = lines_of(all[rank]);
        std::vector<std::string> differences;
        std::ranges::set_symmetric_difference(first, other, std::back_inserter(differences));
        if (differences.empty()) continue;
        throw InputError(format("{} and {} differ: {} is not the same", processes.name_of(0),
                                processes.name_of(rank), without_hash(differences.front())),
                         "all processes of a run need the same program, scenario and FMUs");
    }
}

} // namespace rubato::cli
