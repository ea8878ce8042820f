// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/decorator.hpp>

#include <memory>
#include <type_traits>

namespace rubato::pipeline {

/// A unit around another that measures how long its steps take, with what is set before and got
/// after. Otherwise it does what the inner unit does; except for direct calls, which would bypass
/// the measurement.
class TimedUnit final : public unit::Decorator {
public:
    /// `seconds` grows by what is measured, and must outlive it.
    TimedUnit(std::unique_ptr<unit::Unit> inner, double& seconds)
        : Decorator(std::move(inner)), seconds_(seconds) {}
    unit::Abilities abilities() noexcept override;

private:
    template <class Action>
    std::invoke_result_t<Action> timing(Action&& action);

    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    unit::StepResult do_step(Time from, Duration by) override;
    void do_save(std::uint32_t slot) override;
    void do_restore(std::uint32_t slot) override;

    double& seconds_;
};

} // namespace rubato::pipeline
