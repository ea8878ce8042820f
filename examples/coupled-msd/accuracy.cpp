// SPDX-License-Identifier: Apache-2.0
// Runs the scenario with every algorithm, with held and with linear inputs, and compares x1 with
// the exact solution of the coupled system. Draws the runs with linear inputs, as in Figure 8 of
// the tutorial.
#include "exact_solution.hpp"

#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/report/figure.hpp>
#include <rubato/report/text_table.hpp>

#include <cmath>
#include <cstdio>
#include <exception>

namespace {

using namespace rubato; // NOLINT(google-build-using-namespace): an example reads better so

struct Variant {
    std::string label;
    std::vector<scenario::Override> overrides;
};

struct Trajectory {
    std::vector<double> time, x1;
};

/// Keeps the column msd1.x1.
class X1 final : public engine::Recorder {
public:
    void begin(std::span<const engine::Column> columns) override {
        for (const engine::Column& column : columns) {
            if (column.name == "msd1.x1") x1_ = static_cast<const double*>(column.value);
        }
    }
    void record(Time time) override {
        trajectory.time.push_back(time.seconds);
        trajectory.x1.push_back(*x1_);
    }
    void end() override {}

    Trajectory trajectory;

private:
    const double* x1_ = nullptr;
};

Trajectory simulate(const char* file, const std::vector<scenario::Override>& overrides) {
    Diagnostics diagnostics;
    unit::Library library(silent_log());
    scenario::Scenario scenario = pipeline::read(file, overrides, diagnostics);
    diagnostics.throw_if_errors();
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
    X1 recorder;
    (void)simulation.run({.recorder = &recorder});
    return std::move(recorder.trajectory);
}

double largest_error(const Trajectory& trajectory, const examples::CoupledMsd& exact) {
    double largest = 0;
    for (std::size_t i = 0; i < trajectory.time.size(); ++i) {
        largest = std::max(largest, std::abs(trajectory.x1[i] - exact.at(trajectory.time[i])[0]));
    }
    return largest;
}

std::vector<scenario::Override> settings(const char* step, const char* approximation) {
    return {{"experiment.step", step},
            {"units.msd1.inputs.Fc.approximation", approximation},
            {"units.msd2.inputs.x1.approximation", approximation},
            {"units.msd2.inputs.v1.approximation", approximation}};
}

std::vector<Variant> variants() {
    return {
        {"Jacobi", {{"algorithm.recipe", "jacobi"}}},
        {"Gauss-Seidel, msd1 first",
         {{"algorithm.recipe", "gauss-seidel"}, {"algorithm.order", "[msd1, msd2]"}}},
        {"Gauss-Seidel, msd2 first",
         {{"algorithm.recipe", "gauss-seidel"}, {"algorithm.order", "[msd2, msd1]"}}},
        {"iterated Jacobi", {{"algorithm.recipe", "iterated-jacobi"}}},
        {"iterated Gauss-Seidel", {{"algorithm.recipe", "iterated-gauss-seidel"}}},
    };
}

struct Result {
    Variant variant;
    Trajectory constant, linear; ///< inputs held, and approximated by straight lines
};

std::vector<Result> simulate_all(const char* file, const char* step) {
    std::vector<Result> results;
    for (const Variant& variant : variants()) {
        const auto with_inputs = [&](const char* approximation) {
            auto overrides = settings(step, approximation);
            overrides.insert(overrides.end(), variant.overrides.begin(), variant.overrides.end());
            return simulate(file, overrides);
        };
        results.push_back({variant, with_inputs("constant"), with_inputs("linear")});
    }
    return results;
}

void print_table(const std::vector<Result>& results, const examples::CoupledMsd& exact) {
    using report::Align;
    report::TextTable table({{"largest error of x1 against the exact solution"},
                             {"inputs held", Align::right},
                             {"inputs linear", Align::right}});
    for (const Result& result : results) {
        table.add({result.variant.label,
                   report::human_number(largest_error(result.constant, exact)),
                   report::human_number(largest_error(result.linear, exact))});
    }
    std::fputs(table.to_string().c_str(), stdout);
}

report::Series exact_series(const examples::CoupledMsd& exact, double stop) {
    report::Series series{.label = "exact"};
    constexpr int samples = 400;
    for (int i = 0; i <= samples; ++i) {
        series.x.push_back(stop * i / samples);
        series.y.push_back(exact.at(series.x.back())[0]);
    }
    return series;
}

report::Figure figure(const std::vector<Result>& results, const examples::CoupledMsd& exact,
                      const std::string& step) {
    report::Figure figure;
    figure.title = "Two coupled mass-spring-dampers, linear inputs, H = " + step + " s";
    figure.x_label = "time [s]";
    report::Panel positions{.y_label = "x1 [m]"}, errors{.y_label = "|error| [m]"};
    errors.y_scale = report::Scale::logarithmic;
    errors.y_range = report::Range{1e-4, 1};
    positions.series.push_back(exact_series(exact, results.front().linear.time.back()));
    for (std::size_t r = 0; r < results.size(); ++r) {
        if (results[r].variant.label == "iterated Jacobi") continue; // the next one covers it
        const Trajectory& run = results[r].linear;
        report::Series error{.label = results[r].variant.label, .x = run.time, .color = r + 1};
        for (std::size_t i = 0; i < run.time.size(); ++i) {
            error.y.push_back(std::abs(run.x1[i] - exact.at(run.time[i])[0]));
        }
        errors.series.push_back(error);
        positions.series.push_back({.label = results[r].variant.label,
                                    .x = run.time,
                                    .y = run.x1,
                                    .line = report::Line::dashed,
                                    .color = r + 1});
    }
    figure.panels = {positions, errors};
    return figure;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 4) {
        std::fputs("usage: coupled_msd_accuracy SCENARIO.yaml STEP PICTURE.svg\n", stderr);
        return 2;
    }
    const examples::CoupledMsd exact;
    const std::vector<Result> results = simulate_all(argv[1], argv[2]);
    print_table(results, exact);
    report::write_svg(figure(results, exact, argv[2]), argv[3]);
    std::printf("\npicture: %s\n", argv[3]);
} catch (const std::exception& error) {
    std::fprintf(stderr, "coupled_msd_accuracy: %s\n", error.what());
    return 1;
}
