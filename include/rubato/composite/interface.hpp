// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/id.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/scenario/system.hpp>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// A co-simulation as a unit of another one.
namespace rubato::composite {

/// A variable of a unit of the inner scenario.
struct InnerVariable {
    UnitId unit;
    std::uint32_t variable = 0; ///< index into its description
};

/// A way along which an input acts on an output at the same instant.
struct FeedthroughPath {
    std::uint32_t input = 0, output = 0; ///< variables of the whole
    std::string text;                    ///< "u → gain.u → gain.y → y"
};

/// How changes of inputs reach outputs, by the derivatives of the units on the way. It exists if
/// all of them provide derivatives, what is on the way are real scalars, and nothing depends on
/// itself.
struct Chain {
    /// An output of a unit, after those that it depends on.
    struct Link {
        UnitId unit;
        PortId output;
        ValueRef unknown = 0;
        std::vector<PortId> inputs;                   ///< of the same unit, that change
        std::vector<ValueRef> knowns;                 ///< the same
        std::vector<std::pair<PortId, double>> feeds; ///< inputs that take it, times a factor
    };
    std::vector<Link> links;
    std::size_t ports = 0; ///< of the system
};

/// What an inner scenario is as a unit. Nothing of it is asked for: it is derived from the inner
/// units, their connections, and the section `interface`.
struct Interface {
    /// Variables of the interface first; then all those of inner units, as locals: "/gain.y". The
    /// value reference of a variable is its index.
    scenario::UnitDescription description;
    std::vector<std::vector<InnerVariable>> stands_for; ///< by variable; inputs may have several
    /// By variable: where the inner simulation records it (of an array, the first element); none:
    /// it does not.
    std::vector<std::optional<std::uint32_t>> columns;
    std::vector<FeedthroughPath> feedthrough; ///< in steps; the shortest for each pair
    std::optional<Chain> chain;               ///< none: there are no derivatives
    std::vector<std::vector<PortId>> ports;   ///< by exposed variable
    /// By variable: an input that changes inputs of other inner units at the same instant.
    std::vector<bool> propagates;
    /// Events of inner units may change its outputs.
    bool has_events = false;
};

/// `descriptions` are those of the units of `inner`, `system` what it was resolved to. Problems of
/// the section `interface` go to `diagnostics`.
Interface derive_interface(const scenario::Scenario& inner, const scenario::System& system,
                           std::span<const scenario::UnitDescription> descriptions,
                           Diagnostics& diagnostics);

} // namespace rubato::composite
