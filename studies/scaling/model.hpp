// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measure.hpp"

namespace rubato::studies::scaling {

/// T = work · units + neighbours · latency + bytes · per_byte + rounds · reduction, of the rank that
/// has most of each. Ranks that share a processor take turns.
struct Model {
    double work = 0; ///< of a step of a unit [s]
    double latency = 0, per_byte = 0;
    double reduction = 0; ///< of one round of log2(ranks) [s]
    double imbalance = 1; ///< units of the largest rank over the mean

    /// Units on ranks with a processor each, placed as METIS places a grid.
    /// `decisions`: reductions in a step, as with step control.
    double step_seconds(double units, double ranks, int decisions) const;
};

/// Throws Error if there are no measurements on one rank and on two.
Model fit(const Measured& measured);

/// What the model gives for a run that was measured. Messages cost what they cost with that many
/// ranks on a machine of so many processors.
double predicted(const Model& model, const Measured& measured, const Run& run, unsigned processors);

} // namespace rubato::studies::scaling
