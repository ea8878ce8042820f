// SPDX-License-Identifier: Apache-2.0
#include "error_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace rubato::engine {

namespace {

constexpr double negligible = 1e-6; // relative to the mean
constexpr std::size_t fewest = 3;

} // namespace

void ErrorFilter::add(double error) {
    last_ = std::abs(error);
    // 0 has no logarithm, but is the first to be left out.
    const double logarithm = std::log(std::max(last_, std::numeric_limits<double>::min()));
    if (count_ == values_.size()) {
        sum_ -= values_[next_];
        sum_of_logarithms_ -= logarithms_[next_];
    } else {
        ++count_;
    }
    values_[next_] = last_;
    logarithms_[next_] = logarithm;
    sum_ += last_;
    sum_of_logarithms_ += logarithm;
    smallest_ = std::min(smallest_, last_);
    if (++next_ == values_.size()) renew_sums();
}

/// Once per round, so that what large values have left behind by rounding does not stay.
void ErrorFilter::renew_sums() {
    next_ = 0;
    sum_ = std::accumulate(values_.begin(), values_.end(), 0.0);
    sum_of_logarithms_ = std::accumulate(logarithms_.begin(), logarithms_.end(), 0.0);
    smallest_before_ = std::exchange(smallest_, std::numeric_limits<double>::infinity());
}

double ErrorFilter::mean() const {
    if (count_ < fewest) return last_;
    const double threshold = negligible * sum_ / static_cast<double>(count_);
    if (std::min(smallest_, smallest_before_) >= threshold) [[likely]]
        return std::exp(sum_of_logarithms_ / static_cast<double>(count_));
    return mean_of_those_above(threshold);
}

double ErrorFilter::mean_of_those_above(double threshold) const {
    double sum = 0;
    std::size_t counted = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        if (values_[i] < threshold) continue;
        sum += logarithms_[i];
        ++counted;
    }
    // What large values have left behind in the sum can stand above all that are there.
    return counted == 0 ? last_ : std::exp(sum / static_cast<double>(counted));
}

} // namespace rubato::engine
