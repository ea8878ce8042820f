// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace rubato::pipeline {

/// What a worker does with an item: its result as bytes. nullopt: `stop` became true before it was
/// done. Exceptions end the worker; an item that may fail says so in its bytes.
using WorkerTask =
    std::function<std::optional<std::string>(std::size_t item, const std::atomic<bool>& stop)>;

struct WorkerPoolSettings {
    std::size_t items = 0;
    unsigned workers = 1;
    std::optional<double> limit = {};        ///< of each item [s of wall clock]
    const std::atomic<bool>* stop = nullptr; ///< ends the work when it becomes true
    std::function<WorkerTask()> begin = {};  ///< called once in each worker process
    /// Called in this process, as items are done, in any order.
    std::function<void(std::size_t item, std::string bytes)> done = {};
    /// The same for items whose worker has crashed, or that were not done within the limit.
    std::function<void(std::size_t item, std::string reason)> failed = {};
    std::function<void()> pulse = {}; ///< called at least 10 times a second
};

/// Does items 0 … n − 1 in forked processes. Each process does many of them, one after another, so
/// that what it has loaded serves all; an item that crashes its process costs only that process,
/// which is replaced.
void run_in_workers(const WorkerPoolSettings& settings);

} // namespace rubato::pipeline
