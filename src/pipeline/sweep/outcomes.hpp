// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// A number that a sweep tabulates of each run.
struct Outcome {
    enum class Kind : std::uint8_t { last, min, max, when };
    Kind kind = Kind::last;
    std::size_t variable = 0; ///< index into the recorded variables
    bool is_above = true;     ///< `when`: the variable is above the threshold
    double threshold = 0;
    std::string name = {}; ///< "last:msd1.x1"
};

/// The outcomes that are asked for of these variables, as `--outcome` names them; none: last, min
/// and max of all. Throws InputError.
std::vector<Outcome> parse_outcomes(std::span<const std::string> wishes,
                                    std::span<const std::string> variables);

} // namespace rubato::pipeline
