// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/log.hpp>
#include <rubato/distributed/partition.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/placement.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace rubato::studies::scaling {

namespace {

using engine::Processes;

double seconds_of(const std::function<void()>& program) {
    const auto before = std::chrono::steady_clock::now();
    program();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

/// Of one call: the least of a few rounds.
double least_seconds(int calls, const std::function<void()>& call) {
    constexpr int rounds = 5;
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round)
        least = std::min(least, seconds_of([&] {
                             for (int i = 0; i < calls; ++i) call();
                         }));
    return least / calls;
}

double largest_of_all(Processes& all, double own) {
    std::array numbers = {own};
    all.take_largest(numbers);
    return numbers[0];
}

double resident_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmRSS:") {
            double kibibytes = 0;
            status >> kibibytes;
            return 1024 * kibibytes;
        }
    return 0;
}

Wires measure_wires(Processes& all) {
    const std::uint32_t next = (all.rank() + 1) % all.count();
    const std::uint32_t before = (all.rank() + all.count() - 1) % all.count();
    std::vector<std::uint32_t> neighbours = {before};
    if (next != before) neighbours.push_back(next);
    const auto exchange_seconds = [&](std::size_t bytes, int calls) {
        std::vector<engine::MessageSize> sizes;
        for (const std::uint32_t other : neighbours) sizes.push_back({other, bytes});
        const auto messages = all.open(sizes, sizes);
        return least_seconds(calls, [&] { messages->exchange(); });
    };
    constexpr std::size_t few = 8, many = 1 << 20;
    const auto count = static_cast<double>(neighbours.size());
    Wires wires{.ranks = all.count()};
    wires.latency = exchange_seconds(few, 500) / count;
    wires.per_byte = std::max(0.0, exchange_seconds(many, 20) / count - wires.latency) / many;
    std::array<double, 3> numbers{};
    wires.reduction = least_seconds(500, [&] { all.take_largest(numbers); });
    return wires;
}

std::uint32_t root_of(std::uint32_t units) {
    std::uint32_t side = 1;
    while (side * side < units) ++side;
    return side;
}

/// Each unit is fed by those to its left and above it, on a torus.
scenario::Scenario grid(std::uint32_t side) {
    scenario::Scenario scenario;
    scenario.name = "grid";
    const auto name_of = [&](std::uint32_t row, std::uint32_t column) {
        return format("n{}", (row % side) * side + column % side);
    };
    for (std::uint32_t i = 0; i < side * side; ++i) {
        scenario::Unit unit;
        unit.name = format("n{}", i);
        unit.origin = scenario::NativeModel{"node"};
        constexpr std::int64_t work = 200; // about 1 µs
        unit.parameters = {{"work", work, {}}};
        unit.start = {{"y", static_cast<double>(i % 7), {}}};
        scenario.connections.push_back({unit.name, "y", name_of(i / side, i % side + 1), "a"});
        scenario.connections.push_back({unit.name, "y", name_of(i / side + 1, i % side), "b"});
        scenario.units.push_back(std::move(unit));
    }
    scenario.experiment = {.start = 0, .stop = 1e6, .step = 1e-3};
    scenario.algorithm.recipe = scenario::Recipe::jacobi;
    return scenario;
}

