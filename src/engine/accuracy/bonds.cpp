// SPDX-License-Identifier: Apache-2.0
#include "bonds.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::engine {

BondAccount::BondAccount(const scenario::Bond& bond, const Couplings& couplings,
                         std::size_t configurations) {
    for (std::size_t c = 0; c < configurations; ++c) {
        std::vector<Part>& parts = parts_.emplace_back();
        for (const scenario::Bond::Part& part : bond.parts) {
            for (std::uint32_t e = 0;; ++e) {
                const Coupling* effort = couplings.find(c, part.effort.to, e);
                const Coupling* flow = couplings.find(c, part.flow.to, e);
                if (!effort || !flow) break;
                parts.push_back({effort, flow, part.factor});
            }
        }
    }
}

BondStep BondAccount::over_step(const Couplings& couplings, std::size_t configuration) const {
    // With e, f what effort and flow should have been, and Δe, Δf by how much the inputs missed
    // them, one side takes (e + Δe) f and the other gives e (f + Δf). Simpson's rule.
    constexpr std::pair<Place, double> weights[] = {
        {Place::start, 1. / 6}, {Place::middle, 4. / 6}, {Place::end, 1. / 6}};
    BondStep step;
    const double h = couplings.step().seconds;
    for (const auto& [place, weight] : weights) {
        double power = 0, created = 0, error = 0, scale = 0;
        for (const Part& part : parts_[configuration]) {
            const Source& effort = couplings.sources()[part.effort->source];
            const Source& flow = couplings.sources()[part.flow->source];
            const double e = couplings.value(effort, place);
            const double f = couplings.value(flow, place);
            const double missed_e = couplings.deviation(*part.effort, place);
            const double missed_f = couplings.deviation(*part.flow, place);
            const double size_e = effort.nominal + std::abs(e);
            const double size_f = flow.nominal + std::abs(f);
            power += part.factor * e * f;
            created += part.factor * (missed_e * f - e * missed_f);
            error +=
                std::abs(part.factor) * (std::abs(couplings.bound(*part.effort, place)) * size_f +
                                         size_e * std::abs(couplings.bound(*part.flow, place)));
            scale += std::abs(part.factor) * size_e * size_f;
        }
        step.transferred += weight * h * power;
        step.exchanged += weight * h * std::abs(power);
        step.created += weight * h * created;
        if (scale > 0) step.relative_error = std::max(step.relative_error, error / scale);
    }
    return step;
}

} // namespace rubato::engine
