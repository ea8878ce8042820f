// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

#include "experiment.hpp"
#include "sampling.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/models.hpp>
#include <rubato/private/format.hpp>

#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato::studies::adaptive_order {

using scenario::OrderEstimator;
using scenario::Scenario;

namespace {

constexpr std::size_t masses = 5;
constexpr double unstable = 10;   // m/s, beside speeds of about 1
constexpr double unlimited = 1e6; // m/s: what is larger, or no number, counts as this

struct Mass {
    double m = 1, d = 1, c = 1, dc = 0, cc = 0; ///< dc and cc: to the mass before it
};
using Masses = std::array<Mass, masses>;

std::string name_of(std::size_t mass) { return format("u{}", mass + 1); }

/// Whom a mass is coupled to; nullopt: nobody.
std::optional<std::size_t> before(Network network, std::size_t mass) {
    if (mass > 0) return mass - 1;
    return network == Network::ring ? std::optional(masses - 1) : std::nullopt;
}

Masses sample(Network network, Sampler& sampler) {
    Masses result;
    for (std::size_t i = 0; i < masses; ++i) {
        Mass& mass = result[i];
        mass = {sampler.between(1, 100), sampler.between(1, 1000), sampler.between(1, 1e4),
                sampler.between(1, 1000), sampler.between(1, 1e4)};
        if (!before(network, i)) mass.dc = mass.cc = 0;
    }
    return result;
}

/// The errors of inputs count as in the study of two masses.
void assign_masses(Scenario& scenario, const Masses& values) {
    for (std::size_t i = 0; i < masses; ++i) {
        const Mass& mass = values[i];
        scenario::Unit& unit = scenario.units[i];
        unit.parameters = {{"m", mass.m, {}, {}},
                           {"d", mass.d, {}, {}},
                           {"c", mass.c, {}, {}},
                           {"dc", mass.dc, {}, {}},
                           {"cc", mass.cc, {}, {}}};
        unit.inputs = {linear("F", 1 / mass.m, 1), linear("xo", mass.cc / mass.m, -mass.cc),
                       linear("vo", mass.dc / mass.m, -mass.dc)};
    }
}

/// What the power transfer is seen by.
enum class Seen { energies, bonds };

Scenario make_scenario(Network network, Seen power = Seen::energies) {
    Scenario scenario;
    for (std::size_t i = 0; i < masses; ++i) {
        scenario::Unit unit;
        unit.name = name_of(i);
        unit.origin = scenario::NativeModel{"oscillator"};
        unit.sub_steps = inner_steps;
        if (power == Seen::energies) {
            unit.energy = {"energy"};
            unit.losses = {{"Fd", "x", {}}, {"Fdc", "xc", {}}};
        }
        if (i == 0) unit.start = {{"x", 1.0, {}, {}}};
        scenario.units.push_back(std::move(unit));
        scenario.recording.variables.push_back(name_of(i) + ".v");
        const auto other = before(network, i);
        if (!other) continue;
        const scenario::Connection force{name_of(i), "Fc", name_of(*other), "F"};
        const scenario::Connection speed{name_of(*other), "v", name_of(i), "vo"};
        scenario.connections.push_back(force);
        scenario.connections.push_back({name_of(*other), "x", name_of(i), "xo"});
        scenario.connections.push_back(speed);
        if (power == Seen::bonds)
            scenario.bonds.push_back({format("coupling{}", i + 1), force, speed, {}});
    }
    assign_masses(scenario, {});
    scenario.experiment.stop = stop_time;
    scenario.experiment.step = macro_step;
    for (std::size_t i = 0; i < masses; ++i) scenario.algorithm.order.push_back(name_of(i));
    return scenario;
}

/// Speeds at all communication points, point by point.
using Speeds = std::vector<std::array<double, masses>>;

class SpeedKeeper final : public engine::Recorder {
public:
    void begin(std::span<const engine::Column> columns) override {
        for (std::size_t i = 0; i < masses; ++i)
            values_[i] = static_cast<const double*>(columns[i].value);
        speeds.reserve(point_count);
    }
    void record(Time) override {
        auto& row = speeds.emplace_back();
        for (std::size_t i = 0; i < masses; ++i) row[i] = *values_[i];
    }
    void end() override {}

