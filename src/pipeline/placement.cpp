// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/placement.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <utility>

namespace rubato::pipeline {

namespace {

/// Units of a scenario within count one by one.
std::uint32_t cost_of(const Assembly& assembly, std::size_t unit) {
    const auto& nested = assembly.nested[unit];
    if (!nested) return 1;
    std::uint32_t sum = 0;
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

/// A process without a unit gets one of the process that has most.
void fill_empty(std::vector<std::uint32_t>& ranks, std::uint32_t processes) {
    std::vector<std::size_t> counts(processes);
    for (const std::uint32_t rank : ranks) ++counts[rank];
    for (std::uint32_t rank = 0; rank < processes; ++rank) {
        if (counts[rank] > 0) continue;
        const auto richest =
            static_cast<std::uint32_t>(std::ranges::max_element(counts) - counts.begin());
        *std::ranges::find(ranks, richest) = rank;
        --counts[richest];
        ++counts[rank];
    }
}

} // namespace

std::vector<std::uint32_t> placement_of(const Assembly& assembly, std::uint32_t processes,
                                        const Partition& partition) {
    const std::size_t units = assembly.scenario.units.size();
    if (processes > units)
        throw InputError(format("{} processes are more than the {} units of \"{}\"", processes,
                                units, assembly.scenario.name),
                         format("start {} processes at most: mpirun -n {}", units, units));
    std::vector<std::uint32_t> ranks = partition(unit_graph(assembly), processes);
    fill_empty(ranks, processes);
    return ranks;
}

PlacementForecast forecast(const UnitGraph& graph, std::span<const std::uint32_t> ranks,
                           std::uint32_t processes) {
    PlacementForecast result;
    result.units.resize(processes);
    result.costs.resize(processes);
    std::uint64_t total = 0;
    for (std::size_t u = 0; u < ranks.size(); ++u) {
        ++result.units[ranks[u]];
        result.costs[ranks[u]] += graph.costs[u];
        total += graph.costs[u];
    }
    const double mean = static_cast<double>(total) / processes;
    result.imbalance = static_cast<double>(std::ranges::max(result.costs)) / mean;
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
    for (const std::filesystem::path& file : library.files())
        lines.push_back(line("file", file.filename().string(), hash_of_file(file)));
    return lines;
}

} // namespace rubato::pipeline
