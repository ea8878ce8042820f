// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi1_instance.hpp"

#include <rubato/unit/unit.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato::unit {

/// An instance of an FMI 1.0 FMU for co-simulation.
///
/// It is initialized when its initialization ends or, if a value is read before, then: what has
/// been set by then takes part in its initial equations. Inputs that are set later are those of an
/// initialized slave, of which FMI 1.0 does not say whether its outputs follow at once.
class Fmi1Unit final : public Unit, private FaultSink {
public:
    /// Instantiates; `binary` and `description` must outlive the unit. `claim` is held until the
    /// instance is freed.
    Fmi1Unit(std::string name, const Fmi1Binary& binary,
             const scenario::UnitDescription& description, InstanceContext context);

    Abilities abilities() noexcept override;

private:
    class Derivatives final : public InputDerivatives {
    public:
        explicit Derivatives(Fmi1Unit& unit) : unit_(unit) {}
        unsigned max_order() const override;
        void set(std::span<const ValueRef> inputs, unsigned order,
                 std::span<const double> values) override;

    private:
        Fmi1Unit& unit_;
        std::vector<fmi1::Integer> orders_;
        bool are_refused_ = false;
    };

    void do_enter_initialization(const Horizon& horizon) override {
        instance_.begin_initialization();
        horizon_ = horizon;
    }
    void do_exit_initialization() override {
        initialize();
        instance_.check_start_values();
    }
    void do_set(const Bulk& values) override { instance_.set(values); }
    void do_get(const Bulk& values) override;
    StepResult do_step(Time from, Duration by) override;
    void do_terminate() override { instance_.terminate(); }
    void fault(std::string_view call, std::string_view reason) override { fail(call, reason); }

    void initialize(); ///< if it is not yet
    [[gnu::cold]] StepResult step_fell_short(fmi1::Status status, Time from, Duration by);

    Fmi1Instance instance_;
    std::optional<Horizon> horizon_; ///< of an initialization that is yet to come
    Derivatives derivatives_{*this};
};

} // namespace rubato::unit
