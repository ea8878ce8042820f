// SPDX-License-Identifier: Apache-2.0
// What rubato tune finds beside what was chosen by hand: the table of README.md.
#include <rubato/core/diagnostics.hpp>
#include <rubato/models.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/tune.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace rubato; // NOLINT(google-build-using-namespace): a study reads better so
using pipeline::Tried;
using pipeline::TuneCandidate;
using pipeline::Tuned;
using report::Align;
using report::human_count;
using scenario::StepController;

/// What studies/step-control compares: Gauss-Seidel with linear inputs, every controller over five
/// decades of tolerance, fixed steps over three, and the scenario as it is.
std::vector<TuneCandidate> chosen_by_hand(const scenario::Scenario& scenario) {
    std::vector<TuneCandidate> all = {{.is_given = true}};
    const TuneCandidate way{.recipe = scenario::Recipe::gauss_seidel,
                            .approximation = scenario::Approximation::linear};
    const auto add = [&](StepController controller, double size) {
        all.push_back(way);
        all.back().controller = controller;
        all.back().size = size;
    };
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
        for (const auto controller :
             {StepController::richardson, StepController::predictor, StepController::energy})
            if (controller != StepController::energy || !scenario.bonds.empty())
                add(controller, tolerance);
    const double span = scenario.experiment.stop - scenario.experiment.start;
    for (const double steps : {100.0, 300.0, 1e3, 3e3, 1e4, 3e4})
        add(StepController::fixed, span / steps);
    return all;
}

const Tried* cheapest(const std::vector<Tried>& tried, double tolerance) {
    const Tried* best = nullptr;
    for (const Tried& each : tried)
        if (each.error <= tolerance && (!best || each.costs.unit_steps < best->costs.unit_steps))
            best = &each;
    return best;
}

std::vector<std::string> cells(const Tried* tried) {
    if (!tried) return {"–", "–", ""};
    return {human_count(static_cast<std::uint64_t>(tried->costs.unit_steps)),
            format("{:.2e}", tried->error), to_string(tried->candidate)};
}

void add_rows(report::TextTable& table, const std::filesystem::path& file, double budget) {
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    Diagnostics diagnostics;
    const scenario::Scenario scenario = pipeline::read(file, diagnostics);
    diagnostics.throw_if_errors();
    for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
        const pipeline::TuneSettings settings{.tolerance = tolerance,
                                              .budget = budget,
                                              .minimize = pipeline::TuneCost::unit_steps,
                                              .parallel = 2};
        const Tuned tuned = pipeline::tune(scenario, library, settings);
        const std::vector<Tried> by_hand =
            pipeline::judge(scenario, library, chosen_by_hand(scenario), tuned.reference, settings);
        const Tried* const hand = cheapest(by_hand, tolerance);
        const Tried* const best = tuned.best ? &tuned.tried[*tuned.best] : nullptr;
        std::vector<std::string> row = {scenario.name, format("{:.0e}", tolerance)};
        for (const std::string& cell : cells(hand)) row.push_back(cell);
        for (const std::string& cell : cells(best)) row.push_back(cell);
        row.push_back(
            hand && best ? format("{:.2f}", best->costs.unit_steps / hand->costs.unit_steps) : "–");
        table.add(row);
        std::fprintf(stderr, "%s %g done\n", scenario.name.c_str(), tolerance);
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        const double budget = 40;
        report::TextTable table({{"system"},
                                 {"tolerance"},
                                 {"by hand", Align::right},
                                 {"error", Align::right},
                                 {"how"},
                                 {"tuned", Align::right},
                                 {"error", Align::right},
                                 {"how"},
                                 {"ratio", Align::right}});
        for (int i = 1; i < argc; ++i) add_rows(table, argv[i], budget);
        std::printf("unit steps within the tolerance\n\n%s", table.to_string().c_str());
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