/// Units, neighbours and bytes of the ranks that have most.
void count_exchange(const pipeline::Assembly& assembly, std::span<const std::uint32_t> placement,
                    Run& run) {
    std::vector<std::uint32_t> units(run.ranks);
    std::vector<std::set<std::uint32_t>> neighbours(run.ranks);
    std::set<std::pair<std::size_t, std::uint32_t>> sent; // unit, rank
    const std::uint32_t side = root_of(run.units);
    for (std::size_t unit = 0; unit < placement.size(); ++unit) {
        ++units[placement[unit]];
        const std::size_t row = unit / side, column = unit % side;
        for (const std::size_t other :
             {row * side + (column + 1) % side, (row + 1) % side * side + column})
            if (placement[other] != placement[unit]) {
                neighbours[placement[unit]].insert(placement[other]);
                neighbours[placement[other]].insert(placement[unit]);
                sent.emplace(unit, placement[other]);
            }
    }
    std::vector<std::uint64_t> bytes(run.ranks);
    for (const auto& [unit, rank] : sent) bytes[placement[unit]] += sizeof(double);
    run.units = static_cast<std::uint32_t>(assembly.scenario.units.size());
    run.largest = *std::ranges::max_element(units);
    run.bytes = *std::ranges::max_element(bytes);
    for (const auto& each : neighbours)
        run.neighbours = std::max(run.neighbours, static_cast<std::uint32_t>(each.size()));
}

Run measure_run(Processes& all, std::uint32_t units) {
    Run run{.units = units, .ranks = all.count()};
    const double memory_before = resident_bytes();
    unit::Library library(silent_log());
    pipeline::add_native_models(library);
    std::optional<pipeline::Assembly> assembly;
    std::optional<engine::Simulation> simulation;
    run.loading = seconds_of([&] {
        Diagnostics diagnostics;
        assembly.emplace(pipeline::assemble(grid(root_of(units)), library, diagnostics));
        diagnostics.throw_if_errors();
        pipeline::BuildOptions options;
        if (all.count() > 1) {
            options.processes = &all;
            options.placement = pipeline::placement_of(*assembly, pipeline::unit_graph(*assembly),
                                                       all.count(), distributed::partition);
        } else {
            options.placement.assign(assembly->scenario.units.size(), 0);
        }
        count_exchange(*assembly, options.placement, run);
        if (all.count() == 1) options.placement.clear();
        simulation.emplace(pipeline::build(*assembly, library, silent_log(), options));
        simulation->initialize();
    });
    const int steps = static_cast<int>(std::clamp(50'000 / units, 3u, 1000u));
    run.step = largest_of_all(all, least_seconds(steps, [&] { simulation->step(); }));
    run.loading = largest_of_all(all, run.loading);
    run.memory = largest_of_all(all, resident_bytes() - memory_before);
    return run;
}

} // namespace

void measure(Processes& all, const std::filesystem::path& file) {
    std::ostringstream rows;
    rows.precision(17);
    if (all.count() > 1) {
        const Wires wires = measure_wires(all);
        rows << "wires " << wires.ranks << ' ' << wires.latency << ' ' << wires.per_byte << ' '
             << wires.reduction << '\n';
    }
    for (const std::uint32_t units : {100, 1'024, 10'000, 99'856}) {
        const Run run = measure_run(all, units);
        rows << "run " << run.units << ' ' << run.ranks << ' ' << run.largest << ' '
             << run.neighbours << ' ' << run.bytes << ' ' << run.step << ' ' << run.loading << ' '
             << run.memory << '\n';
    }
    if (all.rank() != 0) return;
    std::ofstream stream(file, std::ios::app);
    stream << rows.str();
    if (!stream.flush()) throw Error(format("cannot write to \"{}\"", file.string()));
}

Measured read(const std::filesystem::path& file) {
    std::ifstream stream(file);
    Measured measured;
    for (std::string kind; stream >> kind;) {
        if (kind == "wires") {
            Wires& wires = measured.wires.emplace_back();
            stream >> wires.ranks >> wires.latency >> wires.per_byte >> wires.reduction;
        } else {
            Run& run = measured.runs.emplace_back();
            stream >> run.units >> run.ranks >> run.largest >> run.neighbours >> run.bytes >>
                run.step >> run.loading >> run.memory;
        }
        if (!stream)
            throw Error(format("\"{}\" is not what study_scaling measures", file.string()));
    }
    if (measured.runs.empty() || measured.wires.empty())
        throw Error(format("\"{}\" has no measurements on one rank and on several", file.string()));
    return measured;
}

} // namespace rubato::studies::scaling