    Speeds speeds;

private:
    std::array<const double*, masses> values_ = {};
};

/// The exact solution of all masses together: positions, then speeds.
Speeds solve_exactly(Network network, const Masses& values) {
    using Matrix = Eigen::Matrix<double, 2 * masses, 2 * masses>;
    Matrix a = Matrix::Zero();
    const auto couple = [&](std::size_t row, std::size_t column, double c, double d) {
        const auto i = static_cast<Eigen::Index>(masses + row);
        const auto j = static_cast<Eigen::Index>(column);
        a(i, j) += c / values[row].m;
        a(i, j + static_cast<Eigen::Index>(masses)) += d / values[row].m;
    };
    for (std::size_t i = 0; i < masses; ++i) {
        const Mass& mass = values[i];
        a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(masses + i)) = 1;
        couple(i, i, -mass.c - mass.cc, -mass.d - mass.dc);
        const auto other = before(network, i);
        if (!other) continue;
        couple(i, *other, mass.cc, mass.dc);
        couple(*other, i, mass.cc, mass.dc);
        couple(*other, *other, -mass.cc, -mass.dc);
    }
    const Matrix step = (a * macro_step).exp();
    Eigen::Matrix<double, 2 * masses, 1> state = Eigen::Matrix<double, 2 * masses, 1>::Zero();
    state[0] = 1;
    Speeds speeds(point_count);
    for (auto& row : speeds) {
        for (std::size_t i = 0; i < masses; ++i)
            row[i] = state[static_cast<Eigen::Index>(masses + i)];
        state = (step * state).eval();
    }
    return speeds;
}

/// At each communication point.
Trajectory errors_of(const Speeds& speeds, const Speeds& exact) {
    Trajectory result;
    for (std::size_t n = 0; n < speeds.size(); ++n) {
        double sum = 0;
        for (std::size_t i = 0; i < masses; ++i) sum += std::pow(speeds[n][i] - exact[n][i], 2);
        const double error = std::sqrt(sum);
        result.push_back(error < unlimited ? error : unlimited);
    }
    return result;
}

double square_mean(const Trajectory& errors) {
    double sum = 0;
    for (const double error : errors) sum += error * error;
    return std::sqrt(sum / static_cast<double>(errors.size()));
}

/// Units in all orders, understood once each.
class Runs {
public:
    explicit Runs(Network network) : library_(silent_log()) {
        for (const model::ModelType* type : models::all())
            if (type->name == "oscillator") library_.add(*type);
        const auto adapt = [&](OrderEstimator estimator, Seen power) {
            Scenario scenario = make_scenario(network, power);
            scenario.algorithm.recipe = scenario::Recipe::adaptive_gauss_seidel;
            scenario.algorithm.order_estimator = estimator;
            adaptive.push_back(assemble(std::move(scenario)));
        };
        adapt(OrderEstimator::input, Seen::energies);
        adapt(OrderEstimator::power, Seen::energies);
        adapt(OrderEstimator::power, Seen::bonds);
        const synthesis::Orchestration& chosen = adaptive.front().orchestration;
        for (const std::vector<UnitId>& order : chosen.orders) {
            Scenario scenario = make_scenario(network);
            scenario.algorithm.recipe = scenario::Recipe::gauss_seidel;
            scenario.algorithm.order.clear();
            for (const UnitId unit : order)
                scenario.algorithm.order.push_back(chosen.system.unit(unit).name);
            static_orders.push_back(assemble(std::move(scenario)));
        }
    }

