// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/reference_run.hpp>

#include <algorithm>
#include <atomic>

namespace rubato::pipeline {
namespace {

using engine::CloseLook;
using engine::Series;

/// Records from one time to another, and then asks for the end.
class Excerpt final : public engine::Recorder {
public:
    Excerpt(Series& series, Time from, Time until) : series_(series), from_(from), until_(until) {}

    void begin(std::span<const engine::Column> columns) override { series_.begin(columns); }
    void record(Time time) override {
        if (time >= from_ && time <= until_) series_.record(time);
        if (time >= until_) is_over_ = true;
    }
    void end() override {}
    const std::atomic<bool>& is_over() const { return is_over_; }

private:
    Series& series_;
    Time from_, until_;
    std::atomic<bool> is_over_ = false;
};

bool has_own_steps(const Assembly& assembly) {
    return std::ranges::any_of(assembly.scenario.units,
                               [](const scenario::Unit& unit) { return unit.step.has_value(); });
}

/// Steps of units that have their own are divided like those of the whole.
Assembly with_parts_of_own_steps(const Assembly& assembly, unsigned parts) {
    Assembly divided = assembly;
    for (scenario::Unit& unit : divided.scenario.units)
        if (unit.step) *unit.step /= parts;
    return divided;
}

/// An error of these runs is no error of the run that the user asked for.
void look_closely(Reference& reference, const Assembly& assembly, unit::Library& library, Log& log,
                  const CloseLook& look, const RunSettings& settings) {
    constexpr unsigned least_parts = 16;
    if (look.parts < least_parts || has_own_steps(assembly)) return;
    const auto run = [&](const std::vector<Time>& points, Series& series) {
        Excerpt excerpt(series, look.from, look.until);
        engine::Simulation simulation = build(
            assembly, library, log,
            {.points = points, .processes = settings.processes, .placement = settings.placement});
        (void)simulation.run({.recorder = &excerpt, .stop = &excerpt.is_over()});
    };
    try {
        Series coarse;
        run(look.coarse, coarse);
        Series half(coarse), quarter(coarse), fine(coarse);
        run(look.half, half);
        run(look.quarter, quarter);
        run(look.fine, fine);
        if (settings.is_first()) engine::compare(reference.errors, coarse, half, quarter, fine);
        reference.parts = look.parts;
        reference.from = look.from;
    } catch (const Error& error) {
        if (settings.processes) throw; // they cannot go on together
        reference.fault = error.what();
    }
}

} // namespace

Reference compare_with_shorter_steps(const Assembly& assembly, unit::Library& library, Log& log,
                                     const Series& coarse, std::span<const Time> points,
                                     RunHooks& hooks, const RunSettings& settings) {
    Series half(coarse), quarter(coarse);
    const auto run = [&](unsigned parts, Series& series) {
        const Assembly divided = with_parts_of_own_steps(assembly, parts);
        engine::Simulation simulation = build(divided, library, log,
                                              {.points = engine::refined(points, parts),
                                               .processes = settings.processes,
                                               .placement = settings.placement});
        (void)hooks.execute(simulation, {.recorder = &series}, nullptr);
    };
    run(2, half);
    run(4, quarter);
    Reference reference;
    Time from;
    if (settings.is_first()) {
        reference.errors = engine::extrapolated_errors(coarse, half, quarter);
        from = engine::first_difference(coarse, half);
    }
    if (settings.processes)
        settings.processes->broadcast(0, std::as_writable_bytes(std::span(&from, 1)));
    look_closely(reference, assembly, library, log, engine::close_look(points, from), settings);
    return reference;
}

} // namespace rubato::pipeline
