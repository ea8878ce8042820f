// SPDX-License-Identifier: Apache-2.0
// The order of convergence of the communication transformation, and the sizes of transformed
// scenarios: the tables and the picture of README.md.
#include "chain.hpp"

#include <rubato/core/log.hpp>
#include <rubato/models.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/transform.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/figure.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

namespace {

using namespace rubato; // NOLINT(google-build-using-namespace): a study reads better so
using report::Align;
using studies::hierarchy::Chain;
using studies::hierarchy::Setting;

constexpr double steps[] = {1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64, 1.0 / 128};
constexpr const char* order_names[] = {"constant", "linear", "quadratic"};

struct Curve {
    std::string label;
    int theory = 0;
    std::vector<double> errors; ///< by step
};

double error_of(const Chain& chain, const std::vector<double>& exact, const Setting& setting) {
    return studies::hierarchy::largest_difference(simulated(chain, setting), exact);
}

std::vector<Curve> curves_of(const Chain& chain, int ratio) {
    const std::vector<double> exact = studies::hierarchy::exact(chain);
    std::vector<Curve> curves;
    for (const bool iterate : {false, true}) {
        for (int order = 0; order <= 2; ++order) {
            Curve curve{.label = format("{}{}", order_names[order], iterate ? ", iterated" : ""),
                        .theory = std::min(order + 1, 2),
                        .errors = {}};
            for (const double step : steps)
                curve.errors.push_back(error_of(chain, exact,
                                                {.step = step,
                                                 .small_step = step / ratio,
                                                 .order = order,
                                                 .inner_order = 2,
                                                 .iterate = iterate}));
            curves.push_back(std::move(curve));
        }
    }
    return curves;
}

double measured_order(const std::vector<double>& errors) {
    return std::log2(errors[errors.size() - 2] / errors.back());
}

void print_orders(const std::vector<Curve>& curves) {
    report::TextTable table({{"between machines"},
                             {"H = 1/8", Align::right},
                             {"1/16", Align::right},
                             {"1/32", Align::right},
                             {"1/64", Align::right},
                             {"1/128", Align::right},
                             {"order", Align::right},
                             {"theory", Align::right}});
    for (const Curve& curve : curves) {
        std::vector<std::string> cells = {curve.label};
        for (const double error : curve.errors) cells.push_back(format("{:.2e}", error));
        cells.push_back(format("{:.2f}", measured_order(curve.errors)));
        cells.push_back(format("{}", curve.theory));
        table.add(std::move(cells));
    }
    std::fputs(table.to_string().c_str(), stdout);
}

void print_small_steps(const Chain& chain) {
    const std::vector<double> exact = studies::hierarchy::exact(chain);
    report::TextTable table({{"within machines"},
                             {"H_small = H", Align::right},
                             {"H/2", Align::right},
                             {"H/4", Align::right},
                             {"H/8", Align::right},
                             {"H/16", Align::right},
                             {"H/32", Align::right}});
    for (int inner = 0; inner <= 2; ++inner) {
        std::vector<std::string> cells = {order_names[inner]};
        for (int ratio = 1; ratio <= 32; ratio *= 2)
            cells.push_back(format("{:.2e}", error_of(chain, exact,
                                                      {.step = 1.0 / 16,
                                                       .small_step = 1.0 / 16 / ratio,
                                                       .order = 2,
                                                       .inner_order = inner})));
        table.add(std::move(cells));
    }
    std::fputs(table.to_string().c_str(), stdout);
}

void draw(const std::vector<Curve>& curves, const std::string& folder) {
    report::Figure figure;
    figure.title = "Error of the communication transformation";
    figure.subtitle = "two slow and two fast oscillators, a machine for each pair; H/H_small = 16";
    figure.x_label = "H [s]";
    figure.x_scale = report::Scale::logarithmic;
    report::Panel panel{.y_label = "largest error of positions [m]", .series = {}};
    panel.y_scale = report::Scale::logarithmic;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        report::Series series{.label = curves[c].label, .x = {}, .y = curves[c].errors};
        series.x.assign(std::begin(steps), std::end(steps));
        series.markers = true;
        series.color = c % 3;
        if (c >= 3) series.line = report::Line::dashed;
        panel.series.push_back(std::move(series));
    }
    figure.panels = {std::move(panel)};
    report::write_svg(figure, folder + "/orders.svg");
}

struct Counted {
    const char* name;
    std::vector<scenario::Override> overrides;
};

/// Units and connections before and after all transformations.
void print_sizes(const std::string& root) {
    const std::vector<scenario::Override> iterated = {{"algorithm.recipe", "iterated-jacobi"},
                                                      {"step-control.controller", "fixed"}};
    const std::vector<Counted> systems = {{"examples/coupled-msd/scenario.yaml", {}},
                                          {"examples/quarter-car/scenario.yaml", iterated},
                                          {"examples/dc-motor/scenario.yaml", iterated},
                                          {"examples/crane/scenario.yaml", iterated},
                                          {"examples/rooms/scenario.yaml", iterated},
                                          {"examples/ring/scenario.yaml", iterated},
                                          {"studies/loops/pair.yaml", {}},
                                          {"studies/hierarchy/linked-pair.yaml", {}},
                                          {"studies/hierarchy/linked-chain.yaml", {}},
                                          {"studies/hierarchy/machines.yaml", {}}};
    report::TextTable table({{"system"},
                             {"units", Align::right},
                             {"artificial", Align::right},
                             {"connections", Align::right},
                             {"levels", Align::right}});
    for (const Counted& system : systems) {
        unit::Library library(silent_log());
        for (const model::ModelType* type : models::all()) library.add(*type);
        Diagnostics diagnostics;
        const scenario::Scenario before =
            pipeline::read(root + "/" + system.name, system.overrides, diagnostics);
        diagnostics.throw_if_errors();
        const auto after = pipeline::transform_scenario(
            before, library,
            std::vector{transform::Concern::causality, transform::Concern::loops,
                        transform::Concern::communication},
            diagnostics);
        diagnostics.throw_if_errors();
        const auto change = [](std::size_t from, std::size_t to) {
            return format("{} -> {}", from, to);
        };
        table.add({system.name, format("{}", after->after.units),
                   change(after->before.artificial, after->after.artificial),
                   change(after->before.connections, after->after.connections),
                   change(after->before.levels, after->after.levels)});
    }
    std::fputs(table.to_string().c_str(), stdout);
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 2) {
        std::fputs("usage: study_hierarchy ROOT\n", stderr);
        return 2;
    }
    const std::string root = argv[1];
    const Chain chain;
    const std::vector<Curve> curves = curves_of(chain, 16);
    std::puts("largest error of positions at the end, H/H_small = 16, quadratic within machines\n");
    print_orders(curves);
    std::puts("\nthe same with H = 1/16, quadratic between machines, by what is within\n");
    print_small_steps(chain);
    std::puts("\nsizes before -> after all transformations\n");
    print_sizes(root);
    draw(curves, root + "/studies/hierarchy");
} catch (const std::exception& error) {
    std::fprintf(stderr, "study_hierarchy: %s\n", error.what());
    return 1;
}
