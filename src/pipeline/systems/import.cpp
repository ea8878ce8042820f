// SPDX-License-Identifier: Apache-2.0
#include "systems/folder_files.hpp"

#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/import.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/yaml.hpp>

#include <map>
#include <set>

namespace rubato::pipeline {

namespace fs = std::filesystem;

namespace {

/// Gives files of a scenario names relative to where it is to be.
class Relocation {
public:
    explicit Relocation(const fs::path& target)
        : folder_(fs::absolute(target).parent_path()), store_(target.stem()) {}

    scenario::Scenario relocated(scenario::Scenario scenario) {
        const fs::path from = fs::absolute(scenario.file).parent_path();
        for (scenario::Unit& unit : scenario.units) {
            if (auto* const fmu = std::get_if<scenario::FmuFile>(&unit.origin))
                fmu->file = place_of(from / fmu->file);
            else if (auto* const table = std::get_if<scenario::TableFile>(&unit.origin))
                table->file = place_of(from / table->file);
            else if (auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin);
                     nested && nested->scenario)
                *nested = {
                    {}, std::make_shared<const scenario::Scenario>(relocated(*nested->scenario))};
        }
        return scenario;
    }

    /// Copies what was packed.
    std::vector<fs::path> copy(bool overwrite) const {
        std::vector<fs::path> copied;
        for (const auto& [from, to] : copies_) {
            const fs::path file = folder_ / to;
            if (!overwrite && fs::exists(file))
                throw InputError(format("{} exists", file.string()), "--force replaces it");
            fs::create_directories(file.parent_path());
            fs::copy(from, file,
                     fs::copy_options::recursive | fs::copy_options::overwrite_existing);
            copied.push_back(to);
        }
        return copied;
    }

private:
    fs::path place_of(const fs::path& file) {
        const fs::path known = file.lexically_normal();
        if (!SystemStore::holds(known)) return known.lexically_relative(folder_);
        const auto [entry, is_new] = copies_.try_emplace(known);
        for (int copy = 1; is_new && (copy == 1 || !taken_.insert(entry->second).second); ++copy)
            entry->second = store_ / (known.stem().string() +
                                      (copy == 1 ? std::string() : format("-{}", copy)) +
                                      known.extension().string());
        return entry->second;
    }

    fs::path folder_, store_;
    std::map<fs::path, fs::path> copies_; ///< to where, relative to the folder
    std::set<fs::path> taken_;
};

/// All that was said, as comments.
std::string header(const fs::path& system, const Diagnostics& diagnostics) {
    std::string text = format("# Imported by Rubato from {}.\n", system.filename().string());
    bool is_first = true;
    for (const Diagnostic& each : diagnostics.all()) {
        if (is_first) text += "#\n# What has no exact counterpart, and what is worth knowing:\n";
        is_first = false;
        std::string said = to_string(each);
        for (std::size_t at = said.find('\n'); at != std::string::npos;
             at = said.find('\n', at + 3))
            said.replace(at, 1, "\n#   ");
        text += "#   " + said + "\n";
    }
    return text;
}

} // namespace

std::optional<Imported> import_system(const fs::path& system, const ImportSettings& settings,
                                      Diagnostics& diagnostics) {
    Imported result;
    result.scenario = read(system, diagnostics, settings.read);
    if (diagnostics.has_errors()) return std::nullopt;
    if (!settings.overwrite && fs::exists(settings.target))
        throw InputError(format("{} exists", settings.target.string()), "--force replaces it");
    Relocation relocation(settings.target);
    result.scenario = relocation.relocated(std::move(result.scenario));
    result.copied = relocation.copy(settings.overwrite);
    const std::string text = header(system, diagnostics) + scenario::write_yaml(result.scenario);
    files::write_atomically(settings.target, text);
    return result;
}

} // namespace rubato::pipeline
