// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/composite/interface.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/unit/unit.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato::composite {

/// What a composite unit is made of.
struct Parts {
    const Interface& interface; ///< outlives the unit
    std::vector<std::unique_ptr<unit::Unit>> units;
    /// Compiles the simulation of the units for a time span.
    std::function<engine::Simulation(std::vector<std::unique_ptr<unit::Unit>>,
                                     const unit::Horizon&)>
        simulate;
    /// Whether a step ends where an event changes a discrete output, so that others take part.
    bool ends_steps_at_events = false;
    /// Whether it handles its events together with others: it has event mode, if a unit has.
    bool shares_events = false;
    /// Called where inner steps end within those of the unit: outputs may be read there. Or empty.
    std::function<void(Time)> at_point = {};
};

/// A simulation behind the interface of a unit. Its steps are made by the algorithm of the inner
/// scenario, in its own communication steps; the last of them ends where the step does.
std::unique_ptr<unit::Unit> make_composite(std::string name, Parts parts);

/// The simulation behind a composite; null: the unit is none, or has not been initialized.
const engine::Simulation* inner_simulation(const unit::Unit& unit);

} // namespace rubato::composite
