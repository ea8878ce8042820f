// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "formats/ssp/model.hpp"

namespace rubato::scenario::formats::ssp {

/// Times of the default experiment, and what its annotations say.
void settle_experiment(const Structure& structure, Scenario& scenario, Diagnostics& diagnostics);

/// What annotations of a system say of its master algorithm.
void settle_algorithm(const Element& system, Scenario& scenario, Diagnostics& diagnostics);

/// What annotations of a component and of the systems around it say of the solver of a model
/// exchange FMU.
void settle_solver(const Element& component, Unit& unit);

/// A step size hint of a component.
void settle_own_step(const Element& component, Unit& unit, Diagnostics& diagnostics);

} // namespace rubato::scenario::formats::ssp
