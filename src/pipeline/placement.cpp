// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/placement.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>
#include <rubato/scenario/placement.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace rubato::pipeline {

namespace {

/// Units of a scenario within count one by one.
double cost_of(const Assembly& assembly, std::size_t unit) {
    const auto& nested = assembly.nested[unit];
    if (!nested) return 1;
    double sum = 0;
    for (std::size_t u = 0; u < nested->assembly.scenario.units.size(); ++u)
        sum += cost_of(nested->assembly, u);
    return sum;
}

/// Of the pair of ranks, where values go from the first to the second.
using Pair = std::pair<std::uint32_t, std::uint32_t>;

} // namespace

UnitGraph unit_graph(const Assembly& assembly) {
    UnitGraph graph;
    for (std::size_t u = 0; u < assembly.scenario.units.size(); ++u)
        graph.costs.push_back(cost_of(assembly, u));
    const scenario::System& system = assembly.orchestration.system;
    std::map<Pair, std::uint32_t> bytes;
    const auto add = [&](const std::vector<scenario::Link>& links) {
        for (const scenario::Link& link : links) {
            const scenario::Port& from = system.port(link.from);
            const auto [one, other] = std::minmax(from.unit.value, system.port(link.to).unit.value);
            if (one != other)
                bytes[{one, other}] += from.part.count * static_cast<std::uint32_t>(sizeof(double));
        }
    };
    add(system.links);
    for (const scenario::Configuration& configuration : system.configurations)
        add(configuration.links);
    for (const auto& [units, count] : bytes)
        graph.edges.push_back({units.first, units.second, count});
    return graph;
}

namespace {

/// By unit, the rank that the scenario says, if it does. Throws InputError. `assemble` has found
/// all units.
std::vector<std::optional<std::uint32_t>> written_ranks(const scenario::Scenario& scenario,
                                                        std::uint32_t processes) {
    std::vector<std::optional<std::uint32_t>> ranks(scenario.units.size());
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t u = 0; u < ranks.size(); ++u) places[scenario.units[u].name] = u;
    for (std::size_t m = 0; m < scenario.machines.size(); ++m) {
        const scenario::Machine& machine = scenario.machines[m];
        const std::uint32_t rank = scenario::rank_of_machine(scenario, m);
        if (rank >= processes && !machine.units.empty())
            throw InputError(
                format("{}: unit \"{}\" is placed on rank {}, but there {}",
                       to_string(machine.where), machine.units.front(), rank,
                       processes == 1 ? "is one process" : format("are {} processes", processes)),
                format("ranks count from 0: start mpirun -n {}, or more", rank + 1));
        for (const std::string& unit : machine.units) ranks[places.at(unit)] = rank;
    }
    return ranks;
}

/// Gives parts of a partition the ranks that most of their cost is placed on. Then places what is
/// placed.
void follow(const std::vector<std::optional<std::uint32_t>>& written, const UnitGraph& graph,
            std::uint32_t processes, std::vector<std::uint32_t>& ranks) {
    std::map<Pair, double> votes; // part and rank
    for (std::size_t u = 0; u < ranks.size(); ++u)
        if (written[u]) votes[{ranks[u], *written[u]}] += graph.costs[u];
    std::vector<std::pair<double, Pair>> sorted;
    for (const auto& [pair, cost] : votes) sorted.emplace_back(-cost, pair);
    std::ranges::sort(sorted);
    std::vector<std::optional<std::uint32_t>> rank_of(processes);
    std::set<std::uint32_t> taken;
    for (const auto& [cost, pair] : sorted)
        if (!rank_of[pair.first] && taken.insert(pair.second).second)
            rank_of[pair.first] = pair.second;
    std::uint32_t next = 0;
    for (auto& rank : rank_of) {
        if (rank) continue;
        while (!taken.insert(next).second) ++next;
        rank = next;
    }
    for (std::size_t u = 0; u < ranks.size(); ++u)
        ranks[u] = written[u] ? *written[u] : *rank_of[ranks[u]];
}

