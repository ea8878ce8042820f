// SPDX-License-Identifier: Apache-2.0

/// Scenarios as SSP packages, and back.

#include "system_folder.hpp"

#include <rubato/files/archive.hpp>
#include <rubato/pipeline/export.hpp>
#include <rubato/scenario/yaml.hpp>

namespace rubato::test {
namespace {

class ExportedSsp : public SystemFolder {
protected:
    void SetUp() override {
        copy_fmu("fmi2/msd1.fmu", "msd1.fmu");
        copy_fmu("fmi2/msd2.fmu", "msd2.fmu");
    }

    std::filesystem::path export_scenario(const std::string& text, Diagnostics& diagnostics) const {
        unit::Library library(silent_log());
        scenario::Scenario scenario = pipeline::read(write("masses.yaml", text), diagnostics);
        diagnostics.throw_if_errors();
        const pipeline::Assembly assembly =
            pipeline::assemble(std::move(scenario), library, diagnostics);
        diagnostics.throw_if_errors();
        const auto target = folder() / "masses.ssp";
        pipeline::export_ssp(assembly, library, {.target = target, .overwrite = true}, diagnostics);
        diagnostics.throw_if_errors();
        return target;
    }
    std::filesystem::path export_scenario(const std::string& text) const {
        Diagnostics diagnostics;
        return export_scenario(text, diagnostics);
    }

    /// The scenario as text, FMUs by their names alone.
    static std::string essence(scenario::Scenario scenario) {
        for (scenario::Unit& unit : scenario.units) {
            if (auto* const fmu = std::get_if<scenario::FmuFile>(&unit.origin))
                fmu->file = fmu->file.filename();
            if (auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin)) {
                scenario::Scenario inner = *nested->scenario;
                for (scenario::Unit& each : inner.units)
                    each.origin =
                        scenario::FmuFile{std::get<scenario::FmuFile>(each.origin).file.filename()};
                nested->scenario = std::make_shared<const scenario::Scenario>(std::move(inner));
            }
        }
        return write_yaml(scenario);
    }

    /// The package with its description changed.
    static void change(const std::filesystem::path& package, const std::string& from,
                       const std::string& to) {
        const files::TemporaryFolder folder;
        files::Archive(package, {.name = "package", .marker = "SystemStructure.ssd"}, {})
            .unpack(folder.path());
        std::ifstream stream(folder.path() / "SystemStructure.ssd");
        std::string text{std::istreambuf_iterator<char>(stream), {}};
        const auto at = text.find(from);
        ASSERT_NE(at, std::string::npos) << text;
        text.replace(at, from.size(), to);
        files::ArchiveWriter archive(package);
        archive.add("SystemStructure.ssd", text);
        archive.add_folder("resources", folder.path() / "resources");
        archive.finish();
    }

    static constexpr auto masses = R"(rubato: 1
name: masses
units:
  msd1: {fmu: msd1.fmu, parameters: {m1: 2.0, solver: 3}, start: {x1: 0.5}, inputs: {Fc: {approximation: linear}}}
  msd2: {fmu: msd2.fmu, type: cs}
connections:
  - msd1.x1 -> msd2.x1: {factor: 2, offset: 0.25}
  - msd1.v1 -> msd2.v1: {convert: false}
  - msd2.Fc -> msd1.Fc
experiment: {start: 0, stop: 2, step: 0.05}
algorithm: {recipe: iterated-gauss-seidel, order: [msd2, msd1]}
record: {variables: ["msd*.*"], every: 2}
)";
};

TEST_F(ExportedSsp, IsReadAsTheSameScenario) {
    const std::string nested = R"(rubato: 1
units:
  msd1: {fmu: msd1.fmu}
  right:
    scenario:
      units: {msd2: {fmu: msd2.fmu, parameters: {m2: 3.0}}}
      interface: {inputs: {x: msd2.x1, v: msd2.v1}, outputs: {F: msd2.Fc}}
connections: [msd1.x1 -> right.x, msd1.v1 -> right.v, right.F -> msd1.Fc]
experiment: {stop: 2, step: 0.1}
algorithm: jacobi
)";
    const std::string limited = masses + std::string(R"(step-control: richardson
events: {crossings: [msd1.x1 > 0.1]}
step-limits: {sampling: [{period: 0.5}]}
)");
    for (const std::string& text : {std::string(masses), nested, limited}) {
        const auto package = export_scenario(text);
        EXPECT_EQ(said(package), "");
        EXPECT_EQ(essence(read(package)), essence(read(folder() / "masses.yaml")));
        EXPECT_EQ(run_scenario(package), run_scenario(folder() / "masses.yaml"));
    }
}

TEST_F(ExportedSsp, SaysTheSameWithoutTheAnnotation) {
    const std::string text = R"(rubato: 1
units:
  msd1: {fmu: msd1.fmu, parameters: {m1: 2.0}, start: {x1: 0.5}}
  right:
    scenario:
      units: {msd2: {fmu: msd2.fmu, parameters: {m2: 3.0}}}
      interface: {inputs: {x: msd2.x1, v: msd2.v1}, outputs: {F: msd2.Fc}}
connections:
  - msd1.x1 -> right.x: {factor: 2, offset: 0.25}
  - msd1.v1 -> right.v
  - right.F -> msd1.Fc
experiment: {stop: 2}
)";
    const auto package = export_scenario(text);
    change(package, "startTime=\"0\"", "startTime=\"0.0\"");
    EXPECT_NE(said(package).find("was written by Rubato and changed since"), std::string::npos);
    EXPECT_EQ(run_scenario(package), run_scenario(folder() / "masses.yaml"));
}

TEST_F(ExportedSsp, CannotHoldNativeModels) {
    const std::string text = "rubato: 1\nunits: {a: {model: msd1}}\n";
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    Diagnostics diagnostics;
    const pipeline::Assembly assembly = pipeline::assemble(
        pipeline::read(write("native.yaml", text), diagnostics), library, diagnostics);
    EXPECT_FALSE(
        pipeline::export_ssp(assembly, library, {.target = folder() / "native.ssp"}, diagnostics));
    EXPECT_FALSE(std::filesystem::exists(folder() / "native.ssp"));
    ASSERT_TRUE(diagnostics.has_errors());
}

} // namespace
} // namespace rubato::test
