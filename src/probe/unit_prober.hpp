// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "port_values.hpp"

#include <rubato/probe/probe.hpp>

#include <array>
#include <map>
#include <vector>

namespace rubato::probe {

/// Probes one unit, which can save and restore its state, at any number of instants:
///
///   1 Save      the state, and note the values of the ports; a fault: give the unit up
///   2 Check     read again: values that differ change by themselves; restore and read: values that
///               differ now are not restored, and the unit is given up
///   3 Change    one input; read the outputs: those that moved depend on it; a fault: the value is
///               refused
///   4 Restore   and read: if a value differs, the state is not restored, and the unit is given up
///   5           again from 3 with the next value and the next input
class UnitProber {
public:
    UnitProber(const scenario::System& system, UnitId id, unit::Unit& unit);

    void probe(const Instant& when, Probing& result);

    /// Of all inputs that refused values.
    std::vector<Refusal> refusals() const;

private:
    void probe_inputs(const Instant& when, Probing& result);
    void probe_input(std::size_t input, const Instant& when, Probing& result);
    /// Whether the unit accepted the value.
    bool try_value(std::size_t input, const Value& value, const Instant& when, Probing& result);
    void note_influences(std::size_t input, const Value& value, const std::vector<Value>& after,
                         const Instant& when, Probing& result);
    void note_refusal(std::size_t input, const Value& value, const Instant& when,
                      std::string reason);

    /// The first port, of those that hold still, that shows something else than when saved.
    std::optional<std::size_t> find_difference(const std::vector<Value>& values) const;
    std::string find_not_finite(const std::vector<Value>& after) const;
    void restore(const Instant& when, Probing& result);
    void give_up(Obstacle::Kind kind, const Instant& when, std::string reason, Probing& result);
    void note(Obstacle::Kind kind, std::optional<std::size_t> port, const Instant& when,
              std::string reason, Probing& result) const;

    bool all_seen(std::size_t input, bool initializing) const;
    const scenario::Variable& variable(std::size_t port) const;
    std::string_view name(std::size_t port) const { return system_.port(ports_[port]).name; }

    const scenario::System& system_;
    UnitId id_;
    unit::Unit& unit_;
    std::vector<PortId> ports_; ///< inputs, then outputs; others count them by their place here
    std::size_t input_count_;
    PortReader reader_;
    std::vector<Value> before_;               ///< by port, when saved
    std::vector<bool> restless_;              ///< by port: changes by itself
    std::vector<bool> fixed_;                 ///< by input: reported that nothing can be tried
    std::array<std::vector<bool>, 2> seen_;   ///< by phase (initializing: 1), input and output
    std::map<std::size_t, Refusal> refusals_; ///< by input
    bool given_up_ = false;
};

} // namespace rubato::probe
