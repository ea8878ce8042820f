// SPDX-License-Identifier: Apache-2.0
#include "conf_parts.hpp"
#include "connections.hpp"
#include "hocon.hpp"
#include "size_limit.hpp"
#include "statements.hpp"

#include <rubato/scenario/conf.hpp>

#include <algorithm>
#include <utility>

namespace rubato::scenario {

namespace formats {

const Entry* require(Reporter& reporter, MapReader& map, std::string_view key, Mark mark) {
    const Entry* entry = map.find(key);
    if (!entry) reporter.error(mark, format("the key \"{}\" is missing", map.path_of(key)));
    return entry;
}

namespace {

void read_largest_step(Reporter& reporter, MapReader& map, Scenario& scenario) {
    const auto value = map.read<int>("max-possible-step-size");
    if (!value) return;
    if (*value > 0) {
        scenario.largest_step = *value;
        return;
    }
    reporter.error(map.find("max-possible-step-size")->mark,
                   format("max-possible-step-size is {}: it must be at least 1", *value));
}

/// The units, and the clocks of those that have some.
void read_fmus(Reporter& reporter, MapReader& map, Mark mark, Scenario& scenario, Clocks& clocks,
               bool& has_clocks) {
    const Entry* entry = require(reporter, map, "fmus", mark);
    if (!entry) return;
    ConfUnits read = read_conf_units(reporter, map.path_of("fmus"), entry->value);
    scenario.units = std::move(read.units);
    for (ConfClocks& unit : read.clocks) {
        has_clocks = has_clocks || unit.is_told;
        const UnitClocks& own = unit.unit;
        if (own.inputs.empty() && own.outputs.empty() && own.ports.empty()) continue;
        clocks.units.push_back(std::move(unit.unit));
    }
}

void read_scenario(Reporter& reporter, const Entry& entry, Scenario& scenario, Clocks& clocks,
                   bool& has_clocks) {
    MapReader map(reporter, "scenario", entry.value);
    read_fmus(reporter, map, entry.mark, scenario, clocks, has_clocks);
    if (const Entry* list = require(reporter, map, "connections", entry.mark)) {
        scenario.connections =
            read_plain_connections(reporter, map.path_of("connections"), list->value);
    }
    if (const Entry* list = map.find("clock-connections")) {
        has_clocks = true;
        clocks.connections =
            read_clock_connections(reporter, map.path_of("clock-connections"), list->value);
    }
    read_largest_step(reporter, map, scenario);
    if (const Entry* configuration = map.find("configuration")) {
        scenario.configurations =
            read_conf_configurations(reporter, *configuration, scenario.connections.size());
    }
    map.report_unknown_keys();
    declare_connected_ports(scenario);
}

std::vector<WrittenProcedure> read_cosim_step(Reporter& reporter, const Entry& entry) {
    const bool is_older_form = entry.value.kind == Kind::sequence;
    if (!is_older_form) return read_procedures(reporter, "cosim-step", entry.value);
    return {read_unnamed_procedure(reporter, "cosim-step", entry, unnamed_procedure)};
}

/// Without any statement the file has no algorithm: it wants one synthesized.
std::optional<WrittenAlgorithm> read_algorithm(Reporter& reporter, MapReader& document) {
    WrittenAlgorithm algorithm;
    const Entry* initialization = document.find("initialization");
    const Entry* steps = document.find("cosim-step");
    if (initialization) {
        algorithm.initialization =
            read_statements(reporter, "initialization", initialization->value);
    }
    if (steps) algorithm.steps = read_cosim_step(reporter, *steps);
    const bool is_empty = algorithm.initialization.empty() &&
                          std::ranges::all_of(algorithm.steps, &std::vector<WrittenOp>::empty,
                                              &WrittenProcedure::body);
    if (is_empty) return std::nullopt;
    algorithm.where = reporter.locate(steps ? steps->mark : initialization->mark);
    return algorithm;
}

std::string read_conf_name(Reporter& reporter, MapReader& document) {
    require(reporter, document, "name", {0, 1, 1});
    std::string name = document.read<std::string>("name").value_or("");
    // Results are files named after the scenario.
    std::ranges::replace(name, '/', '-');
    return name;
}

Scenario read_conf_document(Reporter& reporter, const Node& node,
                            const std::filesystem::path& file) {
    MapReader document(reporter, "", node);
    Scenario scenario;
    Clocks clocks;
    bool has_clocks = false;
    scenario.file = file;
    scenario.name = read_conf_name(reporter, document);
    scenario.experiment.where = scenario.algorithm.where = scenario.recording.where =
        reporter.locate({});
    scenario.experiment.open = {true, true, true, true}; // the format has no experiment
    if (const Entry* entry = require(reporter, document, "scenario", {0, 1, 1})) {
        read_scenario(reporter, *entry, scenario, clocks, has_clocks);
    }
    scenario.written = read_algorithm(reporter, document);
    if (const Entry* strategies = document.find("event-strategies")) {
        has_clocks = true;
        clocks.strategies = read_strategies(reporter, "event-strategies", strategies->value);
    }
    document.report_unknown_keys();
    if (has_clocks) scenario.clocks = std::move(clocks);
    return scenario;
}

} // namespace
} // namespace formats

Scenario parse_conf(std::string_view text, const std::filesystem::path& file,
                    Diagnostics& diagnostics) {
    formats::Reporter reporter({file.string()}, diagnostics);
    // What is synthesized for 100,000 units is read again.
    if (formats::report_oversized(text, 256, reporter)) return {};
    const auto document = formats::parse_hocon(text, reporter);
    if (!document) return {};
    return formats::read_conf_document(reporter, *document, file);
}

} // namespace rubato::scenario
