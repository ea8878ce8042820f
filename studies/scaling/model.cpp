// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include <rubato/core/diagnostics.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::studies::scaling {

namespace {

const Wires* wires_of(const Measured& measured, std::uint32_t ranks) {
    const auto found = std::ranges::find(measured.wires, ranks, &Wires::ranks);
    return found == measured.wires.end() ? nullptr : &*found;
}

double sharing(std::uint32_t ranks, unsigned processors) {
    return std::max(1.0, static_cast<double>(ranks) / processors);
}

} // namespace

double Model::step_seconds(double units, double ranks, int decisions) const {
    const double own = units / ranks;
    double seconds = work * (ranks > 1 ? std::min(units, imbalance * own) : own);
    if (ranks == 1) return seconds;
    // A part of a grid has about six parts around it, and sends two sides of a square.
    const double neighbours = std::min(ranks - 1, 6.0);
    const double bytes = 2 * std::sqrt(own) * sizeof(double);
    seconds += neighbours * latency + bytes * per_byte;
    return seconds + decisions * reduction * std::ceil(std::log2(ranks));
}

Model fit(const Measured& measured) {
    const Wires* const pair = wires_of(measured, 2);
    if (pair == nullptr) throw Error("there are no measurements on two ranks");
    Model model{.latency = pair->latency, .per_byte = pair->per_byte, .reduction = pair->reduction};
    // Work: relative least squares over the runs without messages.
    double sum = 0, squares = 0;
    for (const Run& run : measured.runs) {
        model.imbalance =
            std::max(model.imbalance, static_cast<double>(run.largest) * run.ranks / run.units);
        if (run.ranks != 1) continue;
        const double ratio = run.units / run.step;
        sum += ratio;
        squares += ratio * ratio;
    }
    if (squares == 0) throw Error("there are no measurements on one rank");
    model.work = sum / squares;
    return model;
}

double predicted(const Model& model, const Measured& measured, const Run& run,
                 unsigned processors) {
    const double work = model.work * run.largest * sharing(run.ranks, processors);
    const Wires* const wires = wires_of(measured, run.ranks);
    if (wires == nullptr) return work;
    return work + run.neighbours * wires->latency +
           static_cast<double>(run.bytes) * wires->per_byte;
}

} // namespace rubato::studies::scaling
