// SPDX-License-Identifier: Apache-2.0
#include "trust_meter.hpp"

#include <rubato/core/graph.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace rubato::engine {

namespace {

// Of what late inputs add to growth: see `note_errors`.
constexpr double of_turning = 8, of_straight = 2;

std::string name_of(const scenario::System& system, PortId id, std::uint32_t element) {
    const bool is_array = system.port(id).part.count > 1;
    return system.name_of(id) + (is_array ? "[" + std::to_string(element + 1) + "]" : "");
}

} // namespace

TrustMeter::TrustMeter(const scenario::System& system, const Couplings& couplings,
                       std::span<const std::unique_ptr<unit::Unit>> units, const Plan& plan,
                       Time start, Time stop)
    : start_(start), stop_(stop), signals_(couplings.sources().size()),
      scales_(couplings.sources().size()) {
    const std::size_t configurations = std::max<std::size_t>(1, system.configurations.size());
    add_entries(system, couplings, units, configurations);
    find_loops(system, couplings, configurations);
    note_tolerances(couplings, plan);
    for (const scenario::Bond& bond : system.bonds) {
        accounts_.emplace_back(bond, couplings, configurations);
        balances_.push_back({.name = bond.name, .is_measured = bond.is_measured});
    }
}

void TrustMeter::add_entries(const scenario::System& system, const Couplings& couplings,
                             std::span<const std::unique_ptr<unit::Unit>> units,
                             std::size_t configurations) {
    std::map<std::pair<PortId, std::uint32_t>, std::uint32_t> known; // by input and source
    for (std::size_t c = 0; c < configurations; ++c) {
        std::vector<std::uint32_t>& entries = entries_.emplace_back();
        for (const Coupling& coupling : couplings.in(c)) {
            const auto next = static_cast<std::uint32_t>(errors_.size());
            const auto [found, is_new] =
                known.emplace(std::pair(coupling.to, coupling.source), next);
            entries.push_back(found->second);
            if (!is_new) continue;
            const Source& source = couplings.sources()[coupling.source];
            const scenario::Port& port = system.port(source.port);
            const auto& variable = units[port.unit.value]->description().variables[port.variable];
            known_.push_back({.source = coupling.source, .order = coupling.order});
            errors_.push_back({.from = name_of(system, source.port, source.element),
                               .to = name_of(system, coupling.to, source.element),
                               .unit = variable.unit});
        }
    }
}

/// Only what comes back can grow by the coupling.
void TrustMeter::find_loops(const scenario::System& system, const Couplings& couplings,
                            std::size_t configurations) {
    const auto unit_of = [&](PortId port) { return system.port(port).unit.value; };
    Graph graph(system.units.size());
    const auto add = [&](const std::vector<scenario::Link>& links) {
        for (const scenario::Link& link : links)
            graph.add_edge(unit_of(link.from), unit_of(link.to));
    };
    add(system.links);
    for (const scenario::Configuration& configuration : system.configurations)
        add(configuration.links);
    std::vector<std::uint32_t> loops(system.units.size());
    for (const std::vector<Graph::Node>& component : strongly_connected_components(graph)) {
        for (const Graph::Node unit : component) loops[unit] = loops_;
        ++loops_;
    }
    for (std::size_t c = 0; c < configurations; ++c) {
        for (std::size_t i = 0; i < couplings.in(c).size(); ++i) {
            const Coupling& coupling = couplings.in(c)[i];
            const std::uint32_t from = unit_of(couplings.sources()[coupling.source].port);
            const std::uint32_t to = unit_of(coupling.to);
            Entry& entry = known_[entries_[c][i]];
            (loops[from] == loops[to] ? entry.loop : entry.drives) = loops[to];
        }
    }
}

void TrustMeter::note_tolerances(const Couplings& couplings, const Plan& plan) {
    const double* const slots = plan.buffers.reals.data();
    for (std::size_t i = 0; i < scales_.size(); ++i) {
        const Source& source = couplings.sources()[i];
        Scale& scale = scales_[i];
        scale.nominal = source.nominal;
        for (const FixedPointLoop& loop : plan.fixed_points) {
            for (const LoopValue& value : loop.values[static_cast<std::size_t>(Storage::real)]) {
                if (slots + value.now != source.slot && slots + value.before != source.slot)
                    continue;
                scale.absolute_tolerance =
                    std::max(scale.absolute_tolerance, value.absolute_tolerance);
                scale.relative_tolerance =
                    std::max(scale.relative_tolerance, value.relative_tolerance);
            }
        }
    }
}

std::size_t TrustMeter::window_of(Time time) const {
    const double part = (time - start_).seconds / (stop_ - start_).seconds;
    const double window = std::ceil(part * window_count) - 1; // a step belongs to where it ends
    return static_cast<std::size_t>(std::clamp(window, 0.0, window_count - 1.0));
}

void TrustMeter::begin_step() {
    for (BondBalance& balance : balances_) balance.residual = 0;
}

