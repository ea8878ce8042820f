// SPDX-License-Identifier: Apache-2.0
#include "reference_run.hpp"

#include <rubato/core/diagnostics.hpp>

#include <atomic>

namespace rubato::cli {
namespace {

using engine::CloseLook;
using engine::Series;

/// Records up to a time, and then asks for the end.
class Beginning final : public engine::Recorder {
public:
    Beginning(Series& series, Time until) : series_(series), until_(until) {}

    void begin(std::span<const engine::Column> columns) override { series_.begin(columns); }
    void record(Time time) override {
        if (time <= until_) series_.record(time);
        if (time >= until_) is_over_ = true;
    }
    void end() override {}
    const std::atomic<bool>& is_over() const { return is_over_; }

private:
    Series& series_;
    Time until_;
    std::atomic<bool> is_over_ = false;
};

void run_beginning(const engine::Assembly& assembly, unit::Library& library, Log& log,
                   std::vector<Time> points, Time until, Series& series) {
    Beginning beginning(series, until);
    engine::Simulation simulation =
        engine::build(assembly, library, log, {.points = std::move(points)});
    (void)simulation.run({.recorder = &beginning, .stop = &beginning.is_over()});
}

/// An error of these runs is no error of the run that the user asked for.
void look_closely(Reference& reference, const engine::Assembly& assembly, unit::Library& library,
                  Log& log, std::span<const Time> points) {
    const CloseLook look = engine::close_look(points);
    constexpr unsigned least_parts = 16;
    if (look.parts < least_parts) return;
    Series coarse;
    try {
        const auto run = [&](const std::vector<Time>& cut, Series& series) {
            run_beginning(assembly, library, log, cut, look.until, series);
        };
        run(look.coarse, coarse);
        Series half(coarse), quarter(coarse), fine(coarse);
        run(look.half, half);
        run(look.quarter, quarter);
        run(look.fine, fine);
        engine::compare(reference.errors, coarse, half, quarter, fine);
        reference.parts = look.parts;
    } catch (const Error& error) {
        reference.fault = error.what();
    }
}

} // namespace

Reference compare_with_shorter_steps(const engine::Assembly& assembly, unit::Library& library,
                                     Log& log, const Series& coarse, std::span<const Time> points,
                                     const Execute& execute) {
    Series half(coarse), quarter(coarse);
    const auto run = [&](unsigned parts, Series& series) {
        engine::Simulation simulation =
            engine::build(assembly, library, log, {.points = engine::refined(points, parts)});
        execute(simulation, {.recorder = &series});
    };
    run(2, half);
    run(4, quarter);
    Reference reference{.errors = engine::extrapolated_errors(coarse, half, quarter)};
    look_closely(reference, assembly, library, log, points);
    return reference;
}

} // namespace rubato::cli
