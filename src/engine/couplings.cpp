// SPDX-License-Identifier: Apache-2.0
#include "couplings.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::engine {

using scenario::Port;
using scenario::System;

namespace {

constexpr Place places[] = {Place::start, Place::middle, Place::end};

} // namespace

Couplings::Couplings(const System& system, const Compiled& compiled) {
    if (system.configurations.empty()) add(system, compiled);
    for (const scenario::Configuration& configuration : system.configurations)
        add(in_configuration(system, configuration), compiled);
}

void Couplings::add(const System& configured, const Compiled& compiled) {
    std::vector<Coupling> couplings;
    unsigned lowest = static_cast<unsigned>(scenario::Approximation::quadratic);
    for (const scenario::Link& link : configured.links) {
        const Port& from = configured.port(link.from);
        const Port& to = configured.port(link.to);
        const auto slot = compiled.output_slots[link.from.value];
        if (!slot || !from.is_continuous) continue; // holding what is discrete is exact
        const auto order = static_cast<unsigned>(to.approximation);
        const bool knows_end = to.reactivity == scenario::Reactivity::reactive;
        lowest = std::min(lowest, order);
        for (std::uint32_t e = 0; e < from.part.count; ++e) {
            const double* const value = compiled.plan->buffers.reals.data() + *slot + e;
            couplings.push_back({source(from, link.from, e, value), link.to, order, knows_end});
        }
    }
    couplings_.push_back(std::move(couplings));
    orders_.push_back(lowest + 1);
}

std::uint32_t Couplings::source(const Port& port, PortId id, std::uint32_t element,
                                const double* slot) {
    const auto next = static_cast<std::uint32_t>(sources_.size());
    const auto [found, is_new] = index_.emplace(slot, next);
    if (is_new)
        sources_.push_back({.port = id, .element = element, .slot = slot, .nominal = port.nominal});
    return found->second;
}

const Coupling* Couplings::find(std::size_t configuration, PortId to, std::uint32_t element) const {
    for (const Coupling& coupling : couplings_[configuration]) {
        if (coupling.to == to && sources_[coupling.source].element == element) return &coupling;
    }
    return nullptr;
}

void Couplings::restart(Time now) {
    forget();
    times_.fill(now.seconds);
    end_ = now.seconds;
    for (Source& source : sources_) source.value = *source.slot;
    accept();
}

void Couplings::forget() {
    for (Source& source : sources_) source.known = 0;
}

void Couplings::jump() {
    for (Source& source : sources_) {
        if (source.known == 0 || *source.slot == source.past[0]) continue;
        source.past[0] = *source.slot;
        source.known = 1;
    }
}

void Couplings::sample(Time end) {
    end_ = end.seconds;
    for (Source& source : sources_) {
        source.value = *source.slot;
        // Newton's scheme: the n-th difference through the end and the n newest of the past.
        double difference = source.value;
        std::array<double, 3> diagonal = source.past; // [past_n], [past_n, past_n+1], …
        for (unsigned n = 0; n < source.known; ++n) {
            difference = (difference - diagonal[0]) / (end_ - times_[n]);
            source.differences[n] = difference;
            for (unsigned i = 0; i + n + 1 < source.known; ++i)
                diagonal[i] = (diagonal[i] - diagonal[i + 1]) / (times_[i] - times_[i + n + 1]);
        }
    }
}

void Couplings::accept() {
    times_ = {end_, times_[0], times_[1]};
    for (Source& source : sources_) {
        source.past = {source.value, source.past[0], source.past[1]};
        source.known = std::min(source.known + 1, 3u);
    }
}

std::optional<unsigned> Couplings::present_order(const Coupling& coupling) const {
    const unsigned known = sources_[coupling.source].known;
    if (known == 0) return std::nullopt;
    const unsigned order = std::min(coupling.order, coupling.knows_end ? known : known - 1);
    return order < known ? std::optional(order) : std::nullopt;
}

double Couplings::at(Place place) const {
    switch (place) {
    case Place::start: return times_[0];
    case Place::middle: return 0.5 * (times_[0] + end_);
    case Place::end: break;
    }
    return end_;
}

double Couplings::deviation(const Coupling& coupling, Place place) const {
    // q - p = u[end, past…] · Π (t - t_i), over the samples that p goes through
    const auto order = present_order(coupling);
    if (!order) return 0;
    const double t = at(place);
    double product = coupling.knows_end ? t - end_ : t - times_[*order];
    for (unsigned i = 0; i < *order; ++i) product *= t - times_[i];
    return -sources_[coupling.source].differences[*order] * product;
}

double Couplings::bound(const Coupling& coupling, Place place) const {
    const Source& source = sources_[coupling.source];
    if (source.known == 0 || present_order(coupling)) return deviation(coupling, place);
    return source.value - source.past[0];
}

double Couplings::largest_deviation(const Coupling& coupling) const {
    double largest = 0;
    for (const Place place : places)
        largest = std::max(largest, std::abs(deviation(coupling, place)));
    return largest;
}

double Couplings::largest_bound(const Coupling& coupling) const {
    double largest = 0;
    for (const Place place : places) largest = std::max(largest, std::abs(bound(coupling, place)));
    return largest;
}

double Couplings::value(const Source& source, Place place) const {
    if (source.known == 0) return source.value;
    if (place == Place::start) return source.past[0];
    if (place == Place::end) return source.value;
    // Through the end, the start and the point before it, if there is one.
    const double chord = 0.5 * (source.past[0] + source.value);
    if (source.known < 2) return chord;
    const double half = 0.5 * (end_ - times_[0]);
    return chord - source.differences[1] * half * half;
}

} // namespace rubato::engine
