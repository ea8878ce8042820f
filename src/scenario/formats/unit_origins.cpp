// SPDX-License-Identifier: Apache-2.0
#include "unit_origins.hpp"

#include "yaml_coupling.hpp"
#include "yaml_document.hpp"
#include "yaml_parts.hpp"
#include "yaml_settings.hpp"

#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <memory>
#include <span>

namespace rubato::scenario::formats {

namespace {

/// The origin as one of this kind: what it was, if it was one before.
template <class Kind>
Kind& made(UnitOrigin& origin) {
    if (auto* const known = std::get_if<Kind>(&origin)) return *known;
    return origin.emplace<Kind>();
}

void read_fmu(Reporter&, MapReader& map, Unit& unit) {
    if (const auto path = map.read<std::string>("fmu")) made<FmuFile>(unit.origin).file = *path;
}

void read_model(Reporter&, MapReader& map, Unit& unit) {
    if (const auto name = map.read<std::string>("model"))
        made<NativeModel>(unit.origin).name = *name;
}

void read_table(Reporter&, MapReader& map, Unit& unit) {
    if (const auto path = map.read<std::string>("table")) made<TableFile>(unit.origin).file = *path;
}

/// The path of a file, or the scenario itself.
void read_scenario(Reporter& reporter, MapReader& map, Unit& unit) {
    const Entry* const entry = map.find("scenario");
    if (!entry) return;
    if (entry->value.kind != Kind::map) {
        if (const auto path = map.read<std::string>("scenario"))
            unit.origin = NestedScenario{.file = *path};
        return;
    }
    auto& nested = made<NestedScenario>(unit.origin);
    if (!entry->value.is_path) nested = {};
    nested.scenario = std::make_shared<const Scenario>(
        read_inline(reporter, *entry, unit.name, nested.scenario.get()));
}

void read_links(Reporter& reporter, MapReader& map, Unit& unit) {
    if (const Entry* const entry = map.find("links"))
        update_constraints(reporter, map.path_of("links"), *entry, made<Links>(unit.origin).links);
}

void read_step_size(Reporter& reporter, MapReader& map, Unit& unit) {
    const Entry* const entry = map.find("step-size");
    if (!entry) return;
    auto& settings = made<StepSizeUnit>(unit.origin);
    if (!entry->value.is_path) settings = {};
    const std::string path = map.path_of("step-size");
    MapReader own(reporter, path, entry->value);
    StepControlSettings::fields(settings.control, SettingsReader(own));
    if (const auto first = own.read<double>("first")) settings.first = *first;
    const auto read_named = [&](std::string_view key, auto& things, auto name) {
        const Entry* const named = own.find(key);
        if (!named) return;
        const std::string of_all = own.path_of(key);
        update_named(reporter, of_all, named->value, things, name,
                     [&](const Entry& item, auto& thing) {
                         MapReader fields(reporter, of_all + "." + item.key, item.value);
                         thing.fields(thing, SettingsReader(fields));
                         fields.report_unknown_keys();
                     });
    };
    read_named("inputs", settings.inputs, &StepSizeUnit::Input::name);
    read_named("bonds", settings.bonds, &StepSizeUnit::Bond::name);
    own.report_unknown_keys();
}

/// A kind of origin, by the key that names it.
struct OriginKey {
    std::string_view key;
    std::string_view value; ///< what the key is to have, for messages; empty: nobody writes it
    bool (*is_held)(const UnitOrigin& origin);
    void (*read)(Reporter& reporter, MapReader& map, Unit& unit);
};

constexpr OriginKey origin_keys[] = {
    {"fmu", "the path of an FMU", std::holds_alternative<FmuFile>, read_fmu},
    {"model", "the name of a native model", std::holds_alternative<NativeModel>, read_model},
    {"table", "the path of a CSV file", std::holds_alternative<TableFile>, read_table},
    {"scenario", "the path of a scenario", std::holds_alternative<NestedScenario>, read_scenario},
    {"links", "", std::holds_alternative<Links>, read_links}, // written by rubato transform
    {"step-size", "", std::holds_alternative<StepSizeUnit>, read_step_size}, // likewise
};

/// `a, b<last>c`
std::string listed(std::string_view OriginKey::*text, std::string_view last) {
    std::vector<std::string_view> texts;
    for (const OriginKey& row : origin_keys)
        if (!row.value.empty()) texts.push_back(row.*text);
    const auto before = std::span(texts).first(texts.size() - 1);
    return format("{}{}{}", fmt::join(before, ", "), last, texts.back());
}

/// Exactly one, or none where the unit is only declared.
void check_count(Reporter& reporter, MapReader& map, const Entry& entry, const Unit& unit) {
    std::vector<std::string_view> given;
    for (const OriginKey& row : origin_keys)
        if (map.find(row.key) || row.is_held(unit.origin)) given.push_back(row.key);
    const bool is_declared = map.find("inputs") || map.find("outputs") || entry.value.is_path;
    if (given.size() == 1 || (given.empty() && is_declared)) return;
    reporter.error(
        entry.mark,
        given.empty()
            ? format("unit \"{}\" has neither {}", unit.name, listed(&OriginKey::key, " nor "))
            : format("unit \"{}\" has {}", unit.name, fmt::join(given, " and ")),
        format("give exactly one: {}", listed(&OriginKey::value, ", or ")));
}

void update_columns(Reporter& reporter, MapReader& map, std::vector<TableColumn>& columns) {
    const Entry* entry = map.find("columns");
    if (!entry) return;
    const std::string path = map.path_of("columns");
    update_named(reporter, path, entry->value, columns, &TableColumn::name,
                 [&](const Entry& item, TableColumn& column) {
                     const auto kind =
                         read_as<ColumnKind>(reporter, path + "." + item.key, item.value);
                     if (kind) column.kind = *kind;
                 });
}

void update_table(Reporter& reporter, MapReader& map, TableFile& table) {
    if (const auto stop = map.read<bool>("stop-at-jumps")) table.stop_at_jumps = stop;
    update_columns(reporter, map, table.columns);
}

/// Settings of tables, of a unit that is none.
void refuse_table(Reporter& reporter, MapReader& map, const Unit& unit) {
    TableFile none;
    update_table(reporter, map, none);
    if (none.stop_at_jumps)
        reporter.error(map.find("stop-at-jumps")->mark,
                       format("unit \"{}\" has stop-at-jumps, but no table", unit.name),
                       "only the jumps of tables are known beforehand: remove it");
    if (!none.columns.empty())
        reporter.error(map.find("columns")->mark,
                       format("unit \"{}\" has columns, but no table", unit.name),
                       "columns say what the columns of a table hold: give the table, or remove "
                       "columns");
}

void write_kind(Lines&, const Declared&, Detail) {}

void write_kind(Lines& lines, const FmuFile& fmu, Detail) {
    lines.add(2, "fmu", to_yaml(fmu.file.string()));
}

void write_kind(Lines& lines, const NativeModel& model, Detail) {
    lines.add(2, "model", to_yaml(model.name));
}

/// One that is inline is written two levels deeper than on its own, without the format version.
void write_kind(Lines& lines, const NestedScenario& nested, Detail detail) {
    if (!nested.file.empty() || !nested.scenario) {
        lines.add(2, "scenario", to_yaml(nested.file.string()));
        return;
    }
    lines.add(2, "scenario");
    const std::string text = write_yaml(*nested.scenario, detail);
    lines.add_text(3, std::string_view(text).substr(text.find('\n') + 1));
}

void write_kind(Lines& lines, const Links& links, Detail) {
    write_constraints(lines, 2, "links", links.links);
}

/// Keys and values of settings that differ from the default.
template <class Settings>
std::vector<std::pair<std::string, std::string>> deviations_of(const Settings& settings) {
    const SettingsTexts usual = texts_of(Settings{});
    std::vector<std::pair<std::string, std::string>> texts = texts_of(settings).texts;
    std::erase_if(texts, [&](const auto& text) { return usual.contains(text); });
    return texts;
}

/// `{approximation: linear, nominal: 2.0}`
template <class Settings>
std::string inline_deviations(const Settings& settings) {
    std::vector<std::string> items;
    for (const auto& [key, text] : deviations_of(settings))
        items.push_back(format("{}: {}", key, text));
    return format("{{{}}}", fmt::join(items, ", "));
}

void write_kind(Lines& lines, const StepSizeUnit& unit, Detail) {
    lines.add(2, "step-size");
    lines.add(3, "first", to_yaml(unit.first));
    for (const auto& [key, text] : deviations_of(unit.control)) lines.add(3, key, text);
    lines.add(3, "inputs");
    for (const StepSizeUnit::Input& input : unit.inputs)
        lines.add(4, to_yaml(input.name), inline_deviations(input));
    if (!unit.bonds.empty()) lines.add(3, "bonds");
    for (const StepSizeUnit::Bond& bond : unit.bonds)
        lines.add(4, to_yaml(bond.name), inline_deviations(bond));
}

void write_kind(Lines& lines, const TableFile& table, Detail) {
    lines.add(2, "table", to_yaml(table.file.string()));
    if (!table.columns.empty()) lines.add(2, "columns");
    for (const TableColumn& column : table.columns)
        lines.add(3, to_yaml(column.name), to_yaml(column.kind));
    if (table.stop_at_jumps) lines.add(2, "stop-at-jumps", to_yaml(*table.stop_at_jumps));
}

} // namespace

void update_origin(Reporter& reporter, MapReader& map, const Entry& entry, Unit& unit) {
    check_count(reporter, map, entry, unit);
    for (const OriginKey& row : origin_keys) row.read(reporter, map, unit);
    if (auto* const table = std::get_if<TableFile>(&unit.origin))
        update_table(reporter, map, *table);
    else
        refuse_table(reporter, map, unit);
}

void write_origin(Lines& lines, const UnitOrigin& origin, Detail detail) {
    std::visit([&](const auto& kind) { write_kind(lines, kind, detail); }, origin);
}

} // namespace rubato::scenario::formats
