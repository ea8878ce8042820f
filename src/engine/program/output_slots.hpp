// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "calls.hpp"
#include "runs.hpp"

#include <optional>
#include <span>
#include <vector>

namespace rubato::engine {

/// Where the values of outputs are: the final ones, and those of an iteration under way.
class OutputSlots {
public:
    OutputSlots(const scenario::System& system, Calls& calls)
        : system_(system), calls_(calls), final_(system.ports.size()),
          tentative_(system.ports.size()) {}

    /// Outputs that are read together get neighbouring slots.
    void assign(const Body& body) {
        for_each_run(body, [&](std::span<const Op> run) {
            if (std::holds_alternative<algorithm::Get>(run.front())) {
                for (const auto& group : grouped<algorithm::Get>(run, system_))
                    for (const algorithm::Get& get : group) (void)of(get.port, get.tentative);
            } else {
                algorithm::for_each_body(run.front(), [&](const Body& inner) { assign(inner); });
            }
        });
    }

    std::uint32_t of(PortId port, bool tentative) {
        auto& assigned = (tentative ? tentative_ : final_)[port.value];
        const scenario::Port& output = system_.port(port);
        if (!assigned) assigned = calls_.add_slots(storage_of(output.type), output.part.count);
        return *assigned;
    }

    /// By port; none: the algorithm does not use it.
    std::span<const std::optional<std::uint32_t>> final_slots() const { return final_; }
    std::vector<std::optional<std::uint32_t>> take_final_slots() { return std::move(final_); }

private:
    const scenario::System& system_;
    Calls& calls_;
    std::vector<std::optional<std::uint32_t>> final_, tentative_; ///< by port
};

} // namespace rubato::engine
