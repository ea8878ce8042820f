// SPDX-License-Identifier: Apache-2.0
#include "identification.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>

namespace rubato::stability {

std::unique_ptr<unit::Unit> Perturbations::wrap(std::unique_ptr<unit::Unit> unit) {
    auto wrapped = std::make_unique<PerturbedUnit>(std::move(unit));
    units_.push_back(wrapped.get());
    return wrapped;
}

namespace {

using Eigen::Index;

/// Each input by itself, or random combinations of all of them, with which the responses span a
/// block Krylov space of the map: its largest eigenvalues are found first.
std::vector<Excitation> excitations_for(std::size_t inputs, const LinearizationSettings& settings) {
    std::vector<Excitation> result;
    if (inputs <= settings.most_inputs) {
        for (std::size_t i = 0; i < inputs; ++i) result.push_back({{i, 1.0}});
        return result;
    }
    std::mt19937_64 random(1); // the same result for each run
    std::normal_distribution<double> weight;
    for (std::size_t e = 0; e < settings.combinations; ++e) {
        Excitation combination;
        for (std::size_t i = 0; i < inputs; ++i) combination.emplace_back(i, weight(random));
        result.push_back(std::move(combination));
    }
    return result;
}

/// Whether a change of the eigenvalue is no more than the rounding of what was measured.
bool is_rounding(double change, const std::complex<double>& eigenvalue) {
    constexpr double relative = 1e-6, absolute = 1e-12;
    return change <= std::max(relative * std::abs(1.0 - eigenvalue), absolute);
}

void sort_and_normalize(std::vector<Share>& shares, double sum) {
    for (Share& share : shares) share.part /= sum;
    std::ranges::stable_sort(shares, std::ranges::greater{}, &Share::part);
}

/// If the gain of the connection from output s to input i changes by dg, the map changes by
/// B_i C_s dg, and the eigenvalue of the mode v by (V⁻¹ B_i) (C_s v) dg. This does not depend on
/// the units of measure. No connection is named if none has an influence: then it is the mode of a
/// unit by itself.
Mode mode_of(const Identified& map, Index index, const Responses& responses, bool is_sampled) {
    Mode mode{.eigenvalue = map.eigenvalues[index]};
    if (is_sampled) return mode;
    std::map<std::string, double> by_unit;
    double sum = 0;
    for (std::size_t i = 0; i < responses.inputs().size(); ++i) {
        const PerturbedInput& input = responses.inputs()[i];
        if (!input.source) continue;
        const double gain =
            std::abs(map.excitations(index, static_cast<Index>(i)) / input.scale * input.factor *
                     map.shapes(static_cast<Index>(*input.source), index));
        mode.connections.push_back({input.connection, gain});
        by_unit[input.unit->name()] += gain;
        sum += gain;
    }
    if (is_rounding(sum, mode.eigenvalue)) return {.eigenvalue = mode.eigenvalue};
    for (const auto& [name, part] : by_unit) mode.units.push_back({name, part});
    sort_and_normalize(mode.connections, sum);
    sort_and_normalize(mode.units, sum);
    return mode;
}

/// Units whose observed values no perturbation has changed.
std::vector<std::string> unreached_units(const Responses& responses,
                                         std::span<const Response> measured) {
    std::map<const unit::Unit*, bool> is_reached;
    const auto& observed = responses.observed();
    for (std::size_t row = 0; row < observed.size(); ++row)
        for (const Response& response : measured) {
            if (response.values.cols() == 0) continue;
            const auto values = response.values.row(static_cast<Index>(row)).cwiseAbs();
            const bool moves = values.maxCoeff() > 100 * response.noise[static_cast<Index>(row)];
            is_reached[observed[row].unit] = is_reached[observed[row].unit] || moves;
        }
    for (const PerturbedInput& input : responses.inputs()) {
        // Its own inputs were perturbed; that nothing shows of it is the unit's answer.
        is_reached[input.unit] = true;
    }
    std::vector<std::string> names;
    for (const auto& [unit, reached] : is_reached)
        if (!reached) names.push_back(unit->name());
    std::ranges::sort(names);
    return names;
}

Error nothing_to_perturb() {
    return Error("no real input is set in a step, so there is nothing to perturb",
                 "stability concerns units that exchange real values");
}

/// Longer and longer windows until the spectral radius does not change any more.
class Search {
public:
    Search(Responses& responses, std::size_t points, const LinearizationSettings& settings)
        : responses_(responses), settings_(settings), points_(points),
          excitations_(excitations_for(responses.inputs().size(), settings)) {}

