// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/private_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/models.hpp>
#include <rubato/pipeline/export.hpp>
#include <rubato/pipeline/formats.hpp>

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

namespace rubato::test {

/// Exports scenarios into a folder of its own, with the runtime RUNTIME.
class Exporter {
public:
    Exporter() { ::setenv("RUBATO_RUNTIME", RUNTIME, 1); }

    using Change = std::function<void(scenario::Scenario&)>;
    /// nullopt: refused; see `problems`.
    std::optional<std::filesystem::path> export_file(
        const std::string& file, pipeline::ExportVersion version,
        const std::string& name = "whole.fmu", const Change& change = [](scenario::Scenario&) {}) {
        unit::Library library(silent_log());
        for (const model::ModelType* type : models::all()) library.add(*type);
        Diagnostics diagnostics;
        scenario::Scenario scenario = pipeline::read(file, diagnostics);
        diagnostics.throw_if_errors();
        change(scenario);
        const pipeline::Assembly assembly =
            pipeline::assemble(std::move(scenario), library, diagnostics);
        diagnostics.throw_if_errors();
        Diagnostics found;
        const auto exported =
            pipeline::export_fmu(assembly, library, {folder / name, version, overwrite}, found);
        problems.clear();
        for (const Diagnostic& each : found.all())
            if (each.severity == Severity::error) problems += to_string(each) + "\n";
        if (!exported) return std::nullopt;
        return folder / name;
    }

    std::filesystem::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder / name) << text;
        return folder / name;
    }

    PrivateFolder folder;
    std::string problems;
    bool overwrite = false;
};

/// A scenario with the FMU as its only unit, called `whole`.
inline Exporter::Change only(const std::filesystem::path& fmu) {
    return [fmu](scenario::Scenario& scenario) {
        scenario::Scenario outer;
        outer.name = "outer";
        outer.file = fmu.parent_path() / "outer.yaml";
        outer.experiment = scenario.experiment;
        scenario::Unit unit;
        unit.name = "whole";
        unit.origin = scenario::FmuFile{fmu};
        outer.units.push_back(std::move(unit));
        scenario = std::move(outer);
    };
}

} // namespace rubato::test
