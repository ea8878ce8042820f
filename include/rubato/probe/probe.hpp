// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/id.hpp>
#include <rubato/core/time.hpp>
#include <rubato/core/value.hpp>
#include <rubato/engine/simulation.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Probing: what contracts say of feed-through, held against what units do.
namespace rubato::probe {

struct ProbeOptions {
    bool while_initializing = true; ///< before the units leave their initialization
    /// After so many communication steps, ascending. The end of the run stands for all beyond it.
    std::vector<std::uint64_t> after_steps = {0, 1, 10, 100};
};

struct Instant {
    Time time;
    bool initializing = false; ///< the units are: feed-through of initialization holds
};

/// "at t = 0.1 s", "at t = 0 s, initializing"
std::string to_string(const Instant& when);

/// An output that moved when an input was changed and nothing else.
struct Influence {
    PortId input, output;
    Instant when;
    Value input_before, input_after;
    Value output_before, output_after;
};

/// Values of an input that its unit did not accept: it failed, or gave something that is no number.
struct Refusal {
    PortId input;
    std::size_t refused = 0, tried = 0; ///< values, over all instants
    Instant when;                       ///< of the first one refused, as are the next two
    Value value;
    std::string reason;
};

/// What kept a unit, or one of its ports, from being probed.
struct Obstacle {
    enum class Kind : std::uint8_t {
        no_snapshots,     ///< the unit cannot save and restore its state
        not_restored,     ///< the unit can, but does not come back to what it was
        fault,            ///< the unit failed and did not come back
        not_reproducible, ///< the port changes although nothing else does
        no_perturbation,  ///< for the input there is no other value to try
    };
    Kind kind = Kind::fault;
    UnitId unit;
    std::optional<PortId> port;
    Instant when;
    std::string reason;
};

struct Probing {
    std::vector<Instant> instants;
    std::vector<Influence> influences; ///< the first of each input, output and phase
    std::vector<Refusal> refusals;     ///< one per input
    std::vector<Obstacle> obstacles;
    std::string fault; ///< that ended the run, though nothing had been changed; empty: none
};

/// Runs a new simulation to the last instant. At each, every unit that can is probed: its state is
/// saved; each input in turn is given other values, the outputs are read, and the state is
/// restored. The run continues as if nothing had been done.
Probing probe(engine::Simulation& simulation, const ProbeOptions& options = {});

} // namespace rubato::probe
