// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/engine/processes.hpp>
#include <rubato/pipeline/assembly.hpp>

#include <functional>

namespace rubato::cli {

/// Runs a command in this process, or together with the others if mpirun has started several; null:
/// it is alone. An error of one process ends all, and one of them reports it. Returns the exit code.
int in_processes(const std::function<int(engine::Processes*)>& command);

/// Throws InputError unless all processes have the same program, scenario and files.
void require_same_inputs(engine::Processes& processes, const pipeline::Assembly& assembly,
                         const unit::Library& library);

/// Which process has which unit: ranks, by unit. Throws InputError.
std::vector<std::uint32_t> place(engine::Processes& processes, const pipeline::Assembly& assembly);

/// What all processes would say alike is said by the first one. The others pass on what their own
/// units write, once these run.
class ProcessLog final : public Log {
public:
    /// `inner` must outlive it.
    ProcessLog(Log& inner, bool is_first) : inner_(inner), is_first_(is_first) {}
    void let_units_write() { units_write_ = true; }
    void write(LogLevel level, std::string_view source, std::string_view message) override {
        if (is_first_ || (units_write_ && !source.empty())) inner_.write(level, source, message);
    }

private:
    Log& inner_;
    const bool is_first_;
    std::atomic<bool> units_write_ = false;
};

} // namespace rubato::cli
