// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::cli {

using engine::CouplingError;

std::string_view to_string(Grade grade) {
    switch (grade) {
    case Grade::good: return "good";
    case Grade::fair: return "fair";
    case Grade::rough: return "rough";
    case Grade::poor: return "poor";
    case Grade::perhaps_unstable: return "perhaps unstable";
    case Grade::unstable: return "unstable";
    }
    return "";
}

Grade grade_of(double relative) {
    if (relative <= 1e-3) return Grade::good;
    if (relative <= 1e-2) return Grade::fair;
    return relative <= 1e-1 ? Grade::rough : Grade::poor;
}

Grade grade_of_growth(const engine::CouplingTrend& growth) {
    constexpr double most = 0.5; // of it comes from the coupling
    constexpr double large = 10; // more than other motion is likely to grow by so steadily
    constexpr double huge = 1e4;
    const double part = std::log(growth.of_coupling) / std::log(growth.factor);
    if (growth.is_resolved && part < most) return grade_of(growth.of_coupling - 1);
    // Inputs that are late enough for far more than is seen are held back by damping, which may be
    // all that they do, and the growth that of the system.
    constexpr double least_match = 0.7, most_match = 1.5;
    const bool matches = part >= least_match && part <= most_match;
    const bool is_sure = growth.factor >= huge || (growth.factor >= large && matches);
    return is_sure && !growth.is_driven ? Grade::unstable : Grade::perhaps_unstable;
}

bool may_be_damped(const engine::Trust& trust) {
    constexpr double much = 0.3;
    return trust.decay && trust.decay->share() >= much;
}

const CouplingError* worst_coupling(const engine::Trust& trust) {
    const auto worst = std::ranges::max_element(trust.couplings, {}, &CouplingError::relative);
    return worst != trust.couplings.end() && worst->range > 0 ? &*worst : nullptr;
}

std::string percent(double part) { return format("{:.3g} %", 100 * part); }

std::string fold(double factor) {
    return report::human_number(std::stod(format("{:.2g}", factor)));
}

std::string name_of(const CouplingError& error) { return error.from + " -> " + error.to; }

} // namespace rubato::cli
