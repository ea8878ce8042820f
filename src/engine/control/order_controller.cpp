// SPDX-License-Identifier: Apache-2.0
#include "order_controller.hpp"

namespace rubato::engine {

using scenario::OrderEstimator;

namespace {

/// The couplings in which the fed unit comes before its source.
std::vector<std::size_t> waiting_in(const std::vector<UnitId>& order,
                                    std::span<const Feed> couplings) {
    std::vector<std::size_t> places(order.size());
    for (std::size_t place = 0; place < order.size(); ++place) places[order[place].value] = place;
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < couplings.size(); ++i)
        if (places[couplings[i].fed.value] < places[couplings[i].source.value])
            waiting.push_back(i);
    return waiting;
}

} // namespace

OrderController::OrderController(const OrderControl& control, const scenario::System& system,
                                 const Compiled& compiled,
                                 std::span<const std::unique_ptr<unit::Unit>> units)
    : sign_(control.settings.inverted ? -1 : 1), cool_down_(control.settings.cool_down),
      steps_to_decision_(control.settings.waiting + control.settings.cool_down) {
    const std::vector<Feed> couplings = feeds_of(system);
    if (control.settings.estimator == OrderEstimator::input)
        estimate_ = std::make_unique<InputErrors>(control, system, compiled, couplings);
    else if (control.energies.empty())
        estimate_ = std::make_unique<BondWork>(system, compiled, couplings);
    else
        estimate_ = std::make_unique<PowerTransfer>(control, units, couplings);
    for (const std::vector<UnitId>& order : control.orders)
        waiting_.push_back(waiting_in(order, couplings));
    costs_.resize(couplings.size());
}

void OrderController::commit(const MadeStep& step) {
    estimate_->note(step.reached, step.by);
    if (steps_to_decision_ > 0) {
        --steps_to_decision_;
        return;
    }
    decide();
    steps_to_decision_ = cool_down_;
}

void OrderController::decide() {
    estimate_->find_costs(costs_);
    double least = cost_of(chosen_);
    for (std::size_t order = 0; order < waiting_.size(); ++order) {
        const double cost = cost_of(order);
        if (!(cost < least)) continue;
        least = cost;
        chosen_ = order;
    }
}

double OrderController::cost_of(std::size_t order) const {
    double sum = 0;
    for (const std::size_t coupling : waiting_[order]) sum += costs_[coupling];
    return sign_ * sum;
}

} // namespace rubato::engine