void TrustMeter::note(const Couplings& couplings, std::size_t configuration) {
    const double h = couplings.step().seconds;
    const std::size_t window = window_of(couplings.end());
    for (std::size_t i = 0; i < signals_.size(); ++i)
        signals_[i].note(couplings.sources()[i], h, window);
    note_errors(couplings, configuration, window);
    for (SignalStatistics& signal : signals_) signal.settle_last();
    for (std::size_t i = 0; i < accounts_.size(); ++i) {
        const BondStep step = accounts_[i].over_step(couplings, configuration);
        BondBalance& balance = balances_[i];
        balance.transferred += step.transferred;
        balance.exchanged += step.exchanged;
        balance.created += step.created;
        balance.residual += step.created;
        balance.power = step.transferred / h;
    }
}

void TrustMeter::note_errors(const Couplings& couplings, std::size_t configuration,
                             std::size_t window) {
    const double h = couplings.step().seconds;
    const auto inputs = couplings.in(configuration);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::uint32_t n = entries_[configuration][i];
        Entry& entry = known_[n];
        const SignalStatistics& signal = signals_[entry.source];
        settle(entry, signal.since_jump(), signal.size_before(), errors_[n]);

        const double at_start = couplings.deviation(inputs[i], Place::start);
        const double within = couplings.deviation(inputs[i], Place::middle);
        const double at_end = couplings.deviation(inputs[i], Place::end);
        entry.pending = std::max({std::abs(at_start), std::abs(within), std::abs(at_end)});
        entry.pending_end = couplings.end();
        errors_[n].accumulated += h * entry.pending;

        const double missed = (at_start + 4 * within + at_end) / 6;
        entry.note_lag(missed, couplings.sources()[entry.source].value, signal, window);
    }
}

/// An input that is late by δ, u(t - δ), is missed by e = -u'δ. In a loop of integrators it turns
/// iω into iω e^(-iωδ): an oscillation grows with the rate ω²δ. With amplitude A and step h the
/// mean of -e Δu is ω²δ h A²/2, and the range is 2A: hence the factor of 8. What does not oscillate
/// grows by itself, x' = λx, in late terms by λ(1 - λδ). An input that is too large by the part ε
/// turns iω into iω (1 + ε): an oscillation is ahead by ε ω h after a step. The mean of e u |Δu| is
/// 2/(3π) ε ω h A³.
void TrustMeter::Entry::note_lag(double missed, double value, const SignalStatistics& signal,
                                 std::size_t window) {
    const double recent = signal.recent().width();
    const double width = signal.range().width();
    const double change = signal.change();
    if (!(recent > 0) || !(width > 0)) return;
    turning[window] -= of_turning * (missed / recent) * (change / recent);
    straight[window] -= of_straight * (missed / width) * (change / width);
    // At first it has not yet shown how far it goes; what is held is late rather than too small.
    if (window == 0 || order == 0) return;
    constexpr double of_drift = 1.5 * std::numbers::pi * 8;
    const double distance = value - 0.5 * change - signal.range().middle();
    drift += of_drift * (missed / width) * (distance / width) * (std::abs(change) / width);
}

/// What is pending counts as a jump of that size, as what one leaves behind in the samples that the
/// input goes by, or as what the input has missed.
void TrustMeter::settle(const Entry& entry, unsigned since_jump, double size,
                        CouplingError& error) {
    if (since_jump == 0) {
        if (error.jumps++ == 0) error.first_jump = entry.pending_end;
        error.last_jump = entry.pending_end;
        error.largest_jump = std::max(error.largest_jump, size);
    }
    if (since_jump <= entry.order || entry.pending <= error.largest) return;
    error.largest = entry.pending;
    error.when = entry.pending_end;
}

std::vector<Column> TrustMeter::bond_columns() const {
    std::vector<Column> columns;
    for (const BondBalance& balance : balances_) {
        const std::string name = "bonds." + balance.name;
        columns.push_back({name + ".power", balance.is_measured ? "W" : "", ValueType::float64,
                           &balance.power, "power through the bond"});
        columns.push_back({name + ".residual", balance.is_measured ? "J" : "", ValueType::float64,
                           &balance.residual, "energy residual of the bond"});
    }
    return columns;
}

/// What is as small as rounding, or as what a loop leaves, and as rough, is no motion.
double TrustMeter::range_of(const CouplingError& error, std::uint32_t source) const {
    constexpr double rounding = 1e-12;      // relative to the value
    constexpr double cancellation = 1e-9;   // of larger values that are not seen here
    constexpr double least_roughness = 0.1; // a part of it lies between two steps
    constexpr double several = 10;
    const Scale& scale = scales_[source];
    const Range& range = signals_[source].range();
    const double moved = range.width();
    if (moved <= rounding * range.size()) return 0;
    const double known_to =
        std::max(cancellation * std::max(range.size(), scale.nominal),
                 several * (scale.absolute_tolerance + scale.relative_tolerance * range.size()));
    const double rough = std::max(error.largest, error.largest_jump);
    return moved <= known_to && rough > least_roughness * moved ? 0 : moved;
}

