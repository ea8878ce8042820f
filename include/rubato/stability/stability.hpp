// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/unit/unit.hpp>

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Stability of a whole run: the map of one communication step, linearized.
namespace rubato::stability {

class PerturbedUnit;

/// Makes the inputs of units perturbable: all units of a simulation are wrapped when it is built.
class Perturbations {
public:
    std::unique_ptr<unit::Unit> wrap(std::unique_ptr<unit::Unit> unit);
    /// They belong to the simulation.
    const std::vector<PerturbedUnit*>& units() const { return units_; }

private:
    std::vector<PerturbedUnit*> units_;
};

struct Share {
    std::string name;
    double part = 0; ///< of the sum over all
};

/// An eigenvalue of the map and what moves in its mode.
struct Mode {
    std::complex<double> eigenvalue;
    /// |∂λ/∂gain| of each connection, where that is known: largest first, the sum is 1.
    std::vector<Share> connections = {};
    /// The same, summed over the connections into each unit.
    std::vector<Share> units = {};
};

/// What is known of the map of one communication step from a state of the run.
struct Linearization {
    double spectral_radius = 0;
    double uncertainty = 0;       ///< of the spectral radius: its change with twice the window
    std::vector<Mode> modes = {}; ///< one of each conjugate pair, largest |λ| first
    Time time = {};               ///< where the first perturbation begins
    Duration step = {};           ///< of communication
    std::size_t inputs = 0;       ///< that were perturbed
    std::size_t observed = 0;     ///< outputs and states that were compared
    std::size_t window = 0;       ///< steps that perturbations were followed
    std::uint64_t steps = 0;      ///< communication steps that all this took
    bool is_sampled = false; ///< random combinations of inputs were perturbed, not each of them
    double nonlinearity = 0; ///< second difference over first one, the worst
    double residual = 0;     ///< what the modes do not explain of the responses, relative
    std::vector<std::string> unreached = {}; ///< units that nothing perturbed could change
};

struct LinearizationSettings {
    std::size_t most_inputs = 48;       ///< perturbed one by one; else random combinations
    std::size_t combinations = 24;      ///< of these
    std::uint64_t most_steps = 200'000; ///< communication steps of all runs together
    double accuracy = 1e-9;             ///< of the spectral radius: longer windows until then
    /// Longer windows only until the spectral radius is surely above or below this one.
    std::optional<double> threshold = {};
};

/// Linearizes at `points.front()`: initializes the simulation, steps there, perturbs inputs for one
/// step each and follows the differences at the other points. `points` are communication points of
/// the simulation, equally spaced. Its units are those of `perturbations`. Throws Error: a unit
/// cannot save its state, no input can be perturbed, or the run fails.
Linearization linearize(engine::Simulation& simulation, const Perturbations& perturbations,
                        std::span<const Time> points, const LinearizationSettings& settings = {});

/// Points that `linearize` uses at least and at most.
inline constexpr std::size_t fewest_points = 24;
inline constexpr std::size_t most_points = 6200;

} // namespace rubato::stability
