// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi1_instance.hpp"
#include "me/model_exchange.hpp"

#include <optional>

namespace rubato::unit {

/// An instance of an FMI 1.0 FMU for model exchange. FMI 1.0 has neither modes nor saved states:
/// entering and leaving event mode needs no call of the model, and what its discrete
/// variables were cannot be brought back. It is initialized as Fmi1Unit says.
class Fmi1ModelExchange final : public ModelExchange {
public:
    /// As Fmi1Instance; `structure` must outlive the instance, too.
    Fmi1ModelExchange(const std::string& name, const Fmi1Binary& binary,
                      const scenario::UnitDescription& description,
                      const ContinuousStructure& structure, InstanceContext context,
                      FaultSink& sink);

    void enter_initialization(const Horizon& horizon) override;
    void exit_initialization() override {
        initialize();
        instance_.check_start_values();
    }
    void terminate() override { instance_.terminate(); }
    void set(const Bulk& values) override;
    void get(const Bulk& values) override;
    bool try_get(const Bulk& values) override { return instance_.try_get(values); }

    std::size_t state_count() override { return structure_.unnamed_states; }
    std::size_t indicator_count() override { return structure_.event_indicators; }

    void enter_event_mode() override {}
    EventRound update_discrete_states() override;
    void enter_continuous_time_mode() override {}

    Evaluation try_inputs(std::span<const ValueRef> inputs,
                          std::span<const double> values) override;
    Evaluation try_point(double time, std::span<const double> states) override;
    Evaluation get_derivatives(std::span<double> derivatives) override;
    Evaluation get_indicators(std::span<double> indicators) override;
    void get_states(std::span<double> states) override;
    void get_nominals(std::span<double> nominals) override;
    CompletedStep complete_step(bool final) override;

private:
    const Fmi1Functions& functions() const { return instance_.functions(); }
    fmi1::Component component() const { return instance_.component(); }
    Evaluation judge(fmi1::Status status, const char* call);
    void initialize(); ///< if it is not yet

    Fmi1Instance instance_;
    const ContinuousStructure& structure_;
    std::optional<Horizon> horizon_; ///< of an initialization that is yet to come
    /// What the initialization has reported about events; none: it has been taken, or does not hold
    /// any more since values have been set.
    std::optional<fmi1::EventInfo> initial_events_;
};

} // namespace rubato::unit
