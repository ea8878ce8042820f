// SPDX-License-Identifier: Apache-2.0
#include "workers/worker_pool.hpp"

#include "workers/worker.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/temporary_folder.hpp>
#include <rubato/private/forked_copy.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>
#include <vector>

namespace rubato::pipeline {
namespace {

constexpr std::uint64_t no_item = ~std::uint64_t{0};
constexpr std::size_t most_workers = 1024;

std::int64_t now_in_nanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// What all processes see.
struct Shared {
    struct Place {
        std::atomic<std::uint64_t> item{no_item}; ///< that the worker is doing
        std::atomic<std::int64_t> since{0};       ///< [ns]
    };
    std::atomic<std::uint64_t> next{0}; ///< item that nobody has taken yet
    std::atomic<bool> stop{false};
    Place places[most_workers];
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
};

class SharedMemory {
public:
    SharedMemory() {
        void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw Error(format("cannot share memory with workers: {}", std::strerror(errno)));
        shared_ = new (memory) Shared;
    }
    ~SharedMemory() { ::munmap(shared_, sizeof(Shared)); }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    Shared& operator*() const { return *shared_; }
    Shared* operator->() const { return shared_; }

private:
    Shared* shared_ = nullptr;
};

/// A result on its way through a pipe: item, size, bytes.
struct Header {
    std::uint64_t item = 0;
    std::uint64_t size = 0;
};

void send(int descriptor, std::uint64_t item, const std::string& bytes) {
    const Header header{item, bytes.size()};
    std::string frame(reinterpret_cast<const char*>(&header), sizeof header);
    frame += bytes;
    write_all(descriptor, frame);
}

[[noreturn]] void work(Shared& shared, Shared::Place& place, int descriptor,
                       const WorkerPoolSettings& settings) {
    try {
        const WorkerTask task = settings.begin();
        while (!shared.stop.load()) {
            const std::uint64_t item = shared.next.fetch_add(1);
            if (item >= settings.items) break;
            place.since.store(now_in_nanoseconds());
            place.item.store(item);
            const std::optional<std::string> bytes = task(item, shared.stop);
            if (bytes) send(descriptor, item, *bytes);
            place.item.store(no_item);
        }
    } catch (...) { // the item under way is reported as one that ended its process
        ::_exit(1);
    }
    ::_exit(0);
}

/// A worker, seen from the process that started it.
struct Worker {
    std::size_t place = 0;
    std::filesystem::path folder;
    pid_t process = 0;
    int descriptor = -1;
    std::string received = {};
    bool has_ended = false;
    bool is_late = false;
};

class WorkerPool {
public:
    explicit WorkerPool(const WorkerPoolSettings& settings) : settings_(settings) {}
    ~WorkerPool() {
        for (Worker& worker : workers_) end(worker);
    }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    void run() {
        const std::size_t wanted =
            std::min({static_cast<std::size_t>(std::max(1u, settings_.workers)), most_workers,
                      settings_.items});
        for (std::size_t i = 0; i < wanted; ++i) start(i);
        while (!workers_.empty()) {
            wait();
            if (settings_.stop != nullptr && settings_.stop->load()) shared_->stop.store(true);
            std::vector<std::size_t> freed;
            for (Worker& worker : workers_)
                if (worker.has_ended) freed.push_back(conclude(worker));
            std::erase_if(workers_, [](const Worker& worker) { return worker.has_ended; });
            for (const std::size_t place : freed)
                if (is_work_left()) start(place);
            if (settings_.pulse) settings_.pulse();
        }
    }

private:
    bool is_work_left() const {
        return !shared_->stop.load() && shared_->next.load() < settings_.items;
    }

    void start(std::size_t place) {
        const std::filesystem::path folder = scratch_.path() / std::to_string(started_++);
        std::filesystem::create_directories(folder);
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) fail_to_start();
        shared_->places[place].item.store(no_item);
        const pid_t process = ForkedCopy::fork_on_purpose();
        if (process == 0) {
            ::close(ends[0]);
            become_worker(folder);
            work(*shared_, shared_->places[place], ends[1], settings_);
        }
        ::close(ends[1]);
        if (process < 0) {
            ::close(ends[0]);
            fail_to_start();
        }
        ::setpgid(process, process);
        workers_.push_back(
            {.place = place, .folder = folder, .process = process, .descriptor = ends[0]});
    }

