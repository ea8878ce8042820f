// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/distributed/federation.hpp>
#include <rubato/engine/external_inputs.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/scenario/system.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace rubato::distributed {

/// What a run exchanges with federates of other tools: attributes of object instances. Outputs are
/// published at each communication point, with its time stamp. Inputs take the values that others
/// have sent for that point or before it; a step begins with them, and holds them.
///
/// The federate that owns a unit publishes its outputs and subscribes to what feeds its inputs.
class ForeignExchange final : public engine::ExternalInputs {
public:
    /// `federation`, `system` and `log` must outlive it. `owners`: ranks, by unit. Throws
    /// InputError: attributes of one instance belong to units of several federates.
    ForeignExchange(Federation& federation, const scenario::System& system,
                    std::vector<std::uint32_t> owners, Log& log);

    /// Whether there is anything to exchange.
    static bool is_needed(const scenario::System& system) {
        return !system.hla_outputs.empty() || !system.hla_inputs.empty();
    }
    /// Before the simulation runs; all federates do so. Waits for the instances of others, until
    /// `stop` is set (null: nobody does).
    void attach(engine::Simulation& simulation, const std::atomic<bool>* stop = nullptr);

    bool move_to(Time now) override;
    bool have_changed() const override { return false; }
    void set_at_event() override {}
    bool ends_span() override { return false; }
    bool is_sampling() const override { return false; }
    void pass(Time /*now*/) override {}
    void end_point(Time now) override;

private:
    /// A variable of a unit of this federate.
    struct Mapped {
        const scenario::HlaPort* attribute = nullptr;
        unit::Unit* unit = nullptr;
        ValueRef reference = 0;
        ValueType type = ValueType::float64;
        std::optional<Value> value; ///< of an input: what has come last; none: nothing has
    };
    bool owns(const scenario::HlaPort& port) const;
    void require_one_owner() const;
    std::vector<Mapped> mapped(const std::vector<scenario::HlaPort>& ports,
                               const engine::Simulation& simulation) const;
    void take(const LinkUpdate& update);
    static Value read(const Mapped& output);
    static void set(const Mapped& input);

    Federation& federation_;
    const scenario::System& system_;
    const std::vector<std::uint32_t> owners_;
    Log& log_;
    std::vector<Mapped> outputs_, inputs_;
    bool is_attached_ = false;
    bool propagates_ = false; ///< outputs depend on inputs at once
    std::optional<Time> last_published_;
};

} // namespace rubato::distributed
