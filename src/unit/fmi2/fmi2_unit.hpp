// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi2_instance.hpp"
#include "fmu/saved_times.hpp"

#include <rubato/unit/unit.hpp>

#include <memory>
#include <string>
#include <vector>

namespace rubato::unit {

/// An instance of an FMI 2.0 FMU for co-simulation.
class Fmi2Unit final : public Unit, private FaultSink, private DirectionalDerivatives {
public:
    /// Instantiates; `binary` and `description` must outlive the unit. `claim` is held until the
    /// instance is freed.
    Fmi2Unit(std::string name, const Fmi2Binary& binary,
             const scenario::UnitDescription& description, InstanceContext context);

    Abilities abilities() noexcept override;

    /// For a program that makes bare FMI calls on the instance, such as a benchmark's floor.
    fmi2::Component component() const { return instance_.component(); }
    const Fmi2Functions& functions() const { return instance_.functions(); }

private:
    class States final : public Snapshots, public SerializedStates {
    public:
        explicit States(Fmi2Unit& unit) : unit_(unit) {}
        void save(std::uint32_t slot) override;
        void restore(std::uint32_t slot) override;
        void release(std::uint32_t slot) override { unit_.saved_.release(slot); }
        void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override;
        void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override;

    private:
        Fmi2Unit& unit_;
    };

    class Derivatives final : public InputDerivatives {
    public:
        explicit Derivatives(Fmi2Unit& unit) : unit_(unit) {}
        unsigned max_order() const override;
        void set(std::span<const ValueRef> inputs, unsigned order,
                 std::span<const double> values) override;

    private:
        Fmi2Unit& unit_;
        std::vector<fmi2::Integer> orders_;
        bool are_refused_ = false;
    };

    void do_enter_initialization(const Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    StepResult do_step(Time from, Duration by) override;
    void do_terminate() override;
    void do_raise(const char* call, int status) override;
    StepResult do_conclude(Time from, Duration by, int status) override;
    void fault(std::string_view call, std::string_view reason) override;
    Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                      std::span<const ValueRef> knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) override;

    [[gnu::cold]] StepResult step_fell_short(fmi2::Status status, Time from, Duration by);

    Fmi2Instance instance_;
    fmi2::DoStep* do_step_; ///< the call of every step, next to the instance
    DirectCalls direct_calls_;
    SavedTimes saved_;
    States states_{*this};
    Derivatives derivatives_{*this};
};

} // namespace rubato::unit
