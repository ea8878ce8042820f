// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/distribution.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace rubato::engine {

/// What a unit can do, for processes that do not own it.
struct KnownAbilities {
    bool snapshots = false;
    bool input_derivatives = false;
    bool event_mode = false;
    bool intermediate_outputs = false;
    bool provides_events = false; ///< in them
    bool directional_derivatives = false;
    bool solver_statistics = false;
    unsigned max_order = 0; ///< of input derivatives
};
KnownAbilities abilities_of(unit::Unit& unit);

/// A unit of a distributed run, in each of its processes. In the one that owns it, calls go to the
/// unit itself. What it reports (values, events, intervals of clocks, samples within steps) is sent
/// to all others at once, but for values that are read together and for how a step has ended: the
/// executor exchanges those for all units.
class DistributedUnit final : public unit::Unit,
                              private unit::InputDerivatives,
                              private unit::IntermediateOutputs,
                              private unit::DirectionalDerivatives {
public:
    /// What a process knows of it: `own` is null where another one owns it.
    struct Parts {
        Distribution::Named named;
        std::uint32_t owner = 0;
        std::unique_ptr<unit::Unit> own;
        KnownAbilities abilities;
        std::vector<bool> provides; ///< by variable: whether it can be watched within steps
    };
    DistributedUnit(Distribution& distribution, Parts parts);

    unit::Abilities abilities() noexcept override;
    /// What its solver has done so far becomes known to all processes.
    void share_statistics();

private:
    class States final : public unit::Snapshots {
    public:
        explicit States(DistributedUnit& unit) : unit_(unit) {}
        void save(std::uint32_t slot) override;
        void restore(std::uint32_t slot) override;
        void release(std::uint32_t slot) override;

    private:
        DistributedUnit& unit_;
    };
    class Events final : public unit::EventMode {
    public:
        explicit Events(DistributedUnit& unit) : unit_(unit) {}
        void enter() override;
        unit::EventUpdate update() override;
        void get_intervals(std::span<const ValueRef> clocks,
                           std::span<unit::ClockInterval> intervals) override;
        void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) override;
        void leave() override;

    private:
        DistributedUnit& unit_;
    };

    void do_enter_initialization(const unit::Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    unit::StepResult do_step(Time from, Duration by) override;
    void do_terminate() override;

    unsigned max_order() const override { return known_.max_order; }
    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override;

    bool provides(const scenario::Variable& output) const override;
    void sample(std::span<const ValueRef> outputs, std::size_t most) override;
    bool provides_events() const override { return known_.provides_events; }
    void sample_events(std::span<const unit::SampledOutput> others, std::size_t events) override;
    const unit::InnerSamples& samples() const override { return samples_; }

    unit::Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                            std::span<const ValueRef> knowns,
                                            std::span<const double> seed,
                                            std::span<double> sensitivity) override;

    /// Does something with the unit, where it is. Its errors, which have the same name, are this
    /// one's.
    template <class Body>
    void calling(Body&& body) {
        if (!own_) return;
        try {
            body(*own_);
        } catch (...) {
            note_fault();
            throw;
        }
    }
    template <class T>
    void share(std::span<T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        distribution_.processes().broadcast(owner_, std::as_writable_bytes(values));
    }
    template <class T>
    void share(T& value) {
        share(std::span<T>(&value, 1));
    }
    void share_values(const Bulk& values);
    void share_text(std::string& text);
    void share_samples(Time from, Duration by);

    Distribution& distribution_;
    const std::uint32_t owner_;
    std::unique_ptr<unit::Unit> own_;
    const KnownAbilities known_;
    const std::vector<bool> provides_;
    unit::SolverStatistics statistics_;
    unit::InnerSamples samples_;
    std::vector<double> sample_; ///< on its way between processes
    std::vector<std::uint64_t> others_;
    States states_{*this};
    Events events_{*this};
};

} // namespace rubato::engine
