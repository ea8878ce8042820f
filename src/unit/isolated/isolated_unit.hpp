// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "session.hpp"

#include <rubato/files/archive_limits.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/unit/rules.hpp>
#include <rubato/unit/unit.hpp>

#include <filesystem>
#include <functional>
#include <vector>

namespace rubato::unit {

/// What the process of a unit must know to make it.
struct IsolatedOrigin {
    std::string name;
    std::filesystem::path fmu; ///< absolute
    std::optional<scenario::Interface> type;
    scenario::SolverSettings solver;
    scenario::LoggingSettings logging;
    files::ArchiveLimits limits;
    Strictness strictness = Strictness::lenient;
};
void put(Writer& message, const IsolatedOrigin& origin);
IsolatedOrigin take_origin(Reader& message);

/// A unit in a process of its own: whatever it does there, crash, exit or hang, ends nothing but
/// the unit.
///
/// A call costs a round trip between the processes, so few are made. While stepping, calls that
/// give nothing back (set, input derivatives, save, restore) wait for the next one that does, and
/// what was read after the last steps is read by the process right after the next one. A step with
/// its sets before and its gets after it is one round trip. What goes wrong in a call that has
/// waited is thrown by the one that it went with; the message names the call that failed.
class IsolatedUnit final : public Unit,
                           private Snapshots,
                           private InputDerivatives,
                           private IntermediateOutputs,
                           private DirectionalDerivatives {
public:
    /// Starts the process and makes the unit there. `description` must outlive it. Throws
    /// InputError when its binary cannot be used and Error when it fails to instantiate.
    IsolatedUnit(const IsolatedOrigin& origin, const scenario::UnitDescription& description,
                 const scenario::IsolationSettings& settings, Log& log);

    Abilities abilities() noexcept override;

private:
    class Events final : public EventMode {
    public:
        explicit Events(IsolatedUnit& unit) : unit_(unit) {}
        void enter() override;
        EventUpdate update() override;
        void get_intervals(std::span<const ValueRef> clocks,
                           std::span<ClockInterval> intervals) override;
        void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) override;
        void leave() override;

    private:
        template <class T>
        void ask(RemoteCall call, std::span<const ValueRef> clocks, std::span<T> answers);
        IsolatedUnit& unit_;
    };

    /// A get that has followed steps, and its answer, if the last step has brought one.
    struct PrefetchedGet {
        ValueType type = ValueType::float64;
        std::vector<ValueRef> references;
        std::size_t count = 0;
        std::vector<Part> parts;
        unsigned idle_steps = 0; ///< since it was last asked for
        bool answered = false;
        Reader answer;

        Bulk bulk() const { return {type, references, nullptr, count, parts}; }
        bool is_for(const Bulk& bulk) const;
    };

    void do_enter_initialization(const Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    StepResult do_step(Time from, Duration by) override;
    void do_terminate() override;

    void save(std::uint32_t slot) override;
    void restore(std::uint32_t slot) override;
    void release(std::uint32_t slot) override;
    unsigned max_order() const override { return abilities_.max_order; }
    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override;

    Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                      std::span<const ValueRef> knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) override;

    void sample(std::span<const ValueRef> outputs, std::size_t most) override;
    bool provides_events() const override { return abilities_.provides_events; }
    void sample_events(std::span<const SampledOutput> others, std::size_t events) override;
    const InnerSamples& samples() const override { return samples_; }

    /// Does something with the process; its faults become the unit's.
    template <class Body>
    void calling(Body&& body) {
        try {
            body();
        } catch (const ProcessFault& fault) {
            session_.abandon();
            fail(to_string(session_.under_way()), fault.what(), fault.hint());
        }
    }
    Writer& add(RemoteCall call);
    void send_now_or_later();
    Reader exchange(std::uint32_t needed);
    void take_samples(Reader& results);
    void prefetch_gets();
    void take_prefetched(Reader results, std::uint32_t answered);
    void learn(const Bulk& bulk);
    PrefetchedGet* find_prefetched(const Bulk& bulk);
    [[noreturn]] void raise_fault();

    Session session_;
    RemoteAbilities abilities_;
    SolverStatistics statistics_;
    InnerSamples samples_;
    std::vector<PrefetchedGet> prefetched_;
    Events events_{*this};
    bool has_failed_since_ = false; ///< a prefetched get has failed, and nobody knows yet
};

} // namespace rubato::unit
