// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi2_instance.hpp"
#include "me/model_exchange.hpp"

namespace rubato::unit {

/// An instance of an FMI 2.0 FMU for model exchange.
class Fmi2ModelExchange final : public ModelExchange,
                                private Snapshots,
                                private DirectionalDerivatives {
public:
    /// As Fmi2Instance; `structure` must outlive the instance, too.
    Fmi2ModelExchange(const std::string& name, const Fmi2Binary& binary,
                      const scenario::UnitDescription& description,
                      const ContinuousStructure& structure, InstanceContext context,
                      FaultSink& sink);

    void enter_initialization(const Horizon& horizon) override;
    void exit_initialization() override { instance_.exit_initialization(); }
    void terminate() override { instance_.terminate(); }
    void set(const Bulk& values) override { instance_.set(values); }
    void get(const Bulk& values) override { instance_.get(values); }
    bool try_get(const Bulk& values) override { return instance_.try_get(values); }

    std::size_t state_count() override { return structure_.states.size(); }
    std::size_t indicator_count() override { return structure_.event_indicators; }

    void enter_event_mode() override;
    EventRound update_discrete_states() override;
    void enter_continuous_time_mode() override;

    Evaluation try_inputs(std::span<const ValueRef> inputs,
                          std::span<const double> values) override;
    Evaluation try_point(double time, std::span<const double> states) override;
    Evaluation get_derivatives(std::span<double> derivatives) override;
    Evaluation get_indicators(std::span<double> indicators) override;
    void get_states(std::span<double> states) override;
    void get_nominals(std::span<double> nominals) override;
    CompletedStep complete_step(bool final) override;

    Snapshots* snapshots() noexcept override { return instance_.has_snapshots() ? this : nullptr; }
    DirectionalDerivatives* directional_derivatives() noexcept override {
        return is_usable(functions().get_directional_derivative) ? this : nullptr;
    }

private:
    void save(std::uint32_t slot) override { instance_.save(slot); }
    void restore(std::uint32_t slot) override { instance_.restore(slot); }
    Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                      std::span<const ValueRef> knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) override;

    const Fmi2Functions& functions() const { return instance_.functions(); }
    fmi2::Component component() const { return instance_.component(); }
    Evaluation judge(fmi2::Status status, const char* call);

    Fmi2Instance instance_;
    const ContinuousStructure& structure_;
};

} // namespace rubato::unit
