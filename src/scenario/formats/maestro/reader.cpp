// SPDX-License-Identifier: Apache-2.0
#include "formats/maestro/model.hpp"
#include "formats/yaml_tree.hpp"

#include <rubato/private/format.hpp>
#include <rubato/scenario/maestro.hpp>

#include <algorithm>

namespace rubato::scenario {

namespace formats::maestro {

namespace {

namespace fs = std::filesystem;

/// The unit of an instance: made when it is first named.
std::size_t unit_of(Model& model, const std::string& key, const std::string& instance,
                    const Location& where) {
    const auto known = model.units.find(key + "." + instance);
    if (known != model.units.end()) return known->second;
    Unit unit;
    unit.name = unique_name(plain_name(instance), model.names);
    unit.where = where;
    unit.origin = FmuFile{model.fmus.at(key).path};
    const std::size_t index = model.scenario.units.size();
    model.descriptions.push_back(model.files.describe(unit));
    model.scenario.units.push_back(std::move(unit));
    model.units.emplace(key + "." + instance, index);
    return index;
}

constexpr int levels = 8; ///< of folders around a file that are searched

/// Maestro finds files from the folder that it is started in. That is not known: the folder of the
/// file, those around it, and the folder FMUs of a project are tried.
std::optional<fs::path> find_file(const SystemFiles& files, const fs::path& path) {
    if (path.is_absolute()) return files.exists(path) ? std::optional(path) : std::nullopt;
    fs::path folder;
    for (int i = 0; i < levels; ++i, folder /= "..") {
        for (const fs::path& each :
             {folder / path, folder / "FMUs" / path, folder / "FMUs" / path.filename()})
            if (files.exists(each)) return each.lexically_normal();
    }
    return std::nullopt;
}

/// A file of the same name in one of these folders: multi-models name the machine that they were
/// made on ("/home/user/wt.fmu"), or the folder of a build ("target/test-classes/wt.fmu").
std::optional<fs::path> find_by_name(const SystemFiles& files, const fs::path& path) {
    fs::path folder;
    for (int i = 0; i < levels; ++i, folder /= "..")
        if (const fs::path each = folder / path.filename(); files.exists(each))
            return each.lexically_normal();
    return std::nullopt;
}

/// nullopt: it is not there, which has been reported.
std::optional<fs::path> find_fmu(Model& model, const Entry& entry, const std::string& text) {
    std::string path = text;
    if (path.starts_with("file:///")) path = path.substr(7);
    if (path.starts_with("file:")) path = path.substr(5);
    std::ranges::replace(path, '\\', '/');
    if (auto found = find_file(model.files, path)) return found;
    const auto found = find_by_name(model.files, path);
    if (found)
        model.diagnostics.note(
            model.reporter.locate(entry.mark),
            format("\"{}\" is not there: {} is taken", text, model.files.label(*found)));
    else
        model.reporter.error(entry.mark,
                             format("the FMU \"{}\" of {} is not found", text, entry.key),
                             "it is looked for from the folder of the file upwards, and in "
                             "folders FMUs there");
    return found;
}

void read_fmus(Model& model, const Entry& section) {
    for (const Entry* entry : entries_of(model.reporter, "fmus", section.value)) {
        const auto text = read_as<std::string>(model.reporter, "fmus." + entry->key, entry->value);
        if (!text) continue;
        const auto found = find_fmu(model, *entry, *text);
        if (!found) {
            model.missing.insert(entry->key);
            continue;
        }
        model.fmus.emplace(entry->key,
                           Fmu{model.files.path_of(*found), model.reporter.locate(entry->mark)});
    }
}

void read_connections(Model& model, const Entry& section) {
    for (const Entry* entry : entries_of(model.reporter, "connections", section.value)) {
        const auto from = model.find(entry->key, entry->mark);
        for (const Node& item :
             items_of(model.reporter, "connections." + entry->key, entry->value)) {
            const auto text =
                read_as<std::string>(model.reporter, "a target of " + entry->key, item);
            const auto to = text ? model.find(*text, item.mark) : std::nullopt;
            if (!from || !to) continue;
            Connection connection;
            connection.from_unit = model.scenario.units[from->first].name;
            connection.from_port = from->second;
            connection.to_unit = model.scenario.units[to->first].name;
            connection.to_port = to->second;
            connection.where = model.reporter.locate(item.mark);
            const Variable* source = find_variable(model.descriptions[from->first], from->second);
            const Variable* target = find_variable(model.descriptions[to->first], to->second);
            // Maestro does not convert units of measure.
            if (source && target && source->unit != target->unit) connection.convert = false;
            if (source && target && storage_of(source->type) == Storage::real &&
                storage_of(target->type) == Storage::boolean) {
                connection.to_type = TypeConversion::threshold; // as Maestro does
                connection.threshold = 0.5;
            }
            model.scenario.connections.push_back(std::move(connection));
        }
    }
}

void read_parameters(Model& model, const Entry& section) {
    for (const Entry* entry : entries_of(model.reporter, "parameters", section.value)) {
        const auto target = model.find(entry->key, entry->mark);
        const auto value = read_as<Value>(model.reporter, "parameters." + entry->key, entry->value);
        if (!target || !value) continue;
        const UnitDescription* const description = model.descriptions[target->first];
        if (description && !find_variable(description, target->second)) {
            std::vector<std::string> names;
            for (const Variable& each : description->variables) names.push_back(each.name);
            model.diagnostics.warning( // Maestro ignores it
                model.reporter.locate(entry->mark),
                format("parameter \"{}\" has no effect: the FMU has no such variable", entry->key),
                suggest(target->second, names, "its variables"));
            continue;
        }
        add_value(model.scenario.units[target->first],
                  {target->second, *value, model.reporter.locate(entry->mark), {}, {}},
                  find_variable(description, target->second), true, model.diagnostics);
    }
}

/// Features of Maestro that change results and have no counterpart.
void name_missing(Model& model, MapReader& document) {
    for (const char* key : {"faultInjectConfigurationPath", "faultInjectInstances",
                            "modelTransfers", "modelSwaps", "environmentParameters", "sigver"}) {
        const Entry* const entry = document.find(key);
        const bool is_empty = !entry || entry->value.kind == Kind::null ||
                              (entry->value.items.empty() && entry->value.entries.empty() &&
                               entry->value.text.empty());
        if (!is_empty)
            model.diagnostics.warning(
                model.reporter.locate(entry->mark),
                format("\"{}\" has no effect: Rubato has no counterpart", key));
    }
}

/// All files given are one document; the multi-model comes first.
void read_document(Model& model, const Node& node) {
    MapReader document(model.reporter, "", node);
    if (const Entry* section = document.find("fmus")) read_fmus(model, *section);
    if (const Entry* section = document.find("connections")) read_connections(model, *section);
    if (const Entry* section = document.find("parameters")) read_parameters(model, *section);
    read_settings(model, document);
    name_missing(model, document);
    for (const Entry& entry : node.entries) {
        const auto& known = document.known();
        constexpr std::array harmless = {"livestream",
                                         "livestreamInterval",
                                         "liveGraphColumns",
                                         "liveGraphVisibleRowCount",
                                         "visible",
                                         "loggingOn",
                                         "overrideLogLevel",
                                         "logLevels",
                                         "graphs",
                                         "livestream",
                                         "postProcessingScript",
                                         "multimodel_crc",
                                         "multimodel_path",
                                         "webserverPort",
                                         "webserverRefreshInterval",
                                         "description",
                                         "version",
                                         "cosim_name",
                                         "title",
                                         "enableAllLogCategoriesPerInstance"};
        if (std::ranges::find(known, entry.key) == known.end() &&
            std::ranges::find(harmless, entry.key) == harmless.end())
            model.diagnostics.warning(model.reporter.locate(entry.mark),
                                      format("the key \"{}\" has no effect", entry.key));
    }
}

} // namespace

std::optional<std::pair<std::size_t, std::string>> Model::find(const std::string& text, Mark mark) {
    const auto brace = text.find('}');
    const auto first = text.find('.', brace == std::string::npos ? 0 : brace);
    const auto second = first == std::string::npos ? first : text.find('.', first + 1);
    if (second == std::string::npos) {
        reporter.error(mark, format("\"{}\" is no variable", text),
                       "Maestro writes {fmu}.instance.variable");
        return std::nullopt;
    }
    const std::string key = text.substr(0, first);
    if (missing.contains(key)) return std::nullopt;
    if (!fmus.contains(key)) {
        std::vector<std::string> keys;
        for (const auto& [known, fmu] : fmus) keys.push_back(known);
        reporter.error(mark, format("\"{}\": there is no FMU {}", text, key),
                       suggest(key, keys, "the FMUs"));
        return std::nullopt;
    }
    const std::string instance = text.substr(first + 1, second - first - 1);
    return std::pair(unit_of(*this, key, instance, reporter.locate(mark)), text.substr(second + 1));
}

std::optional<std::string> Model::name_of(const std::string& text, Mark mark) {
    const auto found = find(text, mark);
    if (!found) return std::nullopt;
    return scenario.units[found->first].name + "." + found->second;
}

} // namespace formats::maestro

Scenario parse_maestro(const std::filesystem::path& file, SystemFiles& files,
                       Diagnostics& diagnostics) {
    namespace maestro = formats::maestro;
    const std::string text = files.read(file);
    std::vector<std::string> labels = {files.label(file)};
    formats::Reporter reporter(labels, diagnostics);
    const auto document = formats::parse_yaml_tree(text, 0, reporter);
    if (!document) return {};
    maestro::Model model{files, diagnostics, reporter, {}, {}, {}, {}, {}, {}};
    model.scenario.experiment.open = {.start = true, .stop = true, .step = true, .tolerance = true};
    formats::MapReader map(reporter, "", *document);
    const formats::Entry* const named = map.find("multimodel_path");
    if (named && !map.find("fmus")) {
        const auto path = maestro::find_file(files, named->value.text);
        if (!path) {
            reporter.error(named->mark,
                           format("the multi-model \"{}\" is not found", named->value.text),
                           "run the multi-model itself, with --stop and --step");
            return {};
        }
        formats::Reporter of_model({files.label(*path)}, diagnostics);
        if (const auto inner = formats::parse_yaml_tree(files.read(*path), 0, of_model)) {
            maestro::Model first{files, diagnostics, of_model, std::move(model.scenario), {}, {},
                                 {},    {},          {}};
            maestro::read_document(first, *inner);
            model.scenario = std::move(first.scenario);
            model.fmus = std::move(first.fmus);
            model.missing = std::move(first.missing);
            model.units = std::move(first.units);
            model.descriptions = std::move(first.descriptions);
            model.names = std::move(first.names);
        }
    }
    maestro::read_document(model, *document);
    for (std::size_t i = 0; i < model.scenario.units.size(); ++i)
        if (model.descriptions[i])
            formats::add_declared_parameters(model.scenario.units[i], *model.descriptions[i]);
    if (model.scenario.units.empty() && !diagnostics.has_errors())
        diagnostics.error({labels.front(), 0, 0}, "no connection or parameter names an instance of "
                                                  "an FMU: there is nothing to simulate");
    return std::move(model.scenario);
}

} // namespace rubato::scenario
