// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "calls.hpp"
#include "compiler.hpp"
#include "runs.hpp"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace rubato::engine {

/// Compiles the operations of event procedures. Outputs that steps read, too, have the slots that
/// they have there, so that they are up to date after an event; the others have slots of their own.
class EventProgram {
public:
    /// What is passed must outlive it. `final_slots` and `histories` are those of steps, by port.
    EventProgram(const scenario::System& system, std::span<const std::unique_ptr<unit::Unit>> units,
                 Plan& plan, Calls& calls,
                 std::span<const std::optional<std::uint32_t>> final_slots,
                 std::span<const std::optional<std::uint32_t>> histories);

    /// From here on, operations belong to this procedure. `links` lead to inputs; null: none does.
    void begin(const Body& body, std::span<const scenario::Link* const> links,
               std::span<const scenario::Link> step_links);
    /// Of an output, or of a clock; `before`: of what an iteration starts from.
    std::uint32_t slot(PortId port, bool before);
    void add_gets(std::span<const Op> run, bool in_loop, Block& block);
    void add_sets(std::span<const Op> run, Block& block);
    void add_updates(std::span<const Op> run, Block& block);
    /// Event sets of the procedure whose sources may change between events.
    std::vector<std::uint32_t> take_watched() { return std::move(watched_); }
    /// Reads what clocked columns hold.
    void add_columns(std::span<const ClockedColumn> columns);

private:
    void add_clocks();
    std::vector<std::uint32_t> guards_of(const scenario::Port& port) const;
    void add_get(std::span<const PortId> ports, bool in_loop);
    void add_set(PortId port, const scenario::Link& link);
    void add_call(PortId port, const scenario::Link& link, std::uint32_t from);
    bool is_watched(const scenario::Link& link) const;
    std::uint32_t watched_slot(PortId output);

    const scenario::System& system_;
    std::span<const std::unique_ptr<unit::Unit>> units_;
    Plan& plan_;
    Calls& calls_;
    std::span<const std::optional<std::uint32_t>> final_slots_, histories_;
    std::vector<std::optional<std::uint32_t>> clock_of_;       ///< by port: index of its clock
    std::vector<std::optional<std::uint32_t>> slots_, before_; ///< by port
    std::map<PortId, std::uint32_t> held_;                     ///< by input
    std::map<PortId, std::uint32_t> watched_slots_;            ///< by output
    // Of the procedure under way.
    std::span<const scenario::Link* const> links_;
    std::vector<bool> in_steps_; ///< by port: steps set it, too
    std::optional<algorithm::Convergence> until_;
    std::vector<std::uint32_t> watched_;
};

} // namespace rubato::engine
