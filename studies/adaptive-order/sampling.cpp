// SPDX-License-Identifier: Apache-2.0
#include "sampling.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/table.hpp>

#include <cmath>

namespace rubato::studies::adaptive_order {

namespace {

constexpr std::size_t values_each = 3;

double upper_limit(std::string_view name) {
    switch (name[0]) {
    case 'm': return 100;
    case 'd': return 1000;
    default: return 1e4;
    }
}

/// Masses divide and nothing else may be negative.
void check(double value, std::string_view name, const std::filesystem::path& file,
           std::size_t row) {
    const bool is_mass = name[0] == 'm';
    if (std::isfinite(value) && (is_mass ? value > 0 : value >= 0)) return;
    throw InputError(
        format("{}: {} of set {} is {}", file.string(), name, row + 1, shortest(value)),
        is_mass ? "a mass must be positive" : "it must be a number from 0 on");
}

} // namespace

std::vector<Parameters> sample_parameters(std::uint64_t seed) {
    Sampler sampler(seed);
    std::array<std::array<double, values_each>, 8> drawn{};
    for (std::size_t i = 0; i < drawn.size(); ++i)
        for (double& value : drawn[i])
            value = sampler.between(1, upper_limit(Parameters::names[i]));
    std::vector<Parameters> sets;
    for (std::size_t n = 0; n < 6561; ++n) {
        std::array<double, 8> values{};
        std::size_t rest = n;
        for (std::size_t i = values.size(); i-- > 0; rest /= values_each)
            values[i] = drawn[i][rest % values_each];
        sets.push_back(Parameters::from(values));
    }
    return sets;
}

std::vector<Parameters> draw(const std::vector<Parameters>& sets, std::size_t count,
                             std::uint64_t seed) {
    Sampler sampler(seed);
    std::vector<Parameters> drawn;
    for (std::size_t left = sets.size(); const Parameters& set : sets) {
        if (sampler.below(left--) < count - drawn.size()) drawn.push_back(set);
        if (drawn.size() == count) break;
    }
    return drawn;
}

std::vector<Parameters> read_parameters(const std::filesystem::path& file) {
    const report::Table table = report::read_csv(file);
    std::vector<std::array<double, 8>> rows(table.row_count());
    for (std::size_t i = 0; i < Parameters::names.size(); ++i) {
        const std::vector<double>& column = table.values(Parameters::names[i]);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            check(column[row], Parameters::names[i], file, row);
            rows[row][i] = column[row];
        }
    }
    if (rows.empty())
        throw InputError(format("{} holds no set of parameters", file.string()),
                         "give a row for each, under the names m1, d1, c1, m2, d2, c2, dc, cc");
    std::vector<Parameters> sets;
    for (const auto& row : rows) sets.push_back(Parameters::from(row));
    return sets;
}

std::vector<std::pair<std::string, Parameters>> selected_parameters() {
    return {{"A", {1, 1, 1, 1, 1, 1, 1, 1}},
            {"B", {100, 1, 1, 1, 1, 1, 1, 100}},
            {"C", {10, 1, 100, 10, 1, 100, 1, 100}},
            {"D", {100, 300, 2e4, 1700, 700, 2e4, 1, 100}}};
}

} // namespace rubato::studies::adaptive_order