    [[noreturn]] static void fail_to_start() {
        throw Error(format("cannot start a worker process: {}", std::strerror(errno)));
    }

    /// Until something has arrived, or for a short time.
    void wait() {
        constexpr int longest = 50; // ms
        std::vector<pollfd> descriptors;
        for (const Worker& worker : workers_) descriptors.push_back({worker.descriptor, POLLIN, 0});
        ::poll(descriptors.data(), descriptors.size(), longest);
        for (std::size_t i = 0; i < workers_.size(); ++i) {
            if (descriptors[i].revents != 0) receive(workers_[i]);
            check_limit(workers_[i]);
        }
    }

    void receive(Worker& worker) {
        char buffer[1 << 16];
        const ssize_t count = ::read(worker.descriptor, buffer, sizeof buffer);
        if (count > 0)
            worker.received.append(buffer, static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            worker.has_ended = true;
        deliver(worker);
    }

    /// All results that have arrived as a whole.
    void deliver(Worker& worker) {
        std::size_t at = 0;
        Header header;
        while (worker.received.size() - at >= sizeof header) {
            std::memcpy(&header, worker.received.data() + at, sizeof header);
            if (worker.received.size() - at - sizeof header < header.size) break;
            settings_.done(static_cast<std::size_t>(header.item),
                           worker.received.substr(at + sizeof header, header.size));
            last_delivered_[worker.place] = header.item;
            at += sizeof header + header.size;
        }
        worker.received.erase(0, at);
    }

    void check_limit(Worker& worker) {
        if (!settings_.limit || worker.has_ended) return;
        const Shared::Place& place = shared_->places[worker.place];
        if (place.item.load() == no_item) return;
        const auto seconds = 1e-9 * static_cast<double>(now_in_nanoseconds() - place.since.load());
        worker.is_late = seconds > *settings_.limit;
        worker.has_ended = worker.is_late;
    }

    /// Reports the item that the worker was doing. Returns its place.
    std::size_t conclude(Worker& worker) {
        const int status = end(worker);
        const std::uint64_t item = shared_->places[worker.place].item.load();
        if (item == no_item || last_delivered_[worker.place] == item) {
            const bool is_clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
            if (item == no_item && !is_clean && ++idle_deaths_ > settings_.workers)
                throw Error("worker processes end before they have run anything");
            return worker.place;
        }
        if (shared_->stop.load() && !worker.is_late && WIFEXITED(status)) return worker.place;
        if (worker.is_late)
            settings_.failed(static_cast<std::size_t>(item),
                             format("not done after {}", report::human_duration(*settings_.limit)));
        else
            settings_.failed(static_cast<std::size_t>(item),
                             WIFSIGNALED(status)
                                 ? format("a unit crashed: signal {}", WTERMSIG(status))
                                 : std::string("a unit ended the process"));
        return worker.place;
    }

    /// A worker that has closed its pipe is about to exit, unless a unit has closed it.
    static void wait_for_exit(const Worker& worker) {
        constexpr auto longest = std::chrono::seconds(2);
        const auto deadline = std::chrono::steady_clock::now() + longest;
        siginfo_t info{};
        while (std::chrono::steady_clock::now() < deadline) {
            info.si_pid = 0;
            const auto process = static_cast<id_t>(worker.process);
            if (::waitid(P_PID, process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                info.si_pid != 0)
                return;
            ::usleep(200);
        }
    }

    /// Also processes that it has started. Returns its status.
    static int end(Worker& worker) {
        if (worker.process <= 0) return 0;
        if (worker.has_ended && !worker.is_late) wait_for_exit(worker);
        ::kill(-worker.process, SIGKILL); // it has not been reaped: the id is still its own
        ::close(worker.descriptor);
        int status = 0;
        while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
        }
        worker.process = 0;
        std::error_code ignored;
        std::filesystem::remove_all(worker.folder, ignored);
        return status;
    }

    const WorkerPoolSettings& settings_;
    SharedMemory shared_;
    const files::TemporaryFolder scratch_;
    std::vector<Worker> workers_;
    std::vector<std::uint64_t> last_delivered_ = std::vector<std::uint64_t>(most_workers, no_item);
    std::size_t started_ = 0;
    unsigned idle_deaths_ = 0;
};

} // namespace

void run_in_workers(const WorkerPoolSettings& settings) {
    if (settings.items == 0) return;
    WorkerPool(settings).run();
}

} // namespace rubato::pipeline
