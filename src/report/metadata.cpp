// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/metadata.hpp>

#include <nlohmann/json.hpp>

#include <array>

namespace rubato::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array status_names = {"running", "completed", "terminated", "interrupted", "failed"};

RunStatus parse_status(std::string_view name) {
    for (std::size_t i = 0; i < status_names.size(); ++i)
        if (status_names[i] == name) return static_cast<RunStatus>(i);
    throw InputError(format("unknown status \"{}\"", name));
}

Json columns_to_json(const std::vector<ColumnInfo>& columns) {
    Json list = Json::array();
    list.push_back({{"name", "time"}, {"unit", "s"}, {"type", to_string(ValueType::float64)}});
    for (const ColumnInfo& column : columns)
        list.push_back({{"name", column.name}, {"unit", column.unit}, {"type", column.type}});
    return list;
}

Json to_json(const Metadata& metadata) {
    return {{"rubato", metadata.rubato_version},
            {"status", to_string(metadata.status)},
            {"reached", metadata.reached},
            {"message", metadata.message},
            {"scenario", {{"name", metadata.scenario}, {"file", metadata.scenario_file.string()}}},
            {"experiment",
             {{"start", metadata.start}, {"stop", metadata.stop}, {"step", metadata.step}}},
            {"record-every", metadata.record_every},
            {"columns", columns_to_json(metadata.columns)},
            {"recipe", metadata.recipe},
            {"algorithm", metadata.algorithm}};
}

std::vector<ColumnInfo> columns_from_json(const Json& list) {
    std::vector<ColumnInfo> columns;
    for (const Json& entry : list)
        columns.push_back({entry.at("name"), entry.at("unit"), entry.at("type")});
    if (!columns.empty()) columns.erase(columns.begin()); // time
    return columns;
}

Metadata from_json(const Json& json) {
    Metadata metadata;
    metadata.rubato_version = json.at("rubato");
    metadata.status = parse_status(json.at("status").get<std::string>());
    metadata.reached = json.at("reached");
    metadata.message = json.at("message");
    metadata.scenario = json.at("scenario").at("name");
    metadata.scenario_file = json.at("scenario").at("file").get<std::string>();
    metadata.start = json.at("experiment").at("start");
    metadata.stop = json.at("experiment").at("stop");
    metadata.step = json.at("experiment").at("step");
    metadata.record_every = json.at("record-every");
    metadata.columns = columns_from_json(json.at("columns"));
    metadata.recipe = json.at("recipe");
    metadata.algorithm = json.at("algorithm");
    return metadata;
}

} // namespace

std::string_view to_string(RunStatus status) {
    return status_names.at(static_cast<std::size_t>(status));
}

Metadata describe_run(const scenario::Scenario& scenario, std::string algorithm,
                      std::string rubato_version) {
    Metadata metadata;
    metadata.rubato_version = std::move(rubato_version);
    metadata.scenario = scenario.name;
    metadata.scenario_file = scenario.file;
    metadata.recipe = algorithm_label(scenario);
    metadata.algorithm = std::move(algorithm);
    metadata.start = scenario.experiment.start;
    metadata.stop = scenario.experiment.stop;
    metadata.step = scenario.experiment.step;
    metadata.record_every = static_cast<std::uint64_t>(scenario.recording.every);
    metadata.reached = metadata.start;
    return metadata;
}

std::filesystem::path metadata_file_of(const std::filesystem::path& results) {
    std::filesystem::path file = results;
    file += ".json";
    return file;
}

void write_metadata(const Metadata& metadata, const std::filesystem::path& results) {
    // Names and messages come from FMUs, which need not keep to UTF-8.
    const std::string text = to_json(metadata).dump(2, ' ', false, Json::error_handler_t::replace);
    write_atomically(metadata_file_of(results), text + "\n");
}

std::optional<Metadata> find_metadata(const std::filesystem::path& results) {
    const std::filesystem::path file = metadata_file_of(results);
    if (!std::filesystem::exists(file)) return std::nullopt;
    try {
        return from_json(Json::parse(read_file(file)));
    } catch (const Json::exception& fault) {
        throw InputError(
            format("\"{}\" is not a description of results: {}", file.string(), fault.what()));
    }
}

} // namespace rubato::report
