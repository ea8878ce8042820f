// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "order_estimate.hpp"
#include "step_controller.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace rubato::engine {

/// Chooses the order of units before each step, from what the steps before have shown. An order
/// costs the sum of what its couplings cost in which the fed unit goes before its source; the
/// cheapest one is chosen. Of two units this is the paper's rule. Of orders that cost the same the
/// present one stays, else the first is taken. Allocates nothing after it is made.
class OrderController final : public StepController {
public:
    /// The units and what was compiled must outlive it.
    OrderController(const OrderControl& control, const scenario::System& system,
                    const Compiled& compiled, std::span<const std::unique_ptr<unit::Unit>> units);

    /// All values are those of the start time.
    void start(Time now) { estimate_->start(now); }
    void commit(const MadeStep& step) override;
    void restart(Time now) override { jump(now); }
    void jump(Time now) override { estimate_->jump(now); }
    /// Configuration to make the next step in.
    std::size_t chosen() const { return chosen_; }
    void visit_state(StateArchive& archive) override {
        archive(costs_, steps_to_decision_, chosen_);
        estimate_->visit_state(archive);
    }

private:
    void decide();
    double cost_of(std::size_t order) const;

    std::unique_ptr<OrderEstimate> estimate_;
    std::vector<std::vector<std::size_t>> waiting_; ///< by order: couplings that make units wait
    std::vector<double> costs_;                     ///< by coupling
    double sign_;                                   ///< -1: the dearest order is chosen
    int cool_down_;
    int steps_to_decision_;
    std::size_t chosen_ = 0;
};

} // namespace rubato::engine
