// SPDX-License-Identifier: Apache-2.0
// Whatever a run is made of, it can be saved, continued, restored and continued again, bit by bit.
#include "forms.hpp"
#include "support/random_source.hpp"
#include "support/run_scenario.hpp"
#include "wrapped.hpp"

#include <rubato/composite/composite_unit.hpp>
#include <rubato/core/diagnostics.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

namespace rubato::test {
namespace {

namespace fs = std::filesystem;

/// All that can be seen of a run between two steps, at all levels.
std::vector<double> seen(const engine::Simulation& simulation) {
    const engine::Summary& summary = simulation.summary();
    std::vector<double> numbers = {simulation.time().seconds,
                                   static_cast<double>(summary.steps),
                                   static_cast<double>(summary.events),
                                   static_cast<double>(summary.found_events),
                                   static_cast<double>(summary.trials),
                                   static_cast<double>(summary.switches),
                                   static_cast<double>(summary.unit_steps),
                                   static_cast<double>(summary.iterations),
                                   static_cast<double>(summary.rejections),
                                   static_cast<double>(summary.repeated),
                                   static_cast<double>(summary.missed),
                                   summary.contraction};
    for (std::size_t u = 0; u < simulation.system().units.size(); ++u) {
        unit::Unit& unit = simulation.unit(nth<UnitId>(u));
        for (const scenario::Variable& variable : unit.description().variables) {
            if (variable.type != ValueType::float64 || !variable.dimensions.empty() ||
                variable.causality != scenario::Causality::output || !variable.clocks.empty())
                continue;
            double value = 0;
            unit.get({ValueType::float64, {&variable.reference, 1}, &value, 1});
            numbers.push_back(value);
        }
        if (const auto* const inner = composite::inner_simulation(unit)) {
            const std::vector<double> within = seen(*inner);
            numbers.insert(numbers.end(), within.begin(), within.end());
        }
    }
    const engine::Trust trust = simulation.trust();
    for (const engine::CouplingError& error : trust.couplings)
        numbers.insert(numbers.end(), {error.range, error.largest, error.accumulated,
                                       static_cast<double>(error.jumps)});
    for (const engine::BondBalance& bond : trust.bonds)
        numbers.insert(numbers.end(), {bond.transferred, bond.exchanged, bond.created});
    return numbers;
}

using Rows = std::vector<std::vector<double>>;

/// A run that fails has one row more.
Rows rows_to_the_end(engine::Simulation& simulation) {
    constexpr std::size_t most = 400;
    Rows rows = {seen(simulation)};
    try {
        while (!simulation.has_ended() && rows.size() < most) {
            simulation.step();
            rows.push_back(seen(simulation));
        }
    } catch (const Error& error) {
        rows.push_back({simulation.time().seconds});
    }
    return rows;
}

using Change = std::function<void(scenario::Scenario&)>;

void limit_changes(scenario::Scenario& scenario) {
    const scenario::Connection& first = scenario.connections.at(0);
    scenario.step_limits.changes = {{first.from_unit + "." + first.from_port, {}, 0.01, 0.05, {}}};
}

/// A scenario of the cases, with settings changed.
class Case {
public:
    Case(const fs::path& file, const std::vector<scenario::Override>& overrides,
         const Change& change)
        : library_(silent_log()) {
        for (const model::ModelType* type : models::all()) library_.add(*type);
        Diagnostics diagnostics;
        scenario::Scenario scenario = pipeline::read(file, overrides, diagnostics);
        diagnostics.throw_if_errors();
        change(scenario);
        assembly_.emplace(pipeline::assemble(std::move(scenario), library_, diagnostics));
        diagnostics.throw_if_errors();
    }

