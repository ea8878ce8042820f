// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/system.hpp>

#include <optional>
#include <vector>

namespace rubato::composite {

/// When inputs act on outputs at once.
enum class Moment { step, initialization };

/// What inputs of a system act on at the same instant, through the feed-through of units and along
/// connections, those of all configurations and those at events included.
class Feedthrough {
public:
    Feedthrough(const scenario::System& system, Moment moment);

    /// Ports on the shortest way from one of the inputs to each port; walk it with `way_to`.
    class Reach {
    public:
        bool contains(PortId port) const { return from_[port.value].has_value(); }
        /// From the input to the port, both included.
        std::vector<PortId> way_to(PortId port) const;

    private:
        friend class Feedthrough;
        std::vector<std::optional<PortId>> from_; ///< an input itself: where it starts
    };
    Reach of(const std::vector<PortId>& inputs) const;

private:
    std::vector<std::vector<PortId>> next_; ///< by port: what changes with it at once
};

} // namespace rubato::composite
