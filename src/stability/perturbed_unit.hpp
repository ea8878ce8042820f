// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/decorator.hpp>

#include <memory>
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
/// Otherwise it does what the inner unit does; except for direct calls, which would bypass what is
/// added.
class PerturbedUnit final : public unit::Decorator {
public:
    explicit PerturbedUnit(std::unique_ptr<unit::Unit> inner) : Decorator(std::move(inner)) {}
    unit::Abilities abilities() noexcept override;

    /// Whether the values that inputs are set to are recorded.
    void record_inputs(bool on) { is_recording_ = on; }
    struct Input {
        Element element;
        double value = 0; ///< the last one that was recorded
    };
    const std::vector<Input>& inputs() const { return inputs_; }

    /// Added from now on, whenever one of these inputs is set; empty: nothing.
    void perturb(std::vector<std::pair<Element, double>> by) { by_ = std::move(by); }

private:
    template <class Use>
    void for_each_perturbed(const Bulk& values, Use&& use) const;
    void record(const Bulk& values);

    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;

    bool is_recording_ = false;
    std::vector<Input> inputs_;
    std::vector<std::pair<Element, double>> by_;
    std::vector<double> changed_; ///< values on their way to the inner unit
};

} // namespace rubato::stability