    engine::Simulation start() {
        engine::Simulation simulation =
            pipeline::build(*assembly_, library_, silent_log(), {.estimate_errors = true});
        simulation.initialize();
        return simulation;
    }

private:
    unit::Library library_;
    std::optional<pipeline::Assembly> assembly_;
};

/// Returns whether the scenario can be run so at all.
bool check_saving(
    const fs::path& file, const std::vector<scenario::Override>& overrides,
    const Change& change = [](scenario::Scenario&) {}) {
    Rows undisturbed;
    std::optional<Case> the_case;
    try {
        the_case.emplace(file, overrides, change);
        engine::Simulation simulation = the_case->start();
        undisturbed = rows_to_the_end(simulation);
    } catch (const std::exception&) {
        return false; // settings that do not fit, or a run that fails
    }
    const bool fails = undisturbed.back().size() == 1;
    RandomSource random(undisturbed.size());
    for (int round = 0; round < 2; ++round) {
        engine::Simulation simulation = the_case->start();
        const std::size_t before = random.below(undisturbed.size() - (fails ? 1 : 0));
        for (std::size_t i = 0; i < before; ++i) simulation.step();
        const engine::SavedRun saved = simulation.save();
        const Rows rest(undisturbed.begin() + static_cast<std::ptrdiff_t>(before),
                        undisturbed.end());
        const auto continued = [&] {
            Rows rows = rows_to_the_end(simulation);
            rows.resize(std::min(rows.size(), rest.size()));
            return rows;
        };
        EXPECT_EQ(continued(), rest) << "saving has changed the run";
        simulation.restore(saved);
        EXPECT_EQ(continued(), rest) << "the restored run differs";
    }
    return true;
}

std::vector<fs::path> scenario_files() {
    std::vector<fs::path> files;
    for (const char* folder : {CASES, STUDIES})
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

class SavedRun : public testing::TestWithParam<fs::path> {};

TEST_P(SavedRun, ContinuesAsWritten) { ASSERT_TRUE(check_saving(GetParam(), {})); }

TEST_P(SavedRun, ContinuesInAllForms) {
    for (const Form form : {Form::fmi2, Form::fmi3, Form::isolated, Form::solved}) {
        SCOPED_TRACE(name_of(form));
        (void)check_saving(GetParam(), {}, [&](auto& scenario) { use(form, scenario); });
    }
}

TEST_P(SavedRun, ContinuesWithLimitedChanges) { (void)check_saving(GetParam(), {}, limit_changes); }

TEST_P(SavedRun, ContinuesAsAUnitOfAnother) {
    ASSERT_TRUE(check_saving(GetParam(), {}, wrap_whole));
}

TEST_P(SavedRun, ContinuesAsAUnitOfAnotherInStepsOfItsOwn) {
    const auto wrap_in_longer_steps = [](scenario::Scenario& scenario) {
        wrap_whole(scenario);
        scenario.experiment.step *= 2.5;
    };
    ASSERT_TRUE(check_saving(GetParam(), {}, wrap_in_longer_steps));
}

TEST_P(SavedRun, ContinuesWithEveryUnitAScenario) { (void)check_saving(GetParam(), {}, wrap_each); }

TEST_P(SavedRun, ContinuesWithAllControllers) {
    for (const char* controller : {"richardson", "predictor", "energy", "divergence"}) {
        SCOPED_TRACE(controller);
        (void)check_saving(GetParam(), {{"step-control.controller", controller}});
    }
}

TEST_P(SavedRun, ContinuesWithAllRecipes) {
    for (const char* recipe :
         {"synthesized", "jacobi", "gauss-seidel", "iterated-jacobi", "iterated-gauss-seidel",
          "adaptive-gauss-seidel", "waveform-jacobi", "waveform-gauss-seidel"}) {
        SCOPED_TRACE(recipe);
        (void)check_saving(GetParam(), {{"algorithm.recipe", recipe}});
    }
}

TEST_P(SavedRun, ContinuesWithAllLoopSolvers) {
    for (const char* method : {"automatic", "plain", "relaxed", "aitken", "iqn-ils", "newton"}) {
        SCOPED_TRACE(method);
        (void)check_saving(GetParam(),
                           {{"algorithm.recipe", "iterated-jacobi"}, {"loops.method", method}});
    }
}

INSTANTIATE_TEST_SUITE_P(Of, SavedRun, testing::ValuesIn(scenario_files()), [](const auto& test) {
    std::string name =
        test.param.parent_path().filename().string() + "_" + test.param.stem().string();
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

} // namespace
} // namespace rubato::test
