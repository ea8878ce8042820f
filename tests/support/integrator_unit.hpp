// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <string>

namespace rubato::test {

/// How an integrator behaves.
struct IntegratorTraits {
    double initial = 0;                 ///< x at the start
    double decay = 0;                   ///< x' = u - decay·x, solved exactly for decay = 0 only
    double feedthrough = 0;             ///< y = x + feedthrough·u
    std::optional<double> largest_step; ///< what it accepts at once
    std::optional<double> stops_at;     ///< a time beyond which it accepts no step from before
    bool can_go_back = true;
    bool tells_derivatives = false;        ///< of y by u
    bool tells_how_far = true;             ///< of a longer one it makes a part, else nothing
    std::optional<double> terminates_at;   ///< when it asks for the end
    std::optional<double> not_a_number_at; ///< when its output becomes NaN
};

/// A unit for tests: input "u" (reference 0), output "y" (reference 1), x' = u, y = x + k·u.
class IntegratorUnit final : public unit::Unit,
                             private unit::Snapshots,
                             private unit::InputDerivatives,
                             private unit::DirectionalDerivatives {
public:
    IntegratorUnit(std::string name, IntegratorTraits traits)
        : Unit(std::move(name), describe()), traits_(traits) {
        now_.x = traits.initial;
    }

    unit::Abilities abilities() noexcept override {
        unit::Abilities all = unit::Abilities::none();
        all.input_derivatives = this;
        if (traits_.can_go_back) all.snapshots = this;
        if (traits_.tells_derivatives) all.directional_derivatives = this;
        return all;
    }

    static const scenario::UnitDescription& describe() {
        static const scenario::UnitDescription description = [] {
            scenario::UnitDescription result;
            result.model = "integrator";
            scenario::Variable input, output;
            input.name = "u";
            input.causality = scenario::Causality::input;
            output.name = "y";
            output.reference = 1;
            output.causality = scenario::Causality::output;
            result.variables = {input, output};
            result.capabilities.snapshots = true;
            result.capabilities.input_derivatives = 2;
            return result;
        }();
        return description;
    }

private:
    struct State {
        double x = 0, u = 0, first = 0, second = 0, time = 0;
    };

    void do_enter_initialization(const unit::Horizon& horizon) override {
        now_.time = horizon.start.seconds;
    }
    void do_exit_initialization() override {}
    void do_terminate() override {}
    void do_set(const Bulk& values) override { now_.u = values.reals()[0]; }
    void do_get(const Bulk& values) override {
        for (std::size_t i = 0; i < values.count; ++i) {
            values.reals()[i] = values.references[i] == 0 ? now_.u : output();
        }
    }
    double output() const {
        const bool broken = traits_.not_a_number_at && now_.time >= *traits_.not_a_number_at;
        return broken ? std::nan("") : now_.x + traits_.feedthrough * now_.u;
    }
    unit::StepResult do_step(Time from, Duration by) override {
        if (traits_.terminates_at && (from + by).seconds > *traits_.terminates_at) {
            return {from, unit::StepEnd::terminated};
        }
        const bool is_too_long = traits_.largest_step && by.seconds > *traits_.largest_step;
        if (is_too_long && !traits_.tells_how_far) return {from, unit::StepEnd::rejected};
        double h = std::min(by.seconds, traits_.largest_step.value_or(by.seconds));
        if (traits_.stops_at && from.seconds < *traits_.stops_at)
            h = std::min(h, *traits_.stops_at - from.seconds);
        now_.x +=
            h * (now_.u - traits_.decay * now_.x + h * (now_.first / 2 + h * now_.second / 6));
        now_.u += h * (now_.first + h * now_.second / 2);
        now_.time = from.seconds + h;
        return {from + Duration{h},
                h < by.seconds ? unit::StepEnd::rejected : unit::StepEnd::completed};
    }

    void save(std::uint32_t slot) override { saved_[slot] = now_; }
    void restore(std::uint32_t slot) override {
        now_ = saved_.at(slot);
        recover();
    }

    unsigned max_order() const override { return 2; }
    void set(std::span<const ValueRef>, unsigned order, std::span<const double> values) override {
        (order == 1 ? now_.first : now_.second) = values[0];
    }

    unit::Evaluation directional_derivative(std::span<const ValueRef>, std::span<const ValueRef>,
                                            std::span<const double> seed,
                                            std::span<double> sensitivity) override {
        sensitivity[0] = traits_.feedthrough * seed[0];
        return unit::Evaluation::done;
    }

    IntegratorTraits traits_;
    State now_;
    std::map<std::uint32_t, State> saved_;
};

} // namespace rubato::test
