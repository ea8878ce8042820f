// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/profile.hpp>
#include <rubato/unit/decorator.hpp>

#include <memory>
#include <type_traits>

namespace rubato::pipeline {

/// A unit around another that measures how long its calls take, those in event mode apart. Otherwise it does what the inner unit does; except for direct calls, which would bypass
/// the measurement.
class TimedUnit final : public unit::Decorator {
public:
    /// What is measured is added to `time`, which must outlive it.
    TimedUnit(std::unique_ptr<unit::Unit> inner, UnitTime& time)
        : Decorator(std::move(inner)), time_(time) {}
    unit::Abilities abilities() noexcept override;

private:
    template <class Action>
    std::invoke_result_t<Action> timing(Action&& action);

    void do_enter_initialization(const unit::Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    unit::StepResult do_step(Time from, Duration by) override;
    void do_save(std::uint32_t slot) override;
    void do_restore(std::uint32_t slot) override;

    UnitTime& time_;
};

} // namespace rubato::pipeline
