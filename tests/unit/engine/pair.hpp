// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/integrator_unit.hpp"
#include "support/system_builder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <functional>

namespace rubato::engine::testing {

/// Two integrators that feed each other, a.y -> b.u and b.y -> a.u.
struct Pair {
    test::IntegratorTraits a, b;
    scenario::AlgorithmSettings algorithm{.recipe = scenario::Recipe::jacobi};
    scenario::Experiment experiment{
        .start = 0, .stop = 1, .step = 0.1, .tolerance = {}, .where = {}};
    double factor = 1, offset = 0; ///< of a.y -> b.u
    scenario::Approximation approximation = scenario::Approximation::constant;
    std::function<void(scenario::System&)> adjust = [](scenario::System&) {};
    SimulationOptions options = {};
    std::function<void(algorithm::Algorithm&)> rewrite = [](algorithm::Algorithm&) {};
    bool tentative_loops = false; ///< loops over one instant keep both values, as .conf files may

    Simulation simulation(Log& log = silent_log()) const {
        test::SystemBuilder builder;
        add(builder, "a", a);
        add(builder, "b", b);
        scenario::System system = builder.link("a.y", "b.u").link("b.y", "a.u").build();
        system.links[0].factor = factor;
        system.links[0].offset = offset;
        for (scenario::Port& port : system.ports) port.approximation = approximation;
        system.observed = {{UnitId{0}, 1}, {UnitId{1}, 1}, {UnitId{1}, 0}};
        system.units[1].can_reject_step = b.largest_step || b.stops_at;
        system.units[1].can_reject_origin = scenario::Origin::scenario;
        adjust(system);

        Diagnostics diagnostics;
        auto result = synthesis::orchestrate(system, algorithm, diagnostics);
        if (tentative_loops) make_tentative(result.algorithm.initialization);
        rewrite(result.algorithm);
        diagnostics.throw_if_errors();
        std::vector<std::unique_ptr<unit::Unit>> units;
        units.push_back(std::make_unique<test::IntegratorUnit>("a", a));
        units.push_back(std::make_unique<test::IntegratorUnit>("b", b));
        return Simulation(result.system, result.algorithm, std::move(units), experiment, log,
                          options);
    }

private:
    /// Gets give tentative values; of the sets, b's uses the one that a has just given.
    static void make_tentative(algorithm::Body& body) {
        for (algorithm::Op& op : std::get<algorithm::FixedPoint>(body.front()).iterate) {
            if (auto* get = std::get_if<algorithm::Get>(&op)) get->tentative = true;
            if (auto* set = std::get_if<algorithm::Set>(&op)) set->tentative = set->port.value == 2;
        }
    }

    static void add(test::SystemBuilder& builder, const std::string& name,
                    test::IntegratorTraits traits) {
        builder.unit(name).input("u");
        if (traits.feedthrough != 0) {
            builder.output("y", {"u"});
        } else {
            builder.output("y");
        }
        builder.reference_last(1);
    }
};

class Rows final : public Recorder {
public:
    void begin(std::span<const Column> columns) override {
        columns_ = {columns.begin(), columns.end()};
    }
    void record(Time time) override {
        times.push_back(time.seconds);
        values.emplace_back();
        for (const Column& column : columns_) {
            values.back().push_back(*static_cast<const double*>(column.value));
        }
    }
    void end() override { ended = true; }

    std::vector<double> times;
    std::vector<std::vector<double>> values;
    bool ended = false;

private:
    std::vector<Column> columns_;
};

inline Rows recorded(const Pair& pair, std::uint64_t every = 1) {
    Rows rows;
    Simulation simulation = pair.simulation();
    (void)simulation.run({.recorder = &rows, .every = every});
    return rows;
}

inline std::string failure(const Pair& pair, Rows& rows) {
    Simulation simulation = pair.simulation();
    try {
        (void)simulation.run({.recorder = &rows});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace rubato::engine::testing
