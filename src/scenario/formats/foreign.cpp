// SPDX-License-Identifier: Apache-2.0
#include "foreign.hpp"

#include <rubato/core/csv.hpp>
#include <rubato/private/format.hpp>

#include <optional>
#include <string>

namespace rubato::scenario::formats {
namespace {

namespace fs = std::filesystem;

struct Foreign {
    std::string what;
    std::string hint;
};

constexpr auto rewrite = "write its units and connections as a scenario (docs/scenario.md): "
                         "units: {a: {fmu: a.fmu}} and connections: [a.y -> b.u]";

Foreign fmu(const fs::path& file) {
    const std::string name = file.string();
    return {"is an FMU, not a scenario",
            format("rubato simulate {} runs it on its own, rubato inspect {} shows what it is; in "
                   "a scenario it is a unit: units: {{{}: {{fmu: {}}}}}",
                   name, name, file.stem().string(), file.filename().string())};
}
Foreign ssp() {
    return {"is a system structure package (SSP), which Rubato does not read", rewrite};
}
Foreign ssd() {
    return {"is a system structure description (SSP), which Rubato does not read", rewrite};
}
Foreign osp() {
    return {"is a system structure of the Open Simulation Platform, which Rubato does not read",
            rewrite};
}
Foreign master_sim() { return {"is a MasterSim project, which Rubato does not read", rewrite}; }
Foreign maestro() {
    return {"is a multi-model of Maestro (INTO-CPS), which Rubato does not read", rewrite};
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Text without a byte order mark and without space before it.
std::string_view content_of(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return trimmed(text);
}

std::optional<Foreign> find_archive(const fs::path& file, std::string_view text) {
    if (!text.starts_with("PK\x03\x04")) return std::nullopt;
    const std::string extension = file.extension().string();
    if (extension == ".fmu") return fmu(file);
    if (extension == ".ssp" || has(text.substr(0, 1 << 16), "SystemStructure.ssd")) return ssp();
    if (has(text, "modelDescription.xml")) return fmu(file);
    return Foreign{"is an archive, not a scenario", "unpack it, and name the scenario in it"};
}

std::optional<Foreign> find_xml(const fs::path& file, std::string_view text) {
    if (!text.starts_with('<')) return std::nullopt;
    constexpr std::size_t head = 1 << 14; // comments may come before the first element
    const std::string_view start = text.substr(0, head);
    if (has(start, "SystemStructureDescription")) return ssd();
    if (has(start, "<OspSystemStructure")) return osp();
    if (has(start, "<fmiModelDescription"))
        return Foreign{"is the description of a model, not a scenario",
                       format("name the FMU that holds {}", file.filename().string())};
    return Foreign{"is XML, not a scenario", "a scenario begins with the line: rubato: 1"};
}

std::optional<Foreign> find_json(std::string_view text) {
    const bool is_maestro = text.starts_with('{') && has(text, "\"fmus\"") &&
                            has(text, "\"connections\"") && !has(text, "\"rubato\"");
    return is_maestro ? std::optional(maestro()) : std::nullopt;
}

std::optional<Foreign> find_foreign(const fs::path& file, std::string_view text) {
    const std::string extension = file.extension().string();
    if (auto found = find_archive(file, text)) return found;
    const bool is_utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
    if (extension == ".conf" && is_utf16)
        return Foreign{"is encoded in UTF-16", "save it in UTF-8"};
    const std::string_view content = content_of(text);
    if (auto found = find_xml(file, content)) return found;
    if (auto found = find_json(content)) return found;
    if (extension == ".fmu") return fmu(file);
    if (extension == ".ssp") return ssp();
    if (extension == ".ssd") return ssd();
    if (extension == ".msim") return master_sim();
    if (extension == ".csv")
        return Foreign{"is a table of values, not a scenario",
                       format("rubato plot {} draws it; in a scenario it is a unit: units: {{{}: "
                              "{{table: {}}}}}",
                              file.string(), file.stem().string(), file.filename().string())};
    return std::nullopt;
}

void report(const fs::path& file, const Foreign& foreign, Diagnostics& diagnostics) {
    diagnostics.error({file.string(), 0, 0}, foreign.what, foreign.hint);
}

} // namespace

bool report_foreign(const fs::path& file, std::string_view text, Diagnostics& diagnostics) {
    const auto found = find_foreign(file, text);
    if (found) report(file, *found, diagnostics);
    return found.has_value();
}

bool report_foreign_folder(const fs::path& folder, Diagnostics& diagnostics) {
    std::error_code absent;
    const auto holds = [&](const char* name) { return fs::exists(folder / name, absent); };
    std::optional<Foreign> found;
    if (holds("modelDescription.xml")) found = fmu(folder);
    if (holds("OspSystemStructure.xml")) found = osp();
    if (holds("SystemStructure.ssd")) found = ssd();
    if (found) report(folder, *found, diagnostics);
    return found.has_value();
}

} // namespace rubato::scenario::formats
