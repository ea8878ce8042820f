// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/metadata.hpp>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

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

Json assumed_to_json(const std::vector<scenario::DefaultedSetting>& assumed) {
    Json list = Json::array();
    for (const scenario::DefaultedSetting& setting : assumed)
        list.push_back({{"setting", setting.name},
                        {"value", setting.value},
                        {"suggested", setting.from_model},
                        {"units-differ", setting.models_differ}});
    return list;
}

std::vector<scenario::DefaultedSetting> assumed_from_json(const Json& list) {
    std::vector<scenario::DefaultedSetting> assumed;
    for (const Json& entry : list)
        assumed.push_back({entry.at("setting"), entry.at("value"), entry.at("suggested"),
                           entry.at("units-differ")});
    return assumed;
}

Json to_json(const Metadata& metadata) {
    return {{"rubato", metadata.rubato_version},
            {"status", to_string(metadata.status)},
            {"reached", metadata.reached},
            {"message", metadata.message},
            {"scenario", {{"name", metadata.scenario}, {"file", metadata.scenario_file.string()}}},
            {"experiment",
             {{"start", metadata.start}, {"stop", metadata.stop}, {"step", metadata.step}}},
            {"assumed", assumed_to_json(metadata.assumed)},
            {"record-every", metadata.record_every},
            {"columns", columns_to_json(metadata.columns)},
            {"recipe", metadata.recipe},
            {"algorithm", metadata.algorithm}};
}

std::string text_of(const Metadata& metadata) {
    // Names and messages come from FMUs, which need not keep to UTF-8.
    return to_json(metadata).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

constexpr std::size_t short_room = 40; ///< for a status or a number
constexpr std::size_t message_room = 1000;

/// As a text of JSON, cut to what there is room for. Async-signal-safe.
std::string_view quoted(std::array<char, message_room>& room, std::string_view text) {
    constexpr std::size_t most_for_one = 6; // a character of four bytes, and the quote behind it
    std::size_t size = 0;
    room[size++] = '"';
    for (const char c : text) {
        const bool continues = (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
        if (!continues && size + most_for_one > room.size()) break;
        if (c == '"' || c == '\\') room[size++] = '\\';
        room[size++] = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    room[size++] = '"';
    return {room.data(), size};
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
    if (json.contains("assumed")) metadata.assumed = assumed_from_json(json.at("assumed"));
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
    files::write_atomically(metadata_file_of(results), text_of(metadata));
}

/// Behind the value of a key of the outermost object, which stands on a line of its own.
RunningMetadata::Slot RunningMetadata::make_room(std::string& text, std::string_view key,
                                                 std::size_t size) {
    const std::string before = format("\n  \"{}\": ", key);
    const std::size_t at = text.find(before) + before.size();
    const std::size_t end = text.find(",\n", at);
    if (end - at < size) text.insert(end, size - (end - at), ' ');
    return {at, std::max(size, end - at)};
}

RunningMetadata::RunningMetadata(const Metadata& metadata, const std::filesystem::path& results) {
    std::string text = text_of(metadata);
    status_ = make_room(text, "status", short_room);   // in the order of the file: what is put in
    reached_ = make_room(text, "reached", short_room); // moves what follows
    message_ = make_room(text, "message", message_room);
    const std::filesystem::path file = metadata_file_of(results);
    files::write_atomically(file, text);
    descriptor_ = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
}

RunningMetadata::~RunningMetadata() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool RunningMetadata::fill(const Slot& slot, std::string_view json) const noexcept {
    std::array<char, message_room> value{};
    const std::size_t size = std::min(slot.size, value.size());
    value.fill(' ');
    std::memcpy(value.data(), json.data(), std::min(json.size(), size));
    return ::pwrite(descriptor_, value.data(), size, static_cast<off_t>(slot.at)) ==
           static_cast<ssize_t>(size);
}

bool RunningMetadata::conclude_in_place(RunStatus status, std::string_view reached,
                                        std::string_view message) const noexcept {
    if (descriptor_ < 0) return false;
    std::array<char, message_room> text{};
    const std::string_view name = status_names[static_cast<std::size_t>(status)];
    return fill(status_, quoted(text, name)) && (reached.empty() || fill(reached_, reached)) &&
           fill(message_, quoted(text, message));
}

std::optional<Metadata> find_metadata(const std::filesystem::path& results) {
    const std::filesystem::path file = metadata_file_of(results);
    if (!std::filesystem::exists(file)) return std::nullopt;
    try {
        return from_json(Json::parse(files::read_file(file)));
    } catch (const Json::exception& fault) {
        throw InputError(
            format("\"{}\" is not a description of results: {}", file.string(), fault.what()));
    }
}

} // namespace rubato::report
