// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <chrono>
#include <memory>
#include <type_traits>

namespace rubato::pipeline {

/// A unit around another that measures how long its steps take, with what is set before and got
/// after. Otherwise it does what the inner unit does; direct calls apart, which would pass by it.
class TimedUnit final : public unit::Unit {
public:
    /// `seconds` grows by what is measured, and must outlive it.
    TimedUnit(std::unique_ptr<unit::Unit> inner, double& seconds);
    ~TimedUnit() override;
    unit::Abilities abilities() noexcept override;

private:
    class States;
    class Events;

    template <class Action>
    std::invoke_result_t<Action> passing_on(Action&& action);
    template <class Action>
    std::invoke_result_t<Action> timing(Action&& action);

    void do_enter_initialization(const unit::Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    unit::StepResult do_step(Time from, Duration by) override;
    void do_terminate() override;

    std::unique_ptr<unit::Unit> inner_;
    std::unique_ptr<States> states_;
    std::unique_ptr<Events> events_;
    double& seconds_;
};

} // namespace rubato::pipeline