/// A process without a unit gets one of the process that has most units to choose from.
void fill_empty(const std::vector<std::optional<std::uint32_t>>& written, std::uint32_t processes,
                std::vector<std::uint32_t>& ranks) {
    std::vector<std::size_t> all(processes), free(processes);
    for (std::size_t u = 0; u < ranks.size(); ++u) {
        ++all[ranks[u]];
        if (!written[u]) ++free[ranks[u]];
    }
    for (std::uint32_t rank = 0; rank < processes; ++rank) {
        if (all[rank] > 0) continue;
        std::optional<std::uint32_t> richest;
        for (std::uint32_t other = 0; other < processes; ++other)
            if (free[other] > 0 && all[other] > 1 && (!richest || free[other] > free[*richest]))
                richest = other;
        if (!richest)
            throw InputError(format("rank {} would have no unit", rank),
                             "leave units out of the placement, or start fewer processes");
        std::size_t unit = 0;
        while (ranks[unit] != *richest || written[unit]) ++unit;
        ranks[unit] = rank;
        --all[*richest];
        --free[*richest];
        ++all[rank];
    }
}

} // namespace

std::vector<std::uint32_t> placement_of(const Assembly& assembly, const UnitGraph& graph,
                                        std::uint32_t processes, const Partition& partition) {
    const std::size_t units = assembly.scenario.units.size();
    if (processes > units)
        throw InputError(format("{} processes are more than the {} of \"{}\"", processes,
                                report::plural(units, "unit"), assembly.scenario.name),
                         format("start {} at most: mpirun -n {}", units, units));
    const auto written = written_ranks(assembly.scenario, processes);
    const bool is_complete =
        std::ranges::all_of(written, [](const auto& rank) { return rank.has_value(); });
    std::vector<std::uint32_t> ranks =
        is_complete ? std::vector<std::uint32_t>(units) : partition(graph, processes);
    follow(written, graph, processes, ranks);
    fill_empty(written, processes, ranks);
    return ranks;
}

PlacementForecast forecast(const UnitGraph& graph, std::span<const std::uint32_t> ranks,
                           std::uint32_t processes) {
    PlacementForecast result;
    result.units.resize(processes);
    result.costs.resize(processes);
    double total = 0;
    for (std::size_t u = 0; u < ranks.size(); ++u) {
        ++result.units[ranks[u]];
        result.costs[ranks[u]] += graph.costs[u];
        total += graph.costs[u];
    }
    const double mean = total / processes;
    result.imbalance = std::ranges::max(result.costs) / mean;
    std::set<Pair> pairs;
    for (const UnitGraph::Edge& edge : graph.edges) {
        const std::uint32_t from = ranks[edge.from], to = ranks[edge.to];
        if (from == to) continue;
        result.bytes += edge.bytes;
        pairs.insert(std::minmax(from, to));
    }
    result.messages = 2 * pairs.size();
    return result;
}

namespace {

/// FNV-1a: it finds differences, not forgeries.
class Hash {
public:
    void add(std::string_view bytes) {
        constexpr std::uint64_t prime = 0x100000001b3;
        for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * prime;
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325;
};

std::uint64_t hash_of_file(const std::filesystem::path& file) {
    Hash hash;
    std::ifstream stream(file, std::ios::binary);
    std::string block(std::size_t{1} << 16, '\0');
    while (stream) {
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        hash.add({block.data(), static_cast<std::size_t>(stream.gcount())});
    }
    return hash.value();
}

} // namespace

std::vector<std::string> fingerprint_of(const Assembly& assembly, const unit::Library& library) {
    const auto line = [](std::string_view what, std::string_view name, std::uint64_t hash) {
        return format("{} {} {:016x}", what, name, hash);
    };
    std::vector<std::string> lines = {
        line("the program", "rubato " RUBATO_VERSION, hash_of_file("/proc/self/exe"))};
    if (!assembly.scenario.file.empty())
        lines.push_back(line("scenario", assembly.scenario.file.filename().string(),
                             hash_of_file(assembly.scenario.file)));
    Hash settings; // with what the command line has changed
    settings.add(scenario::write_yaml(assembly.scenario, scenario::Detail::deviations));
    lines.push_back(line("what", "the scenario and the options say", settings.value()));
    for (const std::filesystem::path& file : library.files())
        lines.push_back(line("file", file.filename().string(), hash_of_file(file)));
    return lines;
}

} // namespace rubato::pipeline
