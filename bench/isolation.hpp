// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace rubato::bench {

/// What something costs in this process and with the FMU in a process of its own.
struct IsolationCost {
    std::string what;
    double inside = 0, isolated = 0; ///< seconds
};

/// A node FMU by itself, call by call, and a ring of them, per step of a node.
std::vector<IsolationCost> measure_isolation();

} // namespace rubato::bench
