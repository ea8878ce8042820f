// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/verify.hpp>
#include <rubato/scenario/scenario.hpp>

#include <vector>

namespace rubato::algorithm {

/// Checks the event strategies of a scenario with clocks (FMI 3.0), whose names `scenario::resolve`
/// has found in order; none: nothing is wrong. A strategy is for clocks that can tick at once: with
/// a clock those that are connected to it, and all timed clocks of one interval. It handles each of
/// them once, and each port that they clock and that is connected, in an order that keeps the
/// rules:
///
///  1. an output is got before the inputs connected to it are set;
///  2. an output clock is got before the input clocks connected to it are set;
///  3. an output clock is got after the clocks it depends on are set;
///  4. a clocked input is set after its clock has been handled;
///  5. a clocked output is got before its clock is handled.
///
/// That there is a strategy for every event is not asked.
std::vector<Violation> verify_events(const scenario::Scenario& scenario);

} // namespace rubato::algorithm