double TrustMeter::Entry::exponent(const Trend& trend) const {
    constexpr std::uint32_t few_turns = 4; // in all
    constexpr std::size_t whole_turn = 2;  // in a window
    const std::size_t windows = trend.last - trend.first;
    const bool oscillates_in_each = trend.turns >= whole_turn * windows;
    const double factor =
        !oscillates_in_each && trend.turns >= few_turns ? of_turning / of_straight : 1;
    double sum = 0;
    for (std::size_t w = trend.first + 1; w <= trend.last; ++w)
        sum += oscillates_in_each ? turning[w] : factor * straight[w];
    return sum;
}

/// The first window is left out: there it has not yet shown how far it goes.
double TrustMeter::Entry::exponent_of_undamped() const {
    double sum = 0;
    for (std::size_t w = 1; w < window_count; ++w) sum += straight[w];
    return of_turning / of_straight * sum * window_count / (window_count - 1);
}

/// Whether something grows, by at least half of that exponent, that acts on the loop from outside.
bool TrustMeter::is_driven(std::uint32_t loop, double exponent) const {
    return std::ranges::any_of(known_, [&](const Entry& entry) {
        return entry.drives == loop &&
               2 * std::log(find_growth(signals_[entry.source]).factor) >= exponent;
    });
}

/// Values that take part in an instability grow together. What each input that is late has added
/// to it is averaged: the lags of a loop add up, and each of its integrators takes its part.
std::optional<CouplingTrend> TrustMeter::find_trend(const Trust& trust, bool grows) const {
    struct Found {
        const CouplingError* error = nullptr;
        Trend trend;
        double exponent = 0, sum = 0, count = 0;
        bool is_resolved = true;
    };
    std::vector<Found> loops(loops_);
    for (std::size_t i = 0; i < known_.size(); ++i) {
        const Entry& entry = known_[i];
        if (!entry.loop || trust.couplings[i].range == 0) continue;
        const SignalStatistics& signal = signals_[entry.source];
        const Trend trend = grows ? find_growth(signal) : find_decay(signal);
        if (trend.factor == 1) continue;
        Found& found = loops[*entry.loop];
        found.sum += entry.exponent(trend);
        ++found.count;
        found.is_resolved = found.is_resolved && trend.is_resolved;
        const double exponent = std::abs(std::log(trend.factor));
        if (exponent <= found.exponent) continue;
        found.error = &trust.couplings[i];
        found.trend = trend;
        found.exponent = exponent;
    }
    const auto most = std::ranges::max_element(loops, {}, &Found::exponent);
    if (most == loops.end() || !most->error) return std::nullopt;
    const Duration window = (1.0 / window_count) * (stop_ - start_);
    const auto loop = static_cast<std::uint32_t>(most - loops.begin());
    return CouplingTrend{.from = most->error->from,
                         .to = most->error->to,
                         .factor = most->trend.factor,
                         .since = start_ + static_cast<double>(most->trend.first) * window,
                         .of_coupling = std::exp(most->sum / most->count),
                         .is_resolved = most->is_resolved,
                         .is_driven = is_driven(loop, most->exponent)};
}

Undamped TrustMeter::undamped(const Trust& trust) const {
    constexpr std::uint32_t few_turns = 2;
    Undamped largest;
    for (std::uint32_t loop = 0; loop < loops_; ++loop) {
        double growth = 0, drift = 0, count = 0;
        for (std::size_t i = 0; i < known_.size(); ++i) {
            if (known_[i].loop != loop || trust.couplings[i].range == 0) continue;
            if (signals_[known_[i].source].turns() < few_turns) continue;
            growth += known_[i].exponent_of_undamped();
            drift += known_[i].drift * window_count / (window_count - 1);
            ++count;
        }
        if (count == 0) continue;
        largest.growth = std::max(largest.growth, std::exp(growth / count));
        largest.drift = std::max(largest.drift, std::abs(drift / count));
    }
    return largest;
}

double CouplingTrend::share() const {
    const double all = std::log(factor);
    return all == 0 ? 0 : std::clamp(std::log(of_coupling) / all, 0.0, 1.0);
}

Trust TrustMeter::report() const {
    Trust trust{.couplings = errors_, .bonds = balances_};
    for (std::size_t i = 0; i < errors_.size(); ++i) {
        const SignalStatistics& signal = signals_[known_[i].source];
        settle(known_[i], signal.ends_with_jump() ? 0 : signal.since_jump(), signal.size(),
               trust.couplings[i]);
        trust.couplings[i].range = range_of(trust.couplings[i], known_[i].source);
    }
    trust.growth = find_trend(trust, true);
    trust.decay = find_trend(trust, false);
    trust.undamped = undamped(trust);
    return trust;
}

void TrustMeter::visit_state(StateArchive& archive) {
    archive(signals_, known_);
    for (CouplingError& error : errors_)
        archive(error.range, error.largest, error.when, error.accumulated, error.jumps,
                error.largest_jump, error.first_jump, error.last_jump);
    for (BondBalance& balance : balances_)
        archive(balance.is_measured, balance.transferred, balance.exchanged, balance.created,
                balance.power, balance.residual);
}

} // namespace rubato::engine
