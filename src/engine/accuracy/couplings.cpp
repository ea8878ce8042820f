// SPDX-License-Identifier: Apache-2.0
#include "couplings.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::engine {

using scenario::Port;
using scenario::System;

namespace {

constexpr Place places[] = {Place::start, Place::middle, Place::end};

bool keeps_constraints(const System& system, UnitId unit) {
    const std::vector<PortId>& outputs = system.unit(unit).outputs;
    return !outputs.empty() && system.port(outputs.front()).is_mean;
}

} // namespace

Couplings::Couplings(const System& system, const Compiled& compiled) {
    std::vector<System> systems;
    for (const scenario::Configuration& configuration : system.configurations)
        systems.push_back(in_configuration(system, configuration));
    if (systems.empty()) systems.push_back(system);
    for (const System& configured : systems) add(configured, compiled);
    find_stale_feedthrough(systems);
}

Couplings::Couplings(std::span<const FollowedInput> inputs) {
    unsigned lowest = static_cast<unsigned>(scenario::Approximation::quadratic);
    std::vector<Coupling> couplings;
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        const FollowedInput& input = inputs[i];
        sources_.push_back(
            {.port = PortId{i}, .element = 0, .slot = input.slot, .nominal = input.nominal});
        couplings.push_back(
            {.source = i, .to = PortId{i}, .order = input.order, .knows_end = input.knows_end});
        if (input.joins) couplings.back().joint = joint_of(PortId{i}, 0);
        lowest = std::min(lowest, input.order);
    }
    couplings_.push_back(std::move(couplings));
    orders_.push_back(lowest + 1);
    has_stale_feedthrough_.emplace_back(sources_.size());
}

void Couplings::find_stale_feedthrough(std::span<const System> systems) {
    const auto feedthrough = [&](const System& in, std::size_t source) -> const auto& {
        return in.port(sources_[source].port).feedthrough;
    };
    for (std::size_t c = 0; c < systems.size(); ++c) {
        std::vector<bool>& is_stale = has_stale_feedthrough_.emplace_back(sources_.size());
        // An order has given up some of the feedthrough that others have.
        for (std::size_t s = 0; s < sources_.size(); ++s)
            is_stale[s] = std::ranges::any_of(systems, [&](const System& other) {
                return feedthrough(other, s).size() > feedthrough(systems[c], s).size();
            });
        while (propagate_staleness(systems[c], c)) {
        }
    }
}

/// What an input feeds through to is no better than the source of the input.
bool Couplings::propagate_staleness(const System& system, std::size_t configuration) {
    std::vector<bool>& is_stale = has_stale_feedthrough_[configuration];
    bool any = false;
    for (const Coupling& coupling : couplings_[configuration]) {
        if (!is_stale[coupling.source] || !coupling.knows_end) continue;
        for (std::size_t s = 0; s < sources_.size(); ++s) {
            const auto& inputs = system.port(sources_[s].port).feedthrough;
            if (is_stale[s] || std::ranges::find(inputs, coupling.to) == inputs.end()) continue;
            is_stale[s] = any = true;
        }
    }
    return any;
}

void Couplings::add(const System& configured, const Compiled& compiled) {
    std::vector<Coupling> couplings;
    unsigned lowest = static_cast<unsigned>(scenario::Approximation::quadratic);
    for (const scenario::Link& link : configured.links) {
        const Port& from = configured.port(link.from);
        const Port& to = configured.port(link.to);
        const auto slot = compiled.output_slots[link.from.value];
        // Holding what is discrete is exact, and what is rounded or compared becomes discrete.
        if (!slot || !from.is_continuous || storage_of(to.type) != Storage::real) continue;
        // Who looks at a value at communication points only misses nothing in between.
        if (to.is_sampled || keeps_constraints(configured, to.unit)) continue;
        // What is held at its mean over a step acts as a linear function does, up to terms of second
        // order: that one is known at both ends.
        const auto order = from.is_mean ? 1u : static_cast<unsigned>(to.approximation);
        const bool knows_end = from.is_mean || to.reactivity == scenario::Reactivity::reactive;
        const bool joins = !knows_end && to.join == scenario::Join::continuous;
        lowest = std::min(lowest, order);
        for (std::uint32_t e = 0; e < from.part.count; ++e) {
            const double* const value = compiled.plan->buffers.reals.data() + *slot + e;
            couplings.push_back({source(from, link.from, e, value), link.to, order, knows_end});
            if (joins) couplings.back().joint = joint_of(link.to, e);
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

std::uint32_t Couplings::joint_of(PortId input, std::uint32_t element) {
    const auto next = static_cast<std::uint32_t>(joints_.size());
    const auto [found, is_new] = joint_index_.emplace(std::pair(input, element), next);
    if (is_new) {
        joints_.push_back(0);
        next_joints_.push_back(0);
    }
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
    go_on();
}

void Couplings::forget() {
    for (Source& source : sources_) source.known = 0;
    std::ranges::fill(joints_, 0.0);
}

void Couplings::jump() {
    for (Source& source : sources_) {
        if (source.known == 0 || *source.slot == source.past[0]) continue;
        source.past[0] = *source.slot;
        source.known = 1;
    }
    if (joints_.empty()) return;
    for (const std::vector<Coupling>& couplings : couplings_)
        for (const Coupling& coupling : couplings)
            if (coupling.joint && sources_[coupling.source].known == 1)
                joints_[*coupling.joint] = 0;
}

void Couplings::change_order(std::size_t before, std::size_t after) {
    for (std::size_t s = 0; s < sources_.size(); ++s)
        if (has_stale_feedthrough_[before][s] && !has_stale_feedthrough_[after][s])
            sources_[s].known = 0;
}

void Couplings::sample(Time end) {
    for (Source& source : sources_) source.value = *source.slot;
    find_differences(end);
    is_sampled_ = true;
}

void Couplings::keep_middle(Time middle) {
    middle_ = middle;
    for (Source& source : sources_) source.middle = *source.slot;
}

void Couplings::sample_middle() {
    for (Source& source : sources_) source.value = source.middle;
    find_differences(*middle_);
}

void Couplings::find_differences(Time end) {
    end_ = end.seconds;
    for (Source& source : sources_) {
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

void Couplings::accept(std::size_t configuration) {
    if (!joints_.empty()) note_joints(configuration);
    go_on();
    is_sampled_ = false;
}

/// An input that has been interpolated continues from its value.
void Couplings::note_joints(std::size_t configuration) {
    std::ranges::fill(next_joints_, 0.0);
    for (const Coupling& coupling : couplings_[configuration])
        if (coupling.joint) next_joints_[*coupling.joint] = deviation(coupling, Place::end);
    std::swap(joints_, next_joints_);
}

void Couplings::go_on() {
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
    return remainder(coupling, t) - sources_[coupling.source].differences[*order] * product;
}

double Couplings::remainder(const Coupling& coupling, double t) const {
    // A piece starts where the last one has ended, and meets p after a step as long as the last.
    const double last = times_[0] - times_[1];
    if (!coupling.joint || !(last > 0)) return 0;
    return joints_[*coupling.joint] * (1 - (t - times_[0]) / last);
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
