// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// Recorded real values, in memory.
struct Trace {
    std::vector<std::string> names;
    std::vector<double> times;
    std::vector<double> values; ///< row by row

    double value(std::size_t row, std::size_t column) const {
        return values[row * names.size() + column];
    }
};

/// How far a trace is from another one.
struct TraceError {
    double relative = 0; ///< to the range of the variable in the reference
    std::string variable;
};

/// The largest difference at the times of the trace. Between its points the reference is a cubic
/// polynomial through four of them, next to a jump a line, and anything between where it jumps. A trace that
/// ends earlier, or holds what is no number, is infinitely far.
TraceError error_of(const Trace& trace, const Trace& reference);

} // namespace rubato::pipeline
