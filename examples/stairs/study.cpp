// SPDX-License-Identifier: Apache-2.0
// Runs the ball on stairs with smaller and smaller tolerances of divergence against the monolithic
// solution: the table and the pictures of README.md.
#include "descent.hpp"
#include "pictures.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <cstdio>
#include <exception>

namespace {

using namespace rubato; // NOLINT(google-build-using-namespace): a study reads better so
using examples::Comparison;

Comparison compare(const std::string& folder, const std::string& recipe, double tolerance) {
    Comparison result{.recipe = recipe, .tolerance = tolerance, .run = {}, .reference = {}};
    result.run =
        examples::descend(folder + "/scenario.yaml",
                          {.overrides = {{"algorithm.recipe", recipe},
                                         {"step-control.tolerance", format("{}", tolerance)}}});
    result.reference =
        examples::descend(folder + "/monolithic.yaml", {.points = examples::as_points(result.run)});
    return result;
}

void print_table(const std::vector<Comparison>& comparisons) {
    using report::Align;
    using report::human_count;
    report::TextTable table({{"recipe"},
                             {"tol_d", Align::right},
                             {"error x", Align::right},
                             {"y", Align::right},
                             {"v_x", Align::right},
                             {"v_y", Align::right},
                             {"events", Align::right},
                             {"steps", Align::right},
                             {"per event", Align::right},
                             {"trials", Align::right},
                             {"unit steps", Align::right}});
    for (const auto& [recipe, tolerance, run, reference] : comparisons) {
        std::vector<std::string> cells = {recipe, format("{:g}", tolerance)};
        for (const double error : examples::errors(run, reference))
            cells.push_back(format("{:.1e}", error));
        const std::uint64_t events = run.decisions.size() - 1;
        const engine::Summary& summary = run.summary;
        cells.insert(cells.end(), {examples::same_decisions(run, reference) ? human_count(events)
                                                                            : "not the same",
                                   human_count(summary.steps), human_count(summary.steps / events),
                                   human_count(summary.trials), human_count(summary.unit_steps)});
        table.add(cells);
    }
    std::fputs(table.to_string().c_str(), stdout);
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::fputs("usage: study_stairs SCENARIOS PICTURES\n", stderr);
        return 2;
    }
    std::vector<Comparison> comparisons;
    for (const char* recipe : {"waveform-jacobi", "waveform-gauss-seidel"})
        for (const double tolerance : {1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5})
            comparisons.push_back(compare(argv[1], recipe, tolerance));
    print_table(comparisons);
    std::puts("");
    for (const std::string& file : examples::draw(comparisons.front(), argv[2]))
        std::printf("  picture: %s\n", file.c_str());
} catch (const std::exception& error) {
    std::fprintf(stderr, "study_stairs: %s\n", error.what());
    return 1;
}
