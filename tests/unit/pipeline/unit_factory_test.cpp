// SPDX-License-Identifier: Apache-2.0
#include "support/error_text.hpp"
#include "support/integrator_unit.hpp"
#include "support/run_scenario.hpp"

#include <rubato/scenario/yaml.hpp>

#include <gmock/gmock.h>

namespace rubato::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Makes units of a kind that nothing below knows.
class IntegratorFactory final : public unit::UnitFactory {
public:
    bool makes(const scenario::UnitOrigin& origin) const override {
        const auto* const native = std::get_if<scenario::NativeModel>(&origin);
        return native && native->name == "an integrator of the test";
    }
    const scenario::UnitDescription& describe(const scenario::Unit&,
                                              const std::filesystem::path&) override {
        return test::IntegratorUnit::describe();
    }
    std::unique_ptr<unit::Unit> instantiate(const scenario::Unit& unit,
                                            const std::filesystem::path& folder) override {
        folders.push_back(folder);
        return std::make_unique<test::IntegratorUnit>(unit.name, test::IntegratorTraits{});
    }
    std::vector<std::filesystem::path> files() const override { return {"integrators.txt"}; }

    inline static std::vector<std::filesystem::path> folders; ///< of the units that were made
};

constexpr const char* two_integrators = R"(
rubato: 1
units:
  a: {model: an integrator of the test, start: {u: 2}}
  b: {model: an integrator of the test, sub-steps: 2}
  c: {model: integrator}
connections: [a.y -> b.u, a.y -> c.u]
experiment: {stop: 1, step: 0.1}
algorithm: jacobi
)";

class ForeignUnits : public testing::Test {
protected:
    ForeignUnits() {
        for (const model::ModelType* type : models::all()) library_.add(*type);
        IntegratorFactory::folders.clear();
    }

    test::Trajectories run() {
        Diagnostics diagnostics;
        scenario::Scenario scenario =
            scenario::parse_yaml(two_integrators, "folder/s.yaml", diagnostics);
        const Assembly assembly = assemble(std::move(scenario), library_, diagnostics);
        diagnostics.throw_if_errors();
        engine::Simulation simulation = build(assembly, library_, silent_log());
        test::TrajectoryRecorder recorder;
        (void)simulation.run({.recorder = &recorder});
        return recorder.trajectories;
    }

    unit::Library library_{silent_log()};
};

TEST_F(ForeignUnits, AreMadeByTheFactoryThatWasAddedForThem) {
    library_.add(std::make_unique<IntegratorFactory>());
    const test::Trajectories result = run();
    EXPECT_NEAR(result.at("a.y").back(), 2, 1e-12);
    // Jacobi holds what a is at the start of each step: 0.1 · (0 + 0.2 + … + 1.8).
    EXPECT_NEAR(result.at("b.y").back(), 0.9, 1e-12);
    EXPECT_THAT(IntegratorFactory::folders, ElementsAre("folder", "folder"));
    EXPECT_THAT(library_.files(), ElementsAre("integrators.txt"));
}

TEST_F(ForeignUnits, GoWithUnitsOfOtherFactories) {
    library_.add(std::make_unique<IntegratorFactory>());
    const test::Trajectories result = run();
    EXPECT_NEAR(result.at("c.y").back(), result.at("b.y").back(), 1e-12);
}

TEST_F(ForeignUnits, WithoutTheirFactoryAreUnknown) {
    EXPECT_THAT(test::error_of<InputError>([&] { run(); }),
                HasSubstr("there is no native model \"an integrator of the test\""));
}

TEST_F(ForeignUnits, ThatNobodyMakesAreRefused) {
    scenario::Unit unit;
    unit.name = "a";
    EXPECT_THAT(test::error_of<InputError>([&] { library_.describe(unit, ""); }),
                testing::AllOf(HasSubstr("unit \"a\" is only declared: nothing can run it"),
                               HasSubstr("add a unit factory for it")));
}

} // namespace
} // namespace rubato::pipeline