    Trajectory run(pipeline::Assembly& assembly, const Masses& values, const Speeds& exact) {
        assign_masses(assembly.scenario, values);
        engine::Simulation simulation = pipeline::build(assembly, library_, silent_log());
        SpeedKeeper keeper;
        try {
            (void)simulation.run({.recorder = &keeper});
        } catch (const Error&) { // it has diverged beyond all numbers
            std::array<double, masses> lost = {};
            lost.fill(std::numeric_limits<double>::quiet_NaN());
            keeper.speeds.resize(point_count, lost);
        }
        return errors_of(keeper.speeds, exact);
    }

private:
    pipeline::Assembly assemble(Scenario scenario) {
        Diagnostics diagnostics;
        pipeline::Assembly made = pipeline::assemble(std::move(scenario), library_, diagnostics);
        diagnostics.throw_if_errors();
        return made;
    }

    unit::Library library_;

public:
    std::vector<pipeline::Assembly> static_orders, adaptive;
};

/// What one way to order has come to, set by set.
struct Record {
    std::vector<double> scores, errors, places;
    std::size_t unstable_sets = 0;
};

/// Equation 9 with all static orders in place of two.
double score_of(const Trajectory& judged, const std::vector<Trajectory>& static_errors) {
    double sum = 0;
    for (std::size_t n = 0; n < judged.size(); ++n) {
        double least = judged[n];
        double most = judged[n];
        for (const Trajectory& other : static_errors) {
            least = std::min(least, other[n]);
            most = std::max(most, other[n]);
        }
        sum += (most - judged[n]) / (most - least + 1e-8);
    }
    return sum / static_cast<double>(judged.size());
}

void judge(const Trajectory& judged, const std::vector<Trajectory>& static_errors, Record& record) {
    const double own = square_mean(judged);
    double best = INFINITY;
    std::size_t better = 0;
    for (const Trajectory& other : static_errors) {
        best = std::min(best, square_mean(other));
        if (square_mean(other) < own) ++better;
    }
    if (own > unstable) ++record.unstable_sets;
    record.scores.push_back(score_of(judged, static_errors));
    record.errors.push_back(own / best);
    record.places.push_back(static_cast<double>(better) /
                            static_cast<double>(static_errors.size()));
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

NetworkOutcome outcome(std::string name, Record record) {
    std::ranges::sort(record.errors);
    return {.name = std::move(name),
            .mean_score = mean(record.scores),
            .median_error = record.errors[record.errors.size() / 2],
            .unstable = static_cast<double>(record.unstable_sets) /
                        static_cast<double>(record.scores.size()),
            .mean_place = mean(record.places)};
}

} // namespace

NetworkResult run_network(Network network, std::size_t sets, std::uint64_t seed,
                          std::atomic<std::size_t>& done) {
    Sampler sampler(seed);
    Runs runs(network);
    std::vector<Record> static_records(runs.static_orders.size());
    std::vector<Record> adaptive_records(runs.adaptive.size());
    for (std::size_t set = 0; set < sets; ++set) {
        const Masses values = sample(network, sampler);
        const Speeds exact = solve_exactly(network, values);
        std::vector<Trajectory> static_errors;
        for (pipeline::Assembly& order : runs.static_orders)
            static_errors.push_back(runs.run(order, values, exact));
        for (std::size_t i = 0; i < static_errors.size(); ++i)
            judge(static_errors[i], static_errors, static_records[i]);
        for (std::size_t i = 0; i < runs.adaptive.size(); ++i)
            judge(runs.run(runs.adaptive[i], values, exact), static_errors, adaptive_records[i]);
        done.fetch_add(1, std::memory_order_relaxed);
    }
    NetworkResult result{.sets = sets};
    for (std::size_t i = 0; i < static_records.size(); ++i)
        result.static_orders.push_back(
            outcome(format("{}", fmt::join(runs.static_orders[i].scenario.algorithm.order, " ")),
                    std::move(static_records[i])));
    result.adaptive = {outcome("adaptive, by input error", std::move(adaptive_records[0])),
                       outcome("adaptive, by power transfer", std::move(adaptive_records[1])),
                       outcome("adaptive, by work over bonds", std::move(adaptive_records[2]))};
    return result;
}

} // namespace rubato::studies::adaptive_order
