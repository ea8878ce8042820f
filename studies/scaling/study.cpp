// SPDX-License-Identifier: Apache-2.0

// How runs in several processes scale: measured here, and by a model beyond this machine.
// scripts/study-scaling.sh runs it.

#include "groups.hpp"
#include "model.hpp"

#include <rubato/distributed/join.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/figure.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>

using namespace rubato;                   // NOLINT(google-build-using-namespace)
using namespace rubato::studies::scaling; // NOLINT(google-build-using-namespace)

namespace {

constexpr std::array sizes = {100.0, 1e3, 1e4, 1e5};
constexpr double most_ranks = 1024;

report::TextTable table_of(std::initializer_list<const char*> headings) {
    std::vector<report::TextTable::Heading> columns;
    for (const char* each : headings) columns.push_back({each, report::Align::right});
    return report::TextTable(columns);
}

std::string micro(double seconds) { return format("{:.2f}", 1e6 * seconds); }

void print_model(const Model& model, const Measured& measured) {
    std::printf("%s", format("work of a unit {} µs, latency {} µs per neighbour, bandwidth {:.2f} "
                             "GB/s, reduction {} µs per round, imbalance {:.2f}\n\n",
                             micro(model.work), micro(model.latency), 1e-9 / model.per_byte,
                             micro(model.reduction), model.imbalance)
                          .c_str());
    report::TextTable table =
        table_of({"ranks", "latency [µs]", "bandwidth [GB/s]", "reduction [µs]"});
    for (const Wires& each : measured.wires)
        table.add({format("{}", each.ranks), micro(each.latency),
                   format("{:.2f}", 1e-9 / each.per_byte), micro(each.reduction)});
    std::printf("%s\n", table.to_string().c_str());
}

void print_runs(const Model& model, const Measured& measured, unsigned processors) {
    std::printf(
        "%s", format("measured on {} processors, and what the model gives\n", processors).c_str());
    report::TextTable table = table_of({"units", "ranks", "step [µs]", "model [µs]",
                                        "model/measured", "loading [s]", "memory of a rank [MB]"});
    for (const Run& run : measured.runs) {
        const double seconds = predicted(model, measured, run, processors);
        table.add({format("{}", run.units), format("{}", run.ranks), micro(run.step),
                   micro(seconds), format("{:.2f}", seconds / run.step),
                   format("{:.2f}", run.loading), format("{:.1f}", 1e-6 * run.memory)});
    }
    std::printf("%s\n", table.to_string().c_str());
}

double speedup(const Model& model, double units, double ranks, int decisions) {
    return model.step_seconds(units, 1, 0) / model.step_seconds(units, ranks, decisions);
}

/// The most ranks that are used at least by half.
double half_used(const Model& model, double units) {
    double ranks = 1;
    while (2 * ranks <= units && speedup(model, units, 2 * ranks, 1) >= ranks) ranks *= 2;
    return ranks;
}

void print_extrapolation(const Model& model, const char* of) {
    std::printf("EXTRAPOLATED, %s: times as fast as one rank, a processor for each rank, one "
                "decision of all ranks in each step\n",
                of);
    std::vector<report::TextTable::Heading> headings = {{"units", report::Align::right}};
    for (double ranks = 2; ranks <= most_ranks; ranks *= 2)
        headings.push_back({format("{}", ranks), report::Align::right});
    headings.push_back({"half used up to", report::Align::right});
    report::TextTable table(headings);
    for (const double units : sizes) {
        std::vector<std::string> cells = {format("{}", units)};
        for (double ranks = 2; ranks <= most_ranks; ranks *= 2)
            cells.push_back(ranks <= units ? format("{:.1f}", speedup(model, units, ranks, 1))
                                           : "");
        cells.push_back(format("{} ranks", half_used(model, units)));
        table.add(cells);
    }
    std::printf("%s\n", table.to_string().c_str());
}

void draw(const Model& model, const Measured& measured, unsigned processors,
          const std::string& folder) {
    report::Figure figure;
    figure.title = "How runs in several processes scale";
    figure.subtitle = format("grid of units of {} µs; markers: measured on {} processors; lines: "
                             "extrapolated, a processor for each rank",
                             micro(model.work), processors);
    figure.x_label = format("ranks; the limit: messages ({} µs per neighbour) and decisions ({} µs "
                            "per doubling) take as long as the units of a rank",
                            micro(model.latency), micro(model.reduction));
    figure.x_scale = report::Scale::logarithmic;
    report::Panel panel;
    panel.y_label = "times as fast as one rank";
    panel.y_scale = report::Scale::logarithmic;
    std::size_t color = 0;
    for (const double units : sizes) {
        report::Series line{.label = format("{} units", units), .color = color};
        for (double ranks = 1; ranks <= std::min(units, most_ranks); ranks *= 2) {
            line.x.push_back(ranks);
            line.y.push_back(speedup(model, units, ranks, 1));
        }
        report::Series points{
            .label = "", .line = report::Line::none, .markers = true, .color = color};
        double alone = 0;
        for (const Run& run : measured.runs) {
            if (std::abs(run.units - units) > 0.1 * units) continue;
            if (run.ranks == 1) alone = run.step;
            points.x.push_back(run.ranks);
            points.y.push_back(alone / run.step);
        }
        panel.series.push_back(std::move(line));
        panel.series.push_back(std::move(points));
        ++color;
    }
    figure.panels = {panel};
    report::write_svg(figure, folder + "/scaling.svg");
}

int measure_here(const char* file) {
    const auto all = distributed::join();
    measure(*all, file);
    return 0;
}

int compare_groups() {
    const auto all = distributed::join();
    show_groups(*all);
    return 0;
}

int show(const char* file, const char* folder) {
    const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
    const Measured measured = read(file);
    const Model model = fit(measured);
    print_model(model, measured);
    print_runs(model, measured, processors);
    print_extrapolation(model, "messages as on this machine");
    Model network = model;
    network.latency = std::max(model.latency, 5e-6);
    network.reduction = std::max(model.reduction, 5e-6);
    network.per_byte = std::max(model.per_byte, 1e-10);
    print_extrapolation(network, "a network of 5 µs and 10 GB/s (assumed, not measured)");
    draw(model, measured, processors, folder);
    return 0;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc == 3 && std::strcmp(argv[1], "measure") == 0) return measure_here(argv[2]);
    if (argc == 2 && std::strcmp(argv[1], "groups") == 0) return compare_groups();
    if (argc == 4 && std::strcmp(argv[1], "show") == 0) return show(argv[2], argv[3]);
    std::fputs("usage: mpirun -n RANKS study_scaling measure FILE\n"
               "       study_scaling show FILE FOLDER\n"
               "       mpirun -n 2 study_scaling groups\n",
               stderr);
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "study_scaling: %s\n", error.what());
    return 1;
}
