// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>

#include <vector>

namespace rubato::algorithm::verification {

/// A get of a loop: which of the two values of the output it writes.
struct LoopGet {
    PortId port;
    bool tentative = false;
    friend auto operator<=>(const LoopGet&, const LoopGet&) = default;
};

/// The outputs that are got in a body, at whatever depth; sorted, each once.
std::vector<LoopGet> gets_of(const Body& body);

/// Outputs that are got tentatively in a body, at whatever depth; sorted.
std::vector<PortId> tentative_gets_of(const Body& body);

/// The outputs of a fixed-point loop, by what it does with them, and the inputs that it sets. Lists
/// are sorted.
struct LoopPorts {
    explicit LoopPorts(const FixedPoint& loop);

    std::vector<LoopGet> got;
    std::vector<PortId> listed;     ///< to be compared
    std::vector<PortId> uncompared; ///< got, and what they give is compared by nobody
    std::vector<PortId> set;
    std::vector<UnitId> stepped;
};

} // namespace rubato::algorithm::verification
