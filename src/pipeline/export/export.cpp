// SPDX-License-Identifier: Apache-2.0
#include "export/contents.hpp"
#include "export/description.hpp"
#include "export/documentation.hpp"

#include <rubato/core/hash.hpp>
#include <rubato/files/companion.hpp>
#include <rubato/pipeline/export.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/yaml.hpp>
#include <rubato/unit/platform.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace rubato::pipeline {

namespace fs = std::filesystem;

namespace {

bool is_fmi2(const ExportSettings& settings) { return settings.version == ExportVersion::fmi2; }

void check_target(const ExportSettings& settings, const std::set<fs::path>& inputs) {
    const std::string target = settings.target.string();
    for (const fs::path& input : inputs) {
        std::error_code absent;
        if (fs::equivalent(settings.target, input, absent))
            throw InputError(
                format("\"{}\" would be overwritten, which the scenario reads", input.string()),
                "name another file by -o FILE.fmu");
    }
    std::error_code absent;
    const auto status = fs::status(settings.target, absent);
    if (!fs::exists(status)) return;
    if (!fs::is_regular_file(status))
        throw InputError(format("\"{}\" exists, and is no file", target),
                         "name another file by -o FILE.fmu");
    if (!settings.overwrite)
        throw InputError(format("\"{}\" exists", target),
                         "name another file by -o FILE.fmu, or replace it by --force");
}

/// A name in C, which the library of an FMU must have.
std::string c_name(const std::string& text) {
    std::string name;
    for (const char c : text) {
        const bool is_digit = c >= '0' && c <= '9';
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (is_digit && name.empty()) name += '_';
        name += is_letter || is_digit ? c : '_';
    }
    return name.empty() ? "scenario" : name;
}

std::string describe(const ExportSettings& settings, const composite::Interface& interface,
                     const FmuNames& names) {
    return is_fmi2(settings) ? describe_fmi2(interface, names) : describe_fmi3(interface, names);
}

/// A hash of what is described, of how it runs, and of the versions of what is inside.
std::string token_of(const std::string& description, const std::string& scenario,
                     const NestedAssembly& whole) {
    return guid([&](std::uint64_t basis) {
        Hash hash(basis);
        hash.add(RUBATO_VERSION);
        hash.add(description);
        hash.add(scenario);
        for (const scenario::UnitDescription& each : whole.assembly.descriptions)
            hash.add(each.identifier);
        return hash.value();
    });
}

bool has_only_instance(const Assembly& assembly) {
    const auto is_one = [](const scenario::UnitDescription& unit) {
        return unit.capabilities.one_instance_per_process;
    };
    const auto holds_one = [](const std::shared_ptr<const NestedAssembly>& nested) {
        return nested && has_only_instance(nested->assembly);
    };
    return std::ranges::any_of(assembly.descriptions, is_one) ||
           std::ranges::any_of(assembly.nested, holds_one);
}

/// What it is as a unit. Nothing is left open: an importer does not say how long its steps will be
/// before it makes them.
std::shared_ptr<NestedAssembly> as_unit(const Assembly& assembly, const std::string& name,
                                        unit::Library& library, Diagnostics& diagnostics) {
    scenario::Scenario scenario = assembly.scenario;
    scenario.experiment.open = {};
    auto whole = std::make_shared<NestedAssembly>(*assemble_as_unit(
        std::move(scenario), name, library,
        assembly.verdict ? Verification::perform : Verification::skip, diagnostics));
    whole->interface.description.capabilities.one_instance_per_process =
        has_only_instance(whole->assembly);
    return whole;
}

void check_interface(const composite::Interface& interface, const ExportSettings& settings,
                     Diagnostics& diagnostics) {
    if (exposed_count(interface) == 0)
        diagnostics.error({}, "the FMU would have no variables",
                          "name some in the section interface");
    if (is_fmi2(settings)) check_fmi2(interface, diagnostics);
}

void write(const ExportSettings& settings, const NestedAssembly& whole,
           const scenario::Scenario& packed, Contents& contents) {
    const std::string text = scenario::write_yaml(packed);
    FmuNames names{packed.name, c_name(packed.name), {}};
    names.token = token_of(describe(settings, whole.interface, names), text, whole);
    const fs::path runtime = files::find_companion({.name = "rubato-runtime.so",
                                                    .variable = "RUBATO_RUNTIME",
                                                    .purpose = "an FMU of a scenario"});
    const auto platform = is_fmi2(settings) ? unit::platform::fmi2 : unit::platform::fmi3;

    files::ArchiveWriter archive(settings.target);
    archive.add("modelDescription.xml", describe(settings, whole.interface, names));
    archive.add_file(format("binaries/{}/{}.so", platform, names.identifier), runtime);
    archive.add(format("resources/{}", exported::scenario), text);
    archive.add(format("resources/{}", exported::identifier), names.token);
    archive.add("documentation/index.html", index_page(names.model, contents.names()));
    archive.add("documentation/licenses/license.txt", licenses_of_runtime());
    contents.pack(archive);
    archive.finish();
}

} // namespace

std::optional<Exported> export_fmu(const Assembly& assembly, unit::Library& library,
                                   const ExportSettings& settings, Diagnostics& diagnostics) {
    const auto& name = assembly.scenario.name;
    const auto whole = as_unit(assembly, name, library, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    Contents contents(library, diagnostics);
    const scenario::Scenario packed = contents.taken_in(whole->assembly.scenario);
    check_interface(whole->interface, settings, diagnostics);
    check_target(settings, contents.inputs());
    if (diagnostics.has_errors()) return std::nullopt;
    write(settings, *whole, packed, contents);

    Exported result{whole->interface.description, contents.names()};
    result.description.variables.resize(exposed_count(whole->interface));
    result.bytes = fs::file_size(settings.target);
    return result;
}

} // namespace rubato::pipeline