    void run() {
        constexpr std::size_t first = 48, factor = 2;
        constexpr double most_numbers = 2e7; // kept in memory
        const double width =
            static_cast<double>(responses_.observed().size() * excitations_.size());
        for (std::size_t window = std::min(first, points_);;) {
            measure(window);
            const std::size_t half = std::max<std::size_t>(fewest_points / 2, window / 2);
            before_ = radius(identify(measured_, half));
            map_ = identify(measured_, window);
            window_ = window;
            const bool is_settled = settled();
            const std::size_t next = std::min(points_, factor * window);
            const bool is_cut = reached() < window; // it grows too fast for more
            const double cost = 3.0 * static_cast<double>(excitations_.size() * next);
            if (is_settled || is_cut || next == window ||
                width * static_cast<double>(next) > most_numbers ||
                static_cast<double>(responses_.steps()) + cost >
                    static_cast<double>(settings_.most_steps))
                return;
            window = next;
        }
    }

    Linearization result() const {
        Linearization found{.spectral_radius = radius(map_),
                            .uncertainty = std::abs(radius(map_) - before_),
                            .inputs = responses_.inputs().size(),
                            .observed = responses_.observed().size(),
                            .window = std::min(window_, reached()),
                            .steps = responses_.steps(),
                            .is_sampled = is_sampled(),
                            .residual = map_.residual};
        for (const Response& response : measured_)
            found.nonlinearity = std::max(found.nonlinearity, response.nonlinearity);
        for (Index i = 0; i < map_.eigenvalues.size(); ++i)
            if (map_.eigenvalues[i].imag() >= 0)
                found.modes.push_back(mode_of(map_, i, responses_, is_sampled()));
        found.unreached = unreached_units(responses_, measured_);
        return found;
    }

private:
    static double radius(const Identified& map) {
        return map.eigenvalues.size() == 0 ? 0 : std::abs(map.eigenvalues[0]);
    }
    /// Whether a longer window would add nothing that matters.
    bool settled() {
        constexpr double surely = 20;      // times the change with twice the window
        constexpr double explained = 1e-3; // residual of modes that are of use
        constexpr double noise = 1e-7;     // of units, against which no window helps
        const double change = std::abs(radius(map_) - before_);
        const double last_change = std::exchange(last_change_, change);
        if (change <= settings_.accuracy * std::max(1e-3, radius(map_))) return true;
        if (change < noise && change > last_change / 2) return true;
        return settings_.threshold && map_.residual < explained &&
               surely * change < std::abs(radius(map_) - *settings_.threshold);
    }
    bool is_sampled() const { return responses_.inputs().size() > settings_.most_inputs; }
    void measure(std::size_t window) {
        measured_.clear();
        for (const Excitation& excitation : excitations_)
            measured_.push_back(responses_.measure(excitation, window));
        drop_short_ones();
    }
    /// Of runs that failed soon after the perturbation there is too little to see.
    void drop_short_ones() {
        constexpr Index enough = 8;
        Index longest = 0;
        for (const Response& response : measured_)
            longest = std::max(longest, response.values.cols());
        if (longest < enough)
            throw Error(longest == 0
                            ? "the units accept no perturbation of their inputs here"
                            : format("the run fails within {} steps from here", longest + 1),
                        "linearize at another time, or with a shorter step: --at, --step");
        for (Response& response : measured_)
            if (response.values.cols() < enough) response.values.resize(response.values.rows(), 0);
    }
    std::size_t reached() const {
        std::size_t least = window_;
        for (const Response& response : measured_)
            if (response.values.cols() > 0)
                least = std::min(least, static_cast<std::size_t>(response.values.cols()));
        return least;
    }

    Responses& responses_;
    const LinearizationSettings& settings_;
    std::size_t points_;
    std::vector<Excitation> excitations_;
    std::vector<Response> measured_;
    Identified map_;
    std::size_t window_ = 0;
    double before_ = 0;
    double last_change_ = HUGE_VAL;
};

} // namespace

Linearization linearize(engine::Simulation& simulation, const Perturbations& perturbations,
                        std::span<const Time> points, const LinearizationSettings& settings) {
    constexpr std::size_t settling = 3; // steps until histories hold samples of this step size
    if (points.size() < fewest_points + settling)
        throw std::logic_error("stability::linearize: too few points");
    simulation.initialize();
    while (simulation.time() < points[settling]) {
        if (simulation.has_ended() || !simulation.summary().ended_by.empty())
            throw Error(format("the run ends at t = {} s, before the time of the linearization",
                               simulation.time().seconds));
        simulation.step();
    }
    Responses responses(simulation, perturbations, points.subspan(settling));
    if (responses.inputs().empty()) throw nothing_to_perturb();
    Search search(responses, points.size() - settling - 1, settings);
    search.run();
    Linearization found = search.result();
    found.time = points[settling];
    found.step = points[settling + 1] - points[settling];
    return found;
}

} // namespace rubato::stability
