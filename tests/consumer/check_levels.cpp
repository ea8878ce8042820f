// SPDX-License-Identifier: Apache-2.0
// check_levels RESULTS.csv: compares the results of two_tanks with the solution of its equations.
// With a = drain / area
//
//   upper(t) = exp(-a t)        lower(t) = a t exp(-a t)
#include <rubato/report/table.hpp>

#include <cmath>
#include <cstdio>
#include <exception>

namespace {

struct Errors {
    double upper = 0, lower = 0;
};

Errors largest_errors(const rubato::report::Table& results) {
    constexpr double a = 1.0 / 2;
    const auto& time = results.values("time");
    const auto& upper = results.values("upper.level");
    const auto& lower = results.values("lower.level");
    Errors largest;
    for (std::size_t i = 0; i < time.size(); ++i) {
        const double decay = std::exp(-a * time[i]);
        largest.upper = std::fmax(largest.upper, std::abs(upper[i] - decay));
        largest.lower = std::fmax(largest.lower, std::abs(lower[i] - a * time[i] * decay));
    }
    return largest;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 2) throw std::runtime_error("usage: check_levels RESULTS.csv");
    const auto results = rubato::report::read_csv(argv[1]);
    const Errors errors = largest_errors(results);
    std::printf("%zu rows, largest error: upper %g m, lower %g m\n", results.row_count(),
                errors.upper, errors.lower);
    // The upper tank is solved exactly. The lower one sees straight lines instead of its inflow:
    // they are off by at most h²/8 · max|inflow''| = h² a²/8, its level by 1/drain times that.
    constexpr double bound = 0.1 * 0.1 * 0.25 / 8;
    return results.row_count() == 101 && errors.upper < 1e-12 && errors.lower < bound ? 0 : 1;
} catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
}
