// SPDX-License-Identifier: Apache-2.0
#include "write_up.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>

namespace rubato::studies::adaptive_order {

using report::Align;
using report::TextTable;
using scenario::OrderEstimator;

namespace {

/// What the paper states in section 4.2.
struct Stated {
    double mean = 0, median = 0;
};

Stated stated_in_paper(OrderEstimator estimator, First first, bool inverted) {
    const bool is_input = estimator == OrderEstimator::input;
    if (inverted) return is_input ? Stated{0.28, 0.24} : Stated{0.32, 0.24};
    if (first == First::msd2) return is_input ? Stated{0.64, 0.69} : Stated{0.54, 0.57};
    return is_input ? Stated{0.62, 0.67} : Stated{0.56, 0.58};
}

std::string_view label_of(OrderEstimator estimator) {
    return estimator == OrderEstimator::input ? "input error" : "power transfer";
}

std::string percent(double share) { return format("{:.1f} %", 100 * share); }

std::string milliseconds(double seconds) { return format("{:.3f} ms", 1e3 * seconds); }

constexpr double unit_step = 10e-6; // s, of the issue of what deciding may cost
constexpr double units = 2;

} // namespace

std::string to_text(const StudyOptions& options, const StudyResult& result) {
    TextTable table({{"order by"},
                     {"mean", Align::right},
                     {"median", Align::right},
                     {"paper", Align::right},
                     {"never worse", Align::right},
                     {"worse < 1/4", Align::right},
                     {"worse > 1/2", Align::right},
                     {"median better", Align::right}});
    for (std::size_t e = 0; e < options.estimators.size(); ++e) {
        const Summary summary = summarize(result.scores[e]);
        const Stated stated =
            stated_in_paper(options.estimators[e], options.first, options.inverted);
        table.add({std::string(label_of(options.estimators[e])), format("{:.3f}", summary.mean),
                   format("{:.3f}", summary.median),
                   format("{:.2f}/{:.2f}", stated.mean, stated.median),
                   percent(summary.never_worse), percent(summary.seldom_worse),
                   percent(summary.mostly_worse), percent(summary.median_of_better)});
    }
    return format("{} parameter sets, beginning with {}{}\n", options.sets.size(),
                  options.first == First::msd1 ? "MSD1" : "MSD2",
                  options.inverted ? ", decisions inverted" : "") +
           table.to_string() +
           "  worse, better: than both static orders, as a share of the transient\n";
}

std::string to_text(const Overhead& overhead) {
    TextTable table({{"CPU time"},
                     {"co-simulation", Align::right},
                     {"longer by", Align::right},
                     {"in each step", Align::right},
                     {"beside units of 10 µs", Align::right},
                     {"paper", Align::right}});
    table.add({"static order", milliseconds(overhead.static_run), "", "", "", "14.57 s"});
    const auto add = [&](std::string label, const Overhead::Adaptive& adaptive, std::string paper) {
        table.add({std::move(label), milliseconds(adaptive.run),
                   percent(adaptive.run / overhead.static_run - 1),
                   format("{:.0f} ns", 1e9 * adaptive.step),
                   format("{:.2f} %", 100 * adaptive.step / (units * unit_step)),
                   std::move(paper)});
    };
    add("by input error", overhead.input, "15.13 s (3.8 %)");
    add("by power transfer", overhead.power, "15.06 s (3.4 %)");
    return table.to_string();
}

std::string to_text(const NetworkResult& result) {
    std::vector<NetworkOutcome> outcomes = result.static_orders;
    outcomes.insert(outcomes.end(), result.adaptive.begin(), result.adaptive.end());
    std::ranges::stable_sort(outcomes, {}, &NetworkOutcome::mean_place);
    TextTable table({{"order"},
                     {"mean score", Align::right},
                     {"median error", Align::right},
                     {"unstable", Align::right},
                     {"mean place", Align::right}});
    for (const NetworkOutcome& each : outcomes)
        table.add({each.name, format("{:.3f}", each.mean_score),
                   format("{:.2f}", each.median_error), percent(each.unstable),
                   format("{:.3f}", each.mean_place)});
    return format("{} parameter sets, {} static orders that differ\n", result.sets,
                  result.static_orders.size()) +
           table.to_string() +
           "  error: divided by that of the best static order of each set; place: share of the "
           "static orders that do better\n";
}

} // namespace rubato::studies::adaptive_order
