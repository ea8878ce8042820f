// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace rubato::stability {

/// An element of a real variable of a unit.
struct Element {
    ValueRef reference = 0;
    std::uint32_t index = 0; ///< 0 for a scalar
    friend auto operator<=>(const Element&, const Element&) = default;
};

/// A unit around another that adds numbers to the values its inputs are set to, when asked to.
/// Otherwise it does what the inner unit does, with all its abilities; direct calls apart, which
/// would pass by it.
class PerturbedUnit final : public unit::Unit {
public:
    explicit PerturbedUnit(std::unique_ptr<unit::Unit> inner);
    ~PerturbedUnit() override;
    unit::Abilities abilities() noexcept override;

    /// From now on, what is set is noted.
    void watch_inputs(bool on) { is_watching_ = on; }
    struct Input {
        Element element;
        double value = 0; ///< that was set last, while watched
    };
    const std::vector<Input>& inputs() const { return inputs_; }

    /// Added from now on, whenever one of these inputs is set; empty: nothing.
    void perturb(std::vector<std::pair<Element, double>> by) { by_ = std::move(by); }

private:
    class States;
    class Events;

    template <class Action>
    std::invoke_result_t<Action> passing_on(Action&& action);
    template <class Use>
    void for_each_perturbed(const Bulk& values, Use&& use) const;
    void note_inputs(const Bulk& values);

    void do_enter_initialization(const unit::Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    unit::StepResult do_step(Time from, Duration by) override;
    void do_terminate() override;

    std::unique_ptr<unit::Unit> inner_;
    std::unique_ptr<States> states_;
    std::unique_ptr<Events> events_;
    bool is_watching_ = false;
    std::vector<Input> inputs_;
    std::vector<std::pair<Element, double>> by_;
    std::vector<double> changed_; ///< values on their way to the inner unit
};

} // namespace rubato::stability
