// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/table.hpp>

#include <optional>
#include <string>
#include <vector>

namespace rubato::report {

/// How near results must be to a reference.
struct Tube {
    double value = 0.01; ///< of the variable's range in the reference
    double time = 0.002; ///< of the span of the reference
    /// The time is at least what most rows of the reference are apart, up to half of the span.
    bool spans_rows = true;
};

/// Where results leave the tube.
struct Mismatch {
    std::string variable;
    double time = 0;
    double value = 0;    ///< of the results
    double expected = 0; ///< of the reference, at this time
};

struct Comparison {
    std::vector<std::string> compared;   ///< columns of numbers that both have
    std::optional<Mismatch> mismatch;    ///< the first one in time
    std::vector<Mismatch> outside;       ///< the first one of each variable that has any
    std::optional<double> ends_too_soon; ///< time at which the results end, before the reference
    /// The first row of the results differs, a row within the tube's time does not: some references
    /// begin with what a model gives out after its first step. That is no mismatch.
    std::optional<Mismatch> differs_at_start;
};

/// Compares both ways: each value of the results with the reference, each value of the reference
/// with the results, at the times that both span. A value is near enough if the other one, linear
/// between its rows, takes a value that differs by the tube's value at most, at a time that differs
/// by the tube's time at most. Values of the reference may differ by twice that, and those as near
/// to an end of the results are left out. So nothing else that the reference has may be missing. A
/// variable that is constant in the reference is given that part of its size instead of its range.
/// The first column of both is time.
Comparison compare(const Table& results, const Table& reference, const Tube& tube = {});

} // namespace rubato::report
