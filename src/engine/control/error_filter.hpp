// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/state_archive.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace rubato::engine {

/// The geometric mean of the absolute values of the last errors, those below a millionth of their
/// mean left out; of fewer than three, the last one. Sums are kept up from error to error; only
/// while something has to be left out is it looked for.
class ErrorFilter {
public:
    explicit ErrorFilter(std::size_t window) : values_(window), logarithms_(window) {}

    void add(double error);
    double mean() const;
    void visit_state(StateArchive& archive) {
        archive(values_, logarithms_, count_, next_, last_, sum_, sum_of_logarithms_, smallest_,
                smallest_before_);
    }

private:
    void renew_sums();
    double mean_of_those_above(double threshold) const;

    std::vector<double> values_, logarithms_; ///< rings
    std::size_t count_ = 0;
    std::size_t next_ = 0;
    double last_ = 0;
    double sum_ = 0, sum_of_logarithms_ = 0;
    // Of the values since the ring began anew, and of the ring before.
    double smallest_ = std::numeric_limits<double>::infinity();
    double smallest_before_ = std::numeric_limits<double>::infinity();
};

} // namespace rubato::engine
