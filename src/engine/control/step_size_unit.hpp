// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accuracy/couplings.hpp"
#include "estimators.hpp"
#include "step_size.hpp"

#include <rubato/scenario/step_size_unit.hpp>
#include <rubato/unit/unit.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato::engine {

scenario::UnitDescription describe(const scenario::StepSizeUnit& settings);

/// Follows what other units exchange, and gives the length of the next communication step by the
/// estimators and the PI controller of step control. A step that misses the tolerance makes the
/// next one shorter, as step control does where a unit cannot be rolled back.
///
/// The output is a function of the inputs at one instant. A step makes the last error a part of the
/// state.
class StepSizeUnit final : public unit::Unit,
                           private unit::Snapshots,
                           private unit::SerializedStates {
public:
    /// `description` must outlive it.
    StepSizeUnit(std::string name, const scenario::StepSizeUnit& settings,
                 const scenario::UnitDescription& description);
    unit::Abilities abilities() noexcept override;

private:
    void do_enter_initialization(const unit::Horizon& horizon) override;
    void do_exit_initialization() override {}
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    unit::StepResult do_step(Time from, Duration by) override;
    void do_terminate() override {}

    void save(std::uint32_t slot) override;
    void restore(std::uint32_t slot) override;
    void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override;
    void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override;
    void visit_state(StateArchive& archive);

    /// The last step, which has ended at `now`.
    void judge_step(Time now);
    double next_step();

    const scenario::StepSizeUnit settings_;
    std::vector<double> values_; ///< of the inputs
    scenario::System bonds_;     ///< between inputs; nothing else is in it
    Couplings couplings_;
    std::unique_ptr<Estimator> estimator_;
    std::optional<StepSize> size_; ///< none: not initialized
    // The last step.
    bool has_stepped_ = false;
    Duration made_;
    bool was_cut_ = false;
    std::vector<std::vector<std::byte>> saved_;
};

} // namespace rubato::engine
