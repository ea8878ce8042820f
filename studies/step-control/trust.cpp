// SPDX-License-Identifier: Apache-2.0
// Errors as `rubato run --reference H/2` estimates them, beside the true ones: the table of
// docs/explanation/accuracy.md.
#include "systems.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

namespace {

using namespace rubato; // NOLINT(google-build-using-namespace): a study reads better so
using studies::Finished;
using studies::System;

double true_error(const System& system, const engine::Series& run, std::size_t column) {
    const auto rows = studies::expected(system, run);
    double largest = 0;
    for (std::size_t r = 0; r < rows.size(); ++r)
        largest = std::max(largest, std::abs(run.value(r, column) - rows[r][column].value));
    return largest;
}

void add_rows(report::TextTable& table, const System& system, const std::string& folder,
              const std::string& label, const std::vector<scenario::Override>& overrides) {
    const Finished coarse = studies::run(system, folder, overrides);
    const Finished half =
        studies::run(system, folder, overrides, &coarse.series, engine::refined(coarse.points, 2));
    const Finished quarter =
        studies::run(system, folder, overrides, &coarse.series, engine::refined(coarse.points, 4));
    const auto errors = engine::extrapolated_errors(coarse.series, half.series, quarter.series);
    for (std::size_t c = 0; c < errors.size(); ++c) {
        const double truth = true_error(system, coarse.series, c);
        table.add({system.name, label, errors[c].name, format("{:.2e}", errors[c].largest),
                   format("{:.2e}", truth), format("{:.2f}", errors[c].largest / truth),
                   errors[c].is_sure() ? format("{:.2f}", errors[c].order) : "not sure"});
    }
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 2) {
        std::fputs("usage: study_trust SCENARIOS\n", stderr);
        return 2;
    }
    using report::Align;
    report::TextTable table({{"system"},
                             {"steps"},
                             {"variable"},
                             {"estimated", Align::right},
                             {"true", Align::right},
                             {"ratio", Align::right},
                             {"order", Align::right}});
    for (const System& system : studies::systems()) {
        for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
            add_rows(table, system, argv[1], format("predictor {:.0e}", tolerance),
                     studies::controlled("predictor", tolerance));
    }
    std::fputs(table.to_string().c_str(), stdout);
} catch (const std::exception& error) {
    std::fprintf(stderr, "study_trust: %s\n", error.what());
    return 1;
}
