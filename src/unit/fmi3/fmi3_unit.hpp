// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi3_clock_intervals.hpp"
#include "fmi3_instance.hpp"
#include "fmi3_updates.hpp"
#include "fmu/saved_times.hpp"

#include <rubato/unit/unit.hpp>

#include <memory>
#include <string>
#include <vector>

namespace rubato::unit {

/// An instance of an FMI 3.0 FMU for co-simulation, with event mode and intermediate updates if the
/// FMU has them.
class Fmi3Unit final : public Unit,
                       private FaultSink,
                       private IntermediateOutputs,
                       private DirectionalDerivatives {
public:
    /// Instantiates; `binary` and `description` must outlive the unit. `claim` is held until the
    /// instance is freed.
    Fmi3Unit(std::string name, const Fmi3Binary& binary,
             const scenario::UnitDescription& description, InstanceContext context);

    Abilities abilities() noexcept override;

    /// For a program that makes bare FMI calls on the instance, such as a benchmark's floor.
    fmi3::Instance instance() const { return instance_.instance(); }
    const Fmi3Functions& functions() const { return instance_.functions(); }

private:
    class States final : public Snapshots, public SerializedStates {
    public:
        explicit States(Fmi3Unit& unit) : unit_(unit) {}
        void save(std::uint32_t slot) override;
        void restore(std::uint32_t slot) override;
        void release(std::uint32_t slot) override { unit_.saved_.release(slot); }
        void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override;
        void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override;

    private:
        Fmi3Unit& unit_;
        std::vector<std::vector<InputMotion::Input>> inputs_; ///< by slot: how they move
    };

    class Derivatives final : public InputDerivatives {
    public:
        Derivatives(Fmi3Unit& unit, const InputDerivativeMap& map) : unit_(unit), map_(map) {}
        unsigned max_order() const override;
        void set(std::span<const ValueRef> inputs, unsigned order,
                 std::span<const double> values) override;

    private:
        Fmi3Unit& unit_;
        const InputDerivativeMap& map_;
        std::vector<ValueRef> references_; ///< of inputs that carry derivatives
        std::vector<double> values_;       ///< for them
    };

    class Events final : public EventMode {
    public:
        explicit Events(Fmi3Unit& unit) : unit_(unit) {}
        void enter() override;
        EventUpdate update() override;
        void get_intervals(std::span<const ValueRef> clocks,
                           std::span<ClockInterval> intervals) override;
        void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) override;
        void leave() override;

    private:
        Fmi3Unit& unit_;
    };

    void do_enter_initialization(const Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    StepResult do_step(Time from, Duration by) override;
    void do_terminate() override;
    void fault(std::string_view call, std::string_view reason) override;
    Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                      std::span<const ValueRef> knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) override;

    void sample(std::span<const ValueRef> outputs, std::size_t most) override;
    const InnerSamples& samples() const override { return updates_.samples(); }

    StepResult step_alone(Time from, Duration by);
    [[gnu::cold]] static StepResult discarded(Time from, Duration by, double reached);
    [[gnu::cold]] StepResult step_fell_short(Time from, Duration by, double reported, StepEnd end);

    Fmi3Updates updates_;
    Fmi3Instance instance_;
    Fmi3ClockIntervals intervals_;
    fmi3::DoStep* do_step_; ///< the call of every step, next to the instance
    SavedTimes saved_;
    States states_{*this};
    Derivatives derivatives_;
    Events events_{*this};
};

} // namespace rubato::unit
