// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/sweep_results.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::pipeline {

double quantile(std::vector<double>& values, double part) {
    const double place = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(place);
    const auto at = values.begin() + below;
    std::ranges::nth_element(values, at);
    const double low = *at;
    const double rest = place - static_cast<double>(below);
    if (rest == 0) return low;
    return low + rest * (*std::min_element(at + 1, values.end()) - low);
}

std::vector<Statistics> SweepResults::statistics() const {
    std::vector<Statistics> all;
    const std::vector<std::string> names = sweep_.outcome_names();
    for (std::size_t o = 0; o < names.size(); ++o) {
        std::vector<double> values;
        for (const auto& [run, row] : rows_)
            if (o < row.outcomes.size() && std::isfinite(row.outcomes[o]))
                values.push_back(row.outcomes[o]);
        Statistics& one = all.emplace_back();
        one.name = names[o];
        one.count = values.size();
        if (values.empty()) continue;
        const auto count = static_cast<double>(values.size());
        double squares = 0;
        // In the order of the runs: the sum does not depend on when they ended.
        for (const double value : values) one.mean += value;
        one.mean /= count;
        for (const double value : values) squares += (value - one.mean) * (value - one.mean);
        one.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
        const auto [min, max] = std::ranges::minmax(values);
        one.min = min;
        one.max = max;
        one.low = quantile(values, 0.05);
        one.median = quantile(values, 0.5);
        one.high = quantile(values, 0.95);
    }
    return all;
}

std::map<std::string, std::size_t> SweepResults::reasons() const {
    std::map<std::string, std::size_t> reasons;
    for (const auto& [run, row] : rows_)
        if (row.end == CaseEnd::failed) ++reasons[row.reason];
    return reasons;
}

} // namespace rubato::pipeline
