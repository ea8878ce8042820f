// SPDX-License-Identifier: Apache-2.0
#include "systems/read_systems.hpp"

#include <rubato/pipeline/formats.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/conf.hpp>
#include <rubato/scenario/ssp.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <iterator>

namespace rubato::pipeline {
namespace {

namespace fs = std::filesystem;

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Whether a line begins with a key, and what follows it with one of these characters.
bool has_line(std::string_view text, std::string_view key, std::string_view next) {
    for (std::size_t at = text.find(key); at != std::string_view::npos;
         at = text.find(key, at + 1)) {
        if (at > 0 && text[at - 1] != '\n') continue;
        const std::size_t after = text.find_first_not_of(" \t", at + key.size());
        if (after != std::string_view::npos && has(next, text.substr(after, 1))) return true;
    }
    return false;
}

// -- recognized by content ------------------------------------------------------------------------

bool is_archive(const Candidate& it) { return it.text.starts_with("PK\x03\x04"); }
bool is_ssp(const Candidate& it) {
    constexpr std::size_t head = 1 << 16;
    return is_archive(it) && !it.has_extension(".fmu") &&
           (it.has_extension(".ssp") || has(it.text.substr(0, head), "SystemStructure.ssd"));
}
bool is_fmu(const Candidate& it) {
    return is_archive(it) && (it.has_extension(".fmu") || has(it.text, "modelDescription.xml"));
}

bool is_xml(const Candidate& it) { return it.content.starts_with('<'); }
bool is_xml_with(const Candidate& it, std::string_view element) {
    constexpr std::size_t head = 1 << 14; // comments may come before the first element
    return is_xml(it) && has(it.content.substr(0, head), element);
}
/// What the name says goes before what may be wrong in the file.
bool is_ssd(const Candidate& it) {
    return is_xml_with(it, "SystemStructureDescription") ||
           (is_xml(it) && it.has_extension(".ssd"));
}
bool is_osp(const Candidate& it) { return is_xml_with(it, "OspSystemStructure"); }
bool is_model_description(const Candidate& it) { return is_xml_with(it, "<fmiModelDescription"); }

bool is_maestro(const Candidate& it) {
    const bool is_model = has(it.content, "\"fmus\"") && has(it.content, "\"connections\"");
    return it.content.starts_with('{') && !has(it.content, "\"rubato\"") &&
           (is_model || has(it.content, "\"multimodel_path\""));
}
bool is_yaml(const Candidate& it) { return has_line(it.content, "rubato", ":"); }
bool is_conf(const Candidate& it) { return has_line(it.content, "scenario", "={"); }

// -- what to do with those that are not read
// -------------------------------------------------------

std::string run_fmu(const fs::path& file) {
    const std::string name = file.string();
    return format("rubato simulate {} runs it on its own, rubato inspect {} shows what it is; in "
                  "a scenario it is a unit: units: {{{}: {{fmu: {}}}}}",
                  name, name, file.stem().string(), file.filename().string());
}
std::string unpack(const fs::path&) { return "unpack it, and name the scenario in it"; }
std::string name_fmu(const fs::path& file) {
    return format("name the FMU that holds {}", file.filename().string());
}
std::string begin_scenario(const fs::path&) { return "a scenario begins with the line: rubato: 1"; }
std::string use_table(const fs::path& file) {
    return format("rubato plot {} draws it; in a scenario it is a unit: units: {{{}: "
                  "{{table: {}}}}}",
                  file.string(), file.stem().string(), file.filename().string());
}

scenario::Scenario read_conf(std::string_view text, const fs::path& file,
                             Diagnostics& diagnostics) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        diagnostics.error({file.string(), 0, 0}, "is encoded in UTF-16", "save it in UTF-8");
        return {};
    }
    return scenario::parse_conf(text, file, diagnostics);
}

/// Formats that are recognized, to say what to do instead.
std::vector<Format> foreign_formats() {
    return {
        {.name = "fmu",
         .extensions = {".fmu"},
         .recognizes = is_fmu,
         .marker = "modelDescription.xml",
         .problem = "is an FMU, not a scenario",
         .advice = run_fmu},
        {.name = "archive",
         .recognizes = is_archive,
         .problem = "is an archive, not a scenario",
         .advice = unpack},
        {.name = "model-description",
         .recognizes = is_model_description,
         .problem = "is the description of a model, not a scenario",
         .advice = name_fmu},
        {.name = "xml",
         .recognizes = is_xml,
         .problem = "is XML, not a scenario",
         .advice = begin_scenario},
        {.name = "csv",
         .extensions = {".csv"},
         .problem = "is a table of values, not a scenario",
         .advice = use_table},
    };
}

/// In the order in which a file is recognized.
std::vector<Format> make_formats() {
    std::vector<Format> all = {
        {.name = "ssp", .extensions = {".ssp"}, .recognizes = is_ssp, .read_system = read_ssp},
        {.name = "ssd",
         .extensions = {".ssd"},
         .recognizes = is_ssd,
         .marker = scenario::default_ssd,
         .read_system = read_ssp},
        {.name = "osp",
         .recognizes = is_osp,
         .marker = "OspSystemStructure.xml",
         .read_system = read_osp},
        {.name = "maestro", .recognizes = is_maestro, .read_system = read_maestro},
        {.name = "master-sim", .extensions = {".msim"}, .read_system = read_msim}};
    std::ranges::move(foreign_formats(), std::back_inserter(all));
    all.push_back({.name = "yaml",
                   .extensions = {".yaml", ".yml"},
                   .recognizes = is_yaml,
                   .read = scenario::parse_yaml,
                   .write = scenario::write_yaml,
                   .write_output = scenario::write_yaml});
    all.push_back({.name = "conf",
                   .extensions = {".conf"},
                   .recognizes = is_conf,
                   .read = read_conf,
                   .write = scenario::write_conf,
                   .write_output = scenario::write_conf,
                   .losses = scenario::losses_in_conf});
    return all;
}

} // namespace

std::span<const Format> formats() {
    static const std::vector<Format> all = make_formats();
    return all;
}

const Format* find_written_format(std::string_view name) {
    const auto found = std::ranges::find(formats(), name, &Format::name);
    return found != formats().end() && found->write ? &*found : nullptr;
}

const Format& scenario_format(const fs::path& file) {
    for (const Format& each : formats())
        if (each.read &&
            std::ranges::find(each.extensions, file.extension().string()) != each.extensions.end())
            return each;
    return *find_written_format("yaml");
}

} // namespace rubato::pipeline
