// SPDX-License-Identifier: Apache-2.0
#include "connections.hpp"
#include "text_file.hpp"
#include "tree_values.hpp"
#include "yaml_document.hpp"
#include "yaml_overrides.hpp"
#include "yaml_parts.hpp"
#include "yaml_tree.hpp"

#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <utility>

namespace rubato::scenario {

namespace formats {
namespace {

constexpr int format_version = 1;

/// Reads one setting after the other, as `fields()` lists them.
class SettingsReader {
public:
    explicit SettingsReader(MapReader& map) : map_(map) {}

    template <class T>
    void operator()(std::string_view key, T& member, std::string_view) {
        if (auto value = map_.read<T>(key)) member = std::move(*value);
    }
    template <class T>
    void operator()(std::string_view key, std::optional<T>& member, std::string_view) {
        if (auto value = map_.read<T>(key)) member = std::move(*value);
    }

private:
    MapReader& map_;
};

template <class Settings>
Settings read_settings(Reporter& reporter, MapReader& document, std::string_view section) {
    Settings settings;
    settings.where = reporter.locate({});
    const Entry* entry = document.find(section);
    if (!entry) return settings;
    settings.where = reporter.locate(entry->mark);
    MapReader map(reporter, std::string(section), entry->value);
    Settings::fields(settings, SettingsReader(map));
    map.report_unknown_keys();
    return settings;
}

/// What the file says of the experiment; the rest is open.
Experiment read_experiment(Reporter& reporter, MapReader& document) {
    auto experiment = read_settings<Experiment>(reporter, document, "experiment");
    const Entry* entry = document.find("experiment");
    const auto is_open = [&](std::string_view key) {
        return !entry || std::ranges::find(entry->value.entries, key, &Entry::key) ==
                             entry->value.entries.end();
    };
    experiment.open = {is_open("start"), is_open("stop"), is_open("step"), is_open("tolerance")};
    return experiment;
}

/// The section `algorithm`: settings, and the algorithm itself where it is written out.
void read_algorithm(Reporter& reporter, MapReader& document, Scenario& scenario) {
    scenario.algorithm.where = reporter.locate({});
    const Entry* entry = document.find("algorithm");
    if (!entry) return;
    scenario.algorithm.where = reporter.locate(entry->mark);
    MapReader map(reporter, "algorithm", entry->value);
    AlgorithmSettings::fields(scenario.algorithm, SettingsReader(map));
    scenario.written = read_written(reporter, map, *entry);
    map.report_unknown_keys();
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

/// The values of a list of lists, row by row, and how many there are at each `depth`. False:
/// something in it is no value, or the rows are not alike, which has been reported.
bool read_elements(Reporter& reporter, const std::string& path, const Node& node,
                   Assignment& assignment, std::size_t depth = 0) {
    const auto report = [&](const Node& where, std::string_view problem) {
        reporter.error(where.mark, format("{} {}", path, problem));
        return false;
    };
    auto& shape = assignment.shape;
    if (node.items.empty()) return report(node, "has an empty row");
    const bool is_first = assignment.elements.empty();
    if (is_first && depth == shape.size()) shape.push_back(node.items.size());
    if (depth >= shape.size()) return report(node, "has rows of different depths");
    bool good = shape[depth] == node.items.size() || report(node, "has rows of different lengths");
    for (const Node& item : node.items) {
        const bool is_row = item.kind == Kind::sequence;
        if (is_row != (node.items.front().kind == Kind::sequence))
            return report(item, "mixes values and rows");
        if (is_row) {
            good = read_elements(reporter, path, item, assignment, depth + 1) && good;
        } else if (depth + 1 < shape.size()) {
            return report(item, "has rows of different depths");
        } else if (auto value = read_as<Value>(reporter, path, item)) {
            assignment.elements.push_back(std::move(*value));
        } else {
            good = false;
        }
    }
    return good;
}

std::vector<Assignment> read_assignments(Reporter& reporter, MapReader& unit,
                                         std::string_view section) {
    std::vector<Assignment> assignments;
    const Entry* entry = unit.find(section);
    if (!entry) return assignments;
    const std::string path = unit.path_of(section);
    for (const Entry* item : entries_of(reporter, path, entry->value)) {
        const std::string item_path = path + "." + item->key;
        Assignment assignment{item->key, {}, reporter.locate(item->mark), {}, {}};
        if (item->value.kind == Kind::sequence && !item->value.items.empty()) {
            if (read_elements(reporter, item_path, item->value, assignment))
                assignments.push_back(std::move(assignment));
        } else if (auto value = read_as<Value>(reporter, item_path, item->value)) {
            assignment.value = std::move(*value);
            assignments.push_back(std::move(assignment));
        }
    }
    return assignments;
}

InputSettings read_input(Reporter& reporter, const std::string& path, const Entry& entry) {
    MapReader map(reporter, path, entry.value);
    InputSettings input;
    input.name = entry.key;
    input.where = reporter.locate(entry.mark);
    input.approximation = map.read<Approximation>("approximation");
    input.mode = map.read<ApproximationMode>("mode");
    input.contract = map.read<Reactivity>("contract");
    input.join = map.read<Join>("join");
    input.error_gain = map.read<double>("error-gain");
    input.error_weight = map.read<double>("error-weight");
    input.variability = map.read<Variability>("variability");
    map.report_unknown_keys();
    return input;
}

OutputSettings read_output(Reporter& reporter, const std::string& path, const Entry& entry) {
    MapReader map(reporter, path, entry.value);
    OutputSettings output;
    output.name = entry.key;
    output.where = reporter.locate(entry.mark);
    output.feedthrough = map.read<std::vector<std::string>>("feedthrough");
    output.feedthrough_initial = map.read<std::vector<std::string>>("feedthrough-initial");
    output.absolute_tolerance = map.read<double>("absolute-tolerance");
    output.relative_tolerance = map.read<double>("relative-tolerance");
    output.nominal = map.read<double>("nominal");
    output.variability = map.read<Variability>("variability");
    map.report_unknown_keys();
    return output;
}

/// The inputs or outputs of a unit, each read by `read_port`.
template <class Port>
std::vector<Port> read_ports(Reporter& reporter, MapReader& unit, std::string_view section,
                             Port (*read_port)(Reporter&, const std::string&, const Entry&)) {
    std::vector<Port> ports;
    const Entry* entry = unit.find(section);
    if (!entry) return ports;
    const std::string path = unit.path_of(section);
    for (const Entry* item : entries_of(reporter, path, entry->value)) {
        ports.push_back(read_port(reporter, path + "." + item->key, *item));
    }
    return ports;
}

std::optional<SolverSettings> read_solver(Reporter& reporter, MapReader& unit) {
    const Entry* entry = unit.find("solver");
    if (!entry) return std::nullopt;
    SolverSettings settings;
    settings.where = reporter.locate(entry->mark);
    MapReader map(reporter, unit.path_of("solver"), entry->value);
    SolverSettings::fields(settings, SettingsReader(map));
    map.report_unknown_keys();
    return settings;
}

/// `true` has been turned into settings already.
std::optional<IsolationSettings> read_isolation(Reporter& reporter, MapReader& unit) {
    const Entry* entry = unit.find("isolate");
    if (!entry || entry->value.kind == Kind::null) return std::nullopt;
    if (entry->value.kind == Kind::scalar) {
        (void)unit.read<bool>("isolate");
        return std::nullopt;
    }
    IsolationSettings settings;
    settings.where = reporter.locate(entry->mark);
    MapReader map(reporter, unit.path_of("isolate"), entry->value);
    IsolationSettings::fields(settings, SettingsReader(map));
    map.report_unknown_keys();
    return settings;
}

std::optional<LoggingSettings> read_logging(Reporter& reporter, MapReader& unit) {
    const Entry* entry = unit.find("logging");
    if (!entry) return std::nullopt;
    LoggingSettings settings;
    settings.where = reporter.locate(entry->mark);
    MapReader map(reporter, unit.path_of("logging"), entry->value);
    LoggingSettings::fields(settings, SettingsReader(map));
    map.report_unknown_keys();
    return settings;
}

std::vector<TableColumn> read_columns(Reporter& reporter, MapReader& unit) {
    std::vector<TableColumn> columns;
    const Entry* entry = unit.find("columns");
    if (!entry) return columns;
    const std::string path = unit.path_of("columns");
    for (const Entry* item : entries_of(reporter, path, entry->value)) {
        if (const auto kind = read_as<ColumnKind>(reporter, path + "." + item->key, item->value))
            columns.push_back({item->key, *kind, reporter.locate(item->mark)});
    }
    return columns;
}

std::vector<LossSettings> read_losses(Reporter& reporter, MapReader& unit) {
    std::vector<LossSettings> losses;
    const Entry* entry = unit.find("losses");
    if (!entry) return losses;
    const std::string path = unit.path_of("losses");
    for (const Node& item : items_of(reporter, path, entry->value)) {
        MapReader map(reporter, path, item);
        const auto effort = map.read<std::string>("effort");
        const auto displacement = map.read<std::string>("displacement");
        map.report_unknown_keys();
        if (effort && displacement)
            losses.push_back({*effort, *displacement, reporter.locate(item.mark)});
        else
            reporter.error(item.mark, format("an entry of {} lacks a variable", path),
                           "write {effort: VARIABLE, displacement: VARIABLE}");
    }
    return losses;
}

/// A unit that names its ports may have no origin: it is only declared.
void read_origin(Reporter& reporter, MapReader& map, const Entry& entry, Unit& unit) {
    std::vector<std::string_view> given;
    for (const std::string_view key : {"fmu", "model", "table"})
        if (map.find(key)) given.push_back(key);
    const bool is_declared = map.find("inputs") || map.find("outputs");
    if (given.size() > 1 || (given.empty() && !is_declared)) {
        reporter.error(entry.mark,
                       given.empty()
                           ? format("unit \"{}\" has neither fmu, model nor table", unit.name)
                           : format("unit \"{}\" has {}", unit.name, fmt::join(given, " and ")),
                       "give exactly one: the path of an FMU, the name of a native model, or the "
                       "path of a CSV file");
    }
    if (const auto path = map.read<std::string>("fmu")) unit.fmu = *path;
    unit.model = map.read<std::string>("model");
    if (const auto path = map.read<std::string>("table")) unit.table = *path;
    unit.stop_at_jumps = map.read<bool>("stop-at-jumps");
    if (unit.stop_at_jumps && !unit.table)
        reporter.error(map.find("stop-at-jumps")->mark,
                       format("unit \"{}\" has stop-at-jumps, but no table", unit.name),
                       "only the jumps of tables are known beforehand: remove it");
    unit.columns = read_columns(reporter, map);
    if (!unit.columns.empty() && !unit.table)
        reporter.error(map.find("columns")->mark,
                       format("unit \"{}\" has columns, but no table", unit.name),
                       "columns say what the columns of a table hold: give the table, or remove "
                       "columns");
}

Unit read_unit(Reporter& reporter, const Entry& entry) {
    check_unit_name(reporter, entry);
    MapReader map(reporter, "units." + entry.key, entry.value);
    Unit unit;
    unit.name = entry.key;
    unit.where = reporter.locate(entry.mark);
    read_origin(reporter, map, entry, unit);
    unit.type = map.read<Interface>("type");
    unit.solver = read_solver(reporter, map);
    unit.isolate = read_isolation(reporter, map);
    unit.logging = read_logging(reporter, map);
    unit.parameters = read_assignments(reporter, map, "parameters");
    unit.start = read_assignments(reporter, map, "start");
    unit.inputs = read_ports(reporter, map, "inputs", read_input);
    unit.outputs = read_ports(reporter, map, "outputs", read_output);
    unit.can_reject_step = map.read<bool>("can-reject-step");
    unit.sub_steps = map.read<int>("sub-steps");
    unit.energy = map.read<std::vector<std::string>>("energy").value_or(unit.energy);
    unit.losses = read_losses(reporter, map);
    map.report_unknown_keys();
    return unit;
}

std::vector<Unit> read_units(Reporter& reporter, MapReader& document) {
    std::vector<Unit> units;
    const Entry* section = document.find("units");
    if (!section) {
        reporter.error({}, "the key \"units\" is missing",
                       "a scenario has at least one unit: units: {msd1: {fmu: msd1.fmu}}");
        return units;
    }
    for (const Entry* entry : entries_of(reporter, "units", section->value)) {
        units.push_back(read_unit(reporter, *entry));
    }
    const bool is_empty = section->value.kind == Kind::null || section->value.kind == Kind::map;
    if (units.empty() && is_empty) reporter.error(section->mark, "the scenario has no units");
    return units;
}

void check_version(Reporter& reporter, MapReader& document) {
    const Entry* entry = document.find("rubato");
    if (!entry) {
        reporter.error(
            {0, 1, 1}, "the key \"rubato\" is missing",
            format("begin the file with its format version: rubato: {}", format_version));
        return;
    }
    const auto version = read_as<int>(reporter, "rubato", entry->value);
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

std::string read_name(Reporter& reporter, MapReader& document, const std::filesystem::path& file) {
    const auto name = document.read<std::string>("name");
    if (!name) return default_name(file);
    if (name->find('/') != std::string::npos) {
        reporter.error(document.find("name")->mark,
                       format("the name \"{}\" contains a slash", *name),
                       "results are named after it: use a plain word");
    }
    return *name;
}

} // namespace

Scenario read_document(Reporter& reporter, const Node& node, const std::filesystem::path& file) {
    MapReader document(reporter, "", node);
    Scenario scenario;
    scenario.file = file;
    check_version(reporter, document);
    scenario.name = read_name(reporter, document, file);
    scenario.units = read_units(reporter, document);
    if (const Entry* entry = document.find("connections")) {
        scenario.connections = read_connections(reporter, entry->value);
    }
    if (const Entry* entry = document.find("bonds")) scenario.bonds = read_bonds(reporter, *entry);
    scenario.experiment = read_experiment(reporter, document);
    scenario.step_control = read_settings<StepControl>(reporter, document, "step-control");
    if (const Entry* entry = document.find("step-limits"))
        scenario.step_limits = read_step_limits(reporter, *entry);
    read_algorithm(reporter, document, scenario);
    scenario.loops = read_settings<LoopSettings>(reporter, document, "loops");
    scenario.events = read_settings<EventSettings>(reporter, document, "events");
    scenario.recording = read_settings<Recording>(reporter, document, "record");
    read_largest_step(reporter, document, scenario);
    if (const Entry* entry = document.find("configurations")) {
        scenario.configurations = read_configurations(reporter, *entry, scenario.connections);
    }
    if (const Entry* entry = document.find("clocks"))
        scenario.clocks = read_clocks(reporter, *entry);
    document.report_unknown_keys();
    return scenario;
}

} // namespace formats

Scenario read_yaml(const std::filesystem::path& file, std::span<const Override> overrides,
                   Diagnostics& diagnostics) {
    const auto text = formats::read_text_file(file, diagnostics);
    if (!text) return {};
    return parse_yaml(*text, file, overrides, diagnostics);
}

Scenario parse_yaml(std::string_view text, const std::filesystem::path& file,
                    std::span<const Override> overrides, Diagnostics& diagnostics) {
    formats::Reporter reporter(formats::source_names(file, overrides), diagnostics);
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
    formats::apply(overrides, *document, reporter);
    return formats::read_document(reporter, *document, file);
}

} // namespace rubato::scenario
