// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <optional>
#include <string>
#include <vector>

namespace rubato::scenario {

/// In a step, `of`, or `of` less `minus`, changes by no more than absolute + relative · magnitude.
struct ChangeLimit {
    std::string of;                   ///< unit.output
    std::optional<std::string> minus; ///< unit.output
    std::optional<double> absolute, relative;
    Location where;
    friend bool operator==(const ChangeLimit&, const ChangeLimit&) = default;
};

/// Steps end at start + n · period.
struct SamplingInstants {
    double period = 0;
    std::optional<double> start; ///< none: that of the experiment
    Location where;
    friend bool operator==(const SamplingInstants&, const SamplingInstants&) = default;
};

/// What shortens steps, besides the step size itself.
struct StepLimitSettings {
    std::vector<ChangeLimit> changes;
    std::vector<SamplingInstants> sampling;
    Location where;
    friend bool operator==(const StepLimitSettings&, const StepLimitSettings&) = default;

    bool empty() const { return changes.empty() && sampling.empty(); }
};

} // namespace rubato::scenario
