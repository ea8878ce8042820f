// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/simulation.hpp>
#include <rubato/engine/trust.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::pipeline {

/// What was estimated in a simulation and in the scenarios within it.
engine::Trust trust_of(const engine::Simulation& simulation);

/// What a run is worth, from best to worst.
enum class Grade : std::uint8_t { good, fair, rough, poor, perhaps_unstable, unstable };
std::string_view to_string(Grade grade);

/// Of an input error, relative to the range of the value.
Grade grade_of(double relative);

/// Whether growth comes from the coupling, and how sure that is; `good`: hardly.
Grade grade_of_growth(const engine::CouplingTrend& growth);

/// Whether inputs that are early may have damped what decays.
bool may_be_damped(const engine::Trust& trust);

/// The connection whose input was missed most; null: no value moves.
const engine::CouplingError* worst_coupling(const engine::Trust& trust);

/// For each bond: "coupling: 0.00123 J created, 0.0851 % of 1.45 J exchanged".
std::vector<std::string> bond_lines(const engine::Trust& trust);

/// What makes values grow, as the map of one communication step shows (find_growth_cause).
struct GrowthCause {
    enum class Kind : std::uint8_t {
        coupling, ///< perturbations grow, and far slower with a fraction of the step
        system,   ///< they grow as fast with shorter steps
        drive,    ///< they do not grow
    };
    Kind kind = Kind::coupling;
    double radius = 0; ///< spectral radius of the map
};

/// How far the result of a run can be believed. A cause that is known settles what the values of the
/// run leave open.
struct TrustVerdict {
    std::optional<Grade> grade;     ///< none: no value is exchanged that would show it
    std::vector<std::string> lines; ///< the grade with its reasons, then what else is to be known
};
TrustVerdict trust_verdict(const engine::Trust& trust, const engine::Summary& summary,
                           const std::optional<GrowthCause>& cause = {});

std::string percent(double part);                        ///< "0.085 %"
std::string fold(double factor);                         ///< "12000": two digits
std::string name_of(const engine::CouplingError& error); ///< "msd1.x1 -> msd2.x1"

} // namespace rubato::pipeline
