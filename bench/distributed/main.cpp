// SPDX-License-Identifier: Apache-2.0

// mpirun -n 2 rubato_bench_distributed: what exchanging costs, next to bare MPI calls that move the
// same bytes in the same run, and what two processes gain.

#include "measure.hpp"

#include <rubato/distributed/join.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>

namespace rubato::bench {
namespace {

using engine::MessageSize;
using engine::Processes;

constexpr std::size_t doubles = 16; // from each neighbour

std::vector<std::uint32_t> neighbours_of(const Processes& all) {
    const std::uint32_t next = (all.rank() + 1) % all.count();
    const std::uint32_t before = (all.rank() + all.count() - 1) % all.count();
    return next == before ? std::vector{next} : std::vector{before, next};
}

/// Persistent requests to and from both neighbours, with nothing around them.
class BareExchange {
public:
    explicit BareExchange(const Processes& all) {
        for (const std::uint32_t other : neighbours_of(all)) {
            constexpr int tag = 30'000;
            const int rank = static_cast<int>(other);
            auto& [sent, received] = buffers_[requests_.size() / 2];
            MPI_Recv_init(received.data(), doubles, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD,
                          &requests_.emplace_back(MPI_REQUEST_NULL));
            MPI_Send_init(sent.data(), doubles, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD,
                          &requests_.emplace_back(MPI_REQUEST_NULL));
        }
    }
    ~BareExchange() {
        for (MPI_Request& request : requests_) MPI_Request_free(&request);
    }
    BareExchange(const BareExchange&) = delete;
    BareExchange& operator=(const BareExchange&) = delete;

    void exchange() {
        const int count = static_cast<int>(requests_.size());
        MPI_Startall(count, requests_.data());
        MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE);
    }

private:
    struct Pair {
        std::array<double, doubles> sent{}, received{};
    };
    std::array<Pair, 2> buffers_;
    std::vector<MPI_Request> requests_;
};

std::unique_ptr<engine::Messages> open_ring(Processes& all) {
    std::vector<MessageSize> sizes;
    for (const std::uint32_t other : neighbours_of(all))
        sizes.push_back({other, doubles * sizeof(double)});
    return all.open(sizes, sizes);
}

/// Seconds of one call, the least of many rounds in which all programs take turns.
std::vector<double> seconds_of_each(std::span<const std::function<void()>> programs) {
    constexpr int calls = 2000, rounds = 15;
    std::vector<std::function<void()>> repeated;
    for (const auto& program : programs)
        repeated.push_back([&program] {
            for (int i = 0; i < calls; ++i) program();
        });
    std::vector<double> seconds = best_of(rounds, repeated);
    for (double& each : seconds) each /= calls;
    return seconds;
}

/// A ring of native nodes, each fed by both its neighbours.
scenario::Scenario ring(int nodes, std::int64_t work) {
    scenario::Scenario scenario;
    scenario.name = "ring";
    for (int i = 0; i < nodes; ++i) {
        scenario::Unit unit;
        unit.name = format("node{}", i);
        unit.origin = scenario::NativeModel{"node"};
        unit.parameters = {{"work", work, {}}};
        unit.start = {{"y", static_cast<double>(i % 7), {}}};
        scenario.units.push_back(unit);
        const auto connect = [&](int to, const char* input) {
            scenario.connections.push_back({unit.name, "y", format("node{}", to), input});
        };
        connect((i + 1) % nodes, "a");
        connect((i + nodes - 1) % nodes, "b");
    }
    scenario.experiment = {.start = 0, .stop = 1e6, .step = 1e-3};
    scenario.algorithm.recipe = scenario::Recipe::jacobi;
    return scenario;
}

/// Seconds of a step of the ring, in this process or in all.
double step_seconds(int nodes, std::int64_t work, int steps, Processes* all) {
    unit::Library library(silent_log());
    pipeline::add_native_models(library);
    Diagnostics diagnostics;
    const pipeline::Assembly assembly = pipeline::assemble(ring(nodes, work), library, diagnostics);
    diagnostics.throw_if_errors();
    pipeline::BuildOptions options{.processes = all};
    for (int i = 0; all && i < nodes; ++i)
        options.placement.push_back(static_cast<std::uint32_t>(i) * all->count() /
                                    static_cast<std::uint32_t>(nodes));
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log(), options);
    simulation.initialize();
    double best = std::numeric_limits<double>::infinity();
    constexpr int rounds = 7;
    for (int round = 0; round < rounds; ++round)
        best = std::min(best, seconds_of([&] {
                            for (int i = 0; i < steps; ++i) simulation.step();
                        }));
    return best / steps;
}

/// Rounds of work that make a step of a node take 10 µs.
std::int64_t work_of_ten_microseconds() {
    constexpr std::int64_t trial = 2000;
    const double idle = step_seconds(2, 0, 2000, nullptr) / 2;
    const double busy = step_seconds(2, trial, 500, nullptr) / 2;
    return std::llround(static_cast<double>(trial) * (10e-6 - idle) / (busy - idle));
}

void print_exchange(Processes& all) {
    BareExchange bare(all);
    const auto own = open_ring(all);
    std::array<double, 3> numbers{};
    const std::function<void()> programs[] = {
        [&] { bare.exchange(); }, [&] { own->exchange(); }, [&] { all.take_largest(numbers); },
        [&] {
            MPI_Allreduce(MPI_IN_PLACE, numbers.data(), 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }};
    const auto seconds = seconds_of_each(programs);
    if (all.rank() != 0) return;
    constexpr double micro = 1e6;
    std::printf("%s",
                format("exchange in a ring of {} ranks, {} bytes   {:7.2f} µs   bare MPI {:7.2f} "
                       "µs   ratio {:.2f}\n",
                       all.count(), doubles * sizeof(double), micro * seconds[1],
                       micro * seconds[0], seconds[1] / seconds[0])
                    .c_str());
    std::printf("%s", format("reduction of 3 numbers                  {:7.2f} µs   MPI_Allreduce "
                             "{:5.2f} µs   ratio {:.2f}\n",
                             micro * seconds[2], micro * seconds[3], seconds[2] / seconds[3])
                          .c_str());
}

void print_speed(Processes& all) {
    std::int64_t work = all.rank() == 0 ? work_of_ten_microseconds() : 0;
    all.broadcast(0, std::as_writable_bytes(std::span(&work, 1)));
    for (const int nodes : {10, 100}) {
        const int steps = 20'000 / nodes;
        const double alone = all.rank() == 0 ? step_seconds(nodes, work, steps, nullptr) : 0;
        const double together = step_seconds(nodes, work, steps, &all);
        if (all.rank() != 0) continue;
        std::printf("%s",
                    format("ring of {} units of 10 µs: a step takes {:.1f} µs in one process, "
                           "{:.1f} µs in {}: {:.2f} times as fast\n",
                           nodes, 1e6 * alone, 1e6 * together, all.count(), alone / together)
                        .c_str());
    }
}

int run() {
    const auto all = distributed::join();
    print_exchange(*all);
    print_speed(*all);
    return 0;
}

} // namespace
} // namespace rubato::bench

int main() {
    try {
        constexpr int keep = 0;
        ::setenv("OMPI_MCA_mpi_yield_when_idle", "1",
                 keep); // as bare MPI has it on shared processors
        return rubato::bench::run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
