// SPDX-License-Identifier: Apache-2.0
#include "connections.hpp"
#include "short_forms.hpp"
#include "size_limit.hpp"
#include "tree_values.hpp"
#include "yaml_document.hpp"
#include "yaml_parts.hpp"
#include "yaml_settings.hpp"
#include "yaml_tree.hpp"
#include "yaml_units.hpp"

#include <rubato/scenario/sweep_settings.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <utility>

namespace rubato::scenario {

namespace formats {
namespace {

constexpr int format_version = 1;

/// `step: sh.H`: the output that gives the step; taken out of the entry. nullopt: it is none.
std::optional<std::string> take_step_output(Entry& experiment) {
    std::vector<Entry>& entries = experiment.value.entries;
    const auto step = std::ranges::find(entries, "step", &Entry::key);
    if (step == entries.end() || step->value.kind != Kind::scalar) return std::nullopt;
    const std::string text = step->value.text;
    const bool starts_as_number = text.find_first_of("0123456789+-.") == 0;
    if (starts_as_number || !split_port_name(text)) return std::nullopt;
    entries.erase(step);
    return text;
}

/// What the document says of the experiment is no longer open.
void update_experiment(Reporter& reporter, const Entry& entry, Experiment& experiment) {
    Entry rest = entry;
    const auto step_output = take_step_output(rest);
    update_settings(reporter, "experiment", rest, experiment);
    const bool has_step =
        std::ranges::find(rest.value.entries, "step", &Entry::key) != rest.value.entries.end();
    if (step_output || has_step) experiment.step_output = step_output.value_or("");
    if (!entry.value.is_path) experiment.open = {true, true, true, true};
    const auto close = [&](std::string_view key, bool& is_open) {
        if (std::ranges::find(entry.value.entries, key, &Entry::key) != entry.value.entries.end())
            is_open = false;
    };
    close("start", experiment.open.start);
    close("stop", experiment.open.stop);
    close("step", experiment.open.step);
    close("tolerance", experiment.open.tolerance);
}

/// The section `algorithm`: settings, and the algorithm itself where it is written out.
void update_algorithm(Reporter& reporter, const Entry& entry, Scenario& scenario) {
    prepare(reporter, entry, scenario.algorithm);
    if (!entry.value.is_path) scenario.written.reset();
    MapReader map(reporter, "algorithm", entry.value);
    const Recipe recipe_before = scenario.algorithm.recipe;
    AlgorithmSettings::fields(scenario.algorithm, SettingsReader(map));
    update_written(reporter, map, entry, recipe_before != AlgorithmSettings{}.recipe,
                   scenario.written);
    map.report_unknown_keys();
}

/// Configurations that have the connections of the scenario follow them.
void update_connections(Reporter& reporter, const Entry& entry, Scenario& scenario) {
    if (report_path(reporter, entry)) return;
    std::vector<Connection> connections = read_connections(reporter, entry.value);
    for (ConfigurationSettings& configuration : scenario.configurations)
        if (configuration.connections == scenario.connections)
            configuration.connections = connections;
    scenario.connections = std::move(connections);
}

void read_largest_step(Reporter& reporter, MapReader& document, Scenario& scenario) {
    const auto value = document.read<int>("largest-step");
    if (!value) return;
    if (*value > 0) {
        scenario.largest_step = *value;
        return;
    }
    reporter.error(document.find("largest-step")->mark,
                   format("largest-step is {}: it must be at least 1", *value));
}

void check_version(Reporter& reporter, MapReader& document, bool is_needed) {
    const Entry* entry = document.find("rubato");
    if (!entry) {
        if (!is_needed) return;
        reporter.error(
            {0, 1, 1}, "the key \"rubato\" is missing",
            format("begin the file with its format version: rubato: {}", format_version));
        return;
    }
    const auto version = document.read<int>("rubato");
    if (!version || *version == format_version) return;
    reporter.error(entry->mark, format("this file is of format version {}", *version),
                   format("this Rubato reads version {}", format_version));
}

/// `crane.yaml` and `crane/scenario.yaml` are both called crane.
std::string default_name(const std::filesystem::path& file) {
    if (file.stem() != "scenario") return file.stem().string();
    const std::string folder = std::filesystem::absolute(file).parent_path().filename().string();
    return folder.empty() ? "scenario" : folder;
}

void read_name(Reporter& reporter, MapReader& document, Scenario& scenario) {
    const auto name = document.read<std::string>("name");
    if (!name) return;
    if (name->find('/') != std::string::npos) {
        reporter.error(document.find("name")->mark,
                       format("the name \"{}\" contains a slash", *name),
                       "results are named after it: use a plain word");
    }
    scenario.name = *name;
}

/// What a file that says nothing of a section means by that.
Scenario empty_scenario(const Reporter& reporter, const std::filesystem::path& file) {
    Scenario scenario;
    scenario.file = file;
    scenario.name = default_name(file);
    scenario.experiment.open = {true, true, true, true};
    const Location somewhere = reporter.locate({});
    for (Location* where :
         {&scenario.experiment.where, &scenario.step_control.where, &scenario.algorithm.where,
          &scenario.loops.where, &scenario.events.where, &scenario.recording.where})
        *where = somewhere;
    return scenario;
}

/// `rubato sweep` reads it by itself.
void check_sweep(Reporter& reporter, const Entry& entry) {
    SweepSettings checked;
    if (!report_path(reporter, entry)) update_settings(reporter, "sweep", entry, checked);
}

/// Returns the keys of documents.
std::vector<std::string> update_sections(Reporter& reporter, const Node& node, Scenario& scenario,
                                         bool is_inline = false) {
    MapReader document(reporter, "", node);
    const auto section = [&](std::string_view key, auto&& update) {
        if (const Entry* entry = document.find(key)) update(*entry);
    };
    const auto settings = [&](std::string_view key, auto& part) {
        section(key, [&](const Entry& entry) {
            update_settings(reporter, std::string(key), entry, part);
        });
    };
    check_version(reporter, document, !node.is_path && !is_inline);
    read_name(reporter, document, scenario);
    update_units(reporter, document, node.is_path, is_inline ? node.mark : Mark{}, scenario.units);
    section("connections",
            [&](const Entry& entry) { update_connections(reporter, entry, scenario); });
    section("bonds", [&](const Entry& entry) { update_bonds(reporter, entry, scenario.bonds); });
    section("constraints", [&](const Entry& entry) {
        update_constraints(reporter, "constraints", entry, scenario.constraints);
    });
    section("machines",
            [&](const Entry& entry) { update_machines(reporter, entry, scenario.machines); });
    section("placement",
            [&](const Entry& entry) { update_placement(reporter, entry, scenario.machines); });
    settings("communication", scenario.communication);
    section("experiment",
            [&](const Entry& entry) { update_experiment(reporter, entry, scenario.experiment); });
    settings("step-control", scenario.step_control);
    section("step-limits",
            [&](const Entry& entry) { update_step_limits(reporter, entry, scenario.step_limits); });
    section("algorithm", [&](const Entry& entry) { update_algorithm(reporter, entry, scenario); });
    settings("loops", scenario.loops);
    settings("events", scenario.events);
    settings("record", scenario.recording);
    section("sweep", [&](const Entry& entry) { check_sweep(reporter, entry); });
    read_largest_step(reporter, document, scenario);
    section("configurations",
            [&](const Entry& entry) { update_configurations(reporter, entry, scenario); });
    section("clocks", [&](const Entry& entry) { update_clocks(reporter, entry, scenario.clocks); });
    section("interface",
            [&](const Entry& entry) { update_interface(reporter, entry, scenario.interface); });
    section("hla", [&](const Entry& entry) { update_hla(reporter, entry, scenario.hla); });
    document.report_unknown_keys();
    return document.known();
}

} // namespace

void update(Reporter& reporter, const Node& document, Scenario& scenario) {
    (void)update_sections(reporter, document, scenario);
}

Scenario read_inline(Reporter& reporter, const Entry& entry, const std::string& unit,
                     const Scenario* before) {
    Node document = entry.value;
    expand_short_forms(document);
    Scenario scenario;
    if (before && document.is_path) {
        scenario = *before;
    } else {
        scenario = empty_scenario(reporter, reporter.locate(entry.mark).file);
        scenario.name = unit;
    }
    (void)update_sections(reporter, document, scenario, true);
    return scenario;
}

} // namespace formats

const std::vector<std::string>& section_names() {
    static const std::vector<std::string> names = [] {
        Diagnostics none;
        formats::Reporter reporter({""}, none);
        formats::Node document;
        document.kind = formats::Kind::map;
        document.is_path = true;
        Scenario scenario;
        return formats::update_sections(reporter, document, scenario);
    }();
    return names;
}

Scenario parse_yaml(std::string_view text, const std::filesystem::path& file,
                    Diagnostics& diagnostics) {
    formats::Reporter reporter({file.string()}, diagnostics);
    if (formats::report_oversized(text, 16, reporter)) return {};
    auto document = formats::parse_yaml_tree(text, 0, reporter);
    if (!document) return {};
    if (document->kind != formats::Kind::map) {
        const bool is_empty = document->kind == formats::Kind::null;
        reporter.error({}, is_empty ? "the file is empty" : "the file is not a map of keys",
                       "a scenario begins with the line: rubato: 1");
        return {};
    }
    formats::expand_short_forms(*document);
    Scenario scenario = formats::empty_scenario(reporter, file);
    formats::update(reporter, *document, scenario);
    return scenario;
}

} // namespace rubato::scenario
