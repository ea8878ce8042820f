// SPDX-License-Identifier: Apache-2.0
#include "run_summary.hpp"

#include <rubato/pipeline/advice.hpp>
#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace rubato::cli {
namespace {

using report::human_count;
using report::human_duration;
using report::human_number;
using report::plural;

constexpr std::size_t most_listed = 12;

std::string headline(const pipeline::Assembly& assembly, const engine::Summary& summary,
                     const Style& style) {
    const std::string at = format("at t = {} s", human_number(summary.reached.seconds));
    const std::string name = style.bold(assembly.scenario.name);
    switch (summary.end) {
    case engine::RunEnd::completed: return format("{} {} {}", name, style.green("completed"), at);
    case engine::RunEnd::interrupted:
        return format("{} {} {}", name, style.yellow("interrupted"), at);
    case engine::RunEnd::terminated:
        return format("{} {} {} by unit \"{}\"", name, style.yellow("ended"), at, summary.ended_by);
    }
    return name;
}

std::string iterations(const engine::Summary& summary) {
    std::string text = human_count(summary.iterations) + " with initialization";
    if (summary.steps > 0)
        text += format(", {:.3g} per step", static_cast<double>(summary.iterations) /
                                                static_cast<double>(summary.steps));
    text += format(", at most {} in one loop", summary.most_iterations);
    if (summary.not_converged > 0)
        text += format("; {} accepted without convergence", human_count(summary.not_converged));
    return text;
}

/// "newton over msd2.Fc from t = 0.1 s on, because plain iteration has a contraction factor of 1.3;
/// …": loops that are not solved by plain iteration.
std::string loop_solvers(const engine::Summary& summary) {
    std::vector<std::string> texts;
    for (const engine::LoopWork& loop : summary.loops) {
        if (loop.method == scenario::LoopMethod::plain) continue;
        std::string text = format("{} over {}", to_string(loop.method), loop.over);
        if (loop.since)
            text += format(" from t = {} s on, because plain iteration {}",
                           human_number(loop.since->seconds),
                           std::isfinite(loop.contraction)
                               ? format("has a contraction factor of {:.3g}", loop.contraction)
                               : "diverged to infinity");
        if (loop.jacobians > 0) text += ", " + plural(loop.jacobians, "Jacobian");
        if (texts.size() < most_listed) texts.push_back(std::move(text));
    }
    return format("{}", fmt::join(texts, "; "));
}

std::string rejections(const engine::Summary& summary) {
    return format("{}; smallest step size {} s", plural(summary.rejections, "attempt"),
                  human_number(summary.shortest_step.seconds));
}

/// "ball: 87 steps, 412 evaluations, 11 events"
std::string solvers(const engine::Summary& summary) {
    std::vector<std::string> texts;
    for (const engine::SolverWork& work :
         std::span(summary.solvers).first(std::min(summary.solvers.size(), most_listed))) {
        const unit::SolverStatistics& done = work.statistics;
        const std::uint64_t events =
            done.state_events + done.time_events + done.step_events + done.input_events;
        texts.push_back(format("{}: {}, {}{}", work.unit, plural(done.steps, "step"),
                               plural(done.evaluations, "evaluation"),
                               events > 0 ? ", " + plural(events, "event") : ""));
    }
    if (summary.solvers.size() > most_listed) texts.emplace_back("…");
    return format("{}", fmt::join(texts, "; "));
}

void add_lines(report::TextTable& table, const std::string& name,
               const std::vector<std::string>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) table.add({i == 0 ? name : "", lines[i]});
}

/// A line for each bond.
void add_bonds(const engine::Trust& trust, report::TextTable& table) {
    const std::vector<std::string> lines = pipeline::bond_lines(trust);
    const std::size_t shown = std::min(lines.size(), most_listed);
    for (std::size_t i = 0; i < shown; ++i) table.add({i == 0 ? "bonds" : "", lines[i]});
    if (shown < lines.size()) table.add({"", format("… and {} more", lines.size() - shown)});
}

std::string speed(double simulated, double wall) {
    if (wall <= 0 || simulated <= 0) return human_duration(wall);
    const double factor = simulated / wall;
    return format("{}, {} times real time", human_duration(wall),
                  factor >= 100 ? human_count(static_cast<std::uint64_t>(factor))
                                : format("{:.3g}", factor));
}

/// "3 of 1,000 steps late, by 0.3 ms on average and 1.2 ms at most, at t = 3 s"
std::string lateness_text(const pipeline::RealTime& real_time) {
    const pipeline::Lateness& lateness = real_time.lateness();
    std::string text = real_time.factor() == 1
                           ? ""
                           : format("{} times as fast; ", human_number(real_time.factor()));
    if (lateness.late == 0) return text + "no step late";
    return text + format("{} of {} late, by {} on average and {} at most, at t = {} s",
                         human_count(lateness.late), plural(lateness.steps, "step"),
                         human_duration(lateness.mean()), human_duration(lateness.largest),
                         human_number(lateness.largest_at.seconds));
}

std::string final_values(const report::RunRecorder& recorder, const Style& style) {
    const auto& columns = recorder.columns();
    report::TextTable table({{""}, {"", report::Align::right}, {""}});
    const std::size_t shown = std::min(columns.size(), most_listed);
    for (const engine::Column& column : std::span(columns).first(shown)) {
        const Value value = report::value_of(column);
        const double* number = std::get_if<double>(&value);
        table.add({column.name, number ? human_number(*number) : to_string(value, column.type),
                   column.unit});
    }
    if (table.empty()) return "";
    std::string text = "\n  " + style.dim("final values") + "\n" + table.to_string(4);
    if (shown < columns.size()) text += format("    … and {} more\n", columns.size() - shown);
    return text;
}

/// " with 2 reactivity loops, 1 step negotiation"
std::string loops_text(const std::vector<synthesis::Loop>& loops) {
    std::map<synthesis::LoopKind, std::uint64_t> counts;
    for (const synthesis::Loop& loop : loops) ++counts[loop.kind];
    std::string text = counts.empty() ? " without loops" : "";
    for (const auto& [kind, count] : counts) {
        text += format("{} {}", text.empty() ? " with" : ",", plural(count, to_string(kind)));
    }
    return text;
}

} // namespace

std::string unit_names(const scenario::System& system) {
    std::string names;
    for (std::size_t i = 0; i < std::min(system.units.size(), most_listed); ++i)
        names += (i == 0 ? "" : ", ") + system.units[i].name;
    if (system.units.size() > most_listed)
        names += format(", … ({} in all)", human_count(system.units.size()));
    return names;
}

std::string algorithm_name(const pipeline::Assembly& assembly) {
    const auto& settings = assembly.scenario.algorithm;
    const auto& orchestration = assembly.orchestration;
    std::string name(algorithm_label(assembly.scenario));
    if (!assembly.scenario.written && settings.recipe == scenario::Recipe::synthesized)
        name += loops_text(orchestration.step_loops);
    for (std::size_t i = 0; i < std::min(orchestration.order.size(), most_listed); ++i)
        name += (i == 0 ? " in the order " : ", ") +
                orchestration.system.unit(orchestration.order[i]).name;
    if (orchestration.order.size() > most_listed) name += ", …";
    if (settings.iterations)
        name +=
            format(", {}", plural(static_cast<std::uint64_t>(*settings.iterations), "iteration"));
    name += assembly.verdict ? "; verified" : "; not verified";
    return name;
}

namespace {

std::string steps_text(const pipeline::Assembly& assembly, const engine::Summary& summary) {
    const scenario::StepControlSettings& control = assembly.scenario.step_control;
    const std::string unit_steps = plural(summary.unit_steps, "unit step");
    if (control.controller == scenario::StepController::fixed) {
        return format("{} of {} s, {}", human_count(summary.steps),
                      human_number(assembly.scenario.experiment.step), unit_steps);
    }
    return format("{} of {} to {} s by {} with tolerance {}, {}", human_count(summary.steps),
                  human_number(summary.shortest_step.seconds),
                  human_number(summary.longest_step.seconds), to_string(control.controller),
                  human_number(control.tolerance), unit_steps);
}

/// "12 in steps, 96 trial steps to locate them; 3 in event mode"
std::string events_text(const engine::Summary& summary) {
    std::vector<std::string> texts;
    if (summary.found_events > 0)
        texts.push_back(format("{} in steps, {} to locate them", human_count(summary.found_events),
                               plural(summary.trials, "trial step")));
    if (summary.events > 0)
        texts.push_back(format("{} in event mode", human_count(summary.events)));
    return format("{}", fmt::join(texts, "; "));
}

std::string limits_text(const engine::Summary& summary) {
    std::string text =
        plural(summary.shortened, "attempt") + " changed a value by more than its limit";
    if (summary.exceeded > 0)
        text += format("; {} accepted anyway, worst for {}", plural(summary.exceeded, "step"),
                       summary.exceeded_most);
    return text;
}

std::string tolerance_text(const engine::Summary& summary) {
    std::string text = plural(summary.repeated, "attempt") + " exceeded the tolerance";
    if (summary.missed > 0)
        text += format("; {} accepted anyway, worst for {}", plural(summary.missed, "step"),
                       summary.missed_most);
    return text;
}

/// A line for each process.
std::vector<std::string> processes_lines(const engine::Summary& summary) {
    constexpr std::size_t most = 16;
    std::vector<std::string> lines;
    for (const engine::ProcessWork& process : summary.processes) {
        if (lines.size() == most) {
            lines.push_back(format("… and {} more", summary.processes.size() - most));
            break;
        }
        lines.push_back(format("{}: {}, {} s working, {} s exchanging, {} s waiting", process.name,
                               plural(process.units, "unit"), human_number(process.working),
                               human_number(process.exchanging), human_number(process.waiting)));
    }
    return lines;
}

} // namespace

std::string summarize(const pipeline::Assembly& assembly, const engine::Summary& summary,
                      const engine::Trust& trust, const std::optional<pipeline::GrowthCause>& cause,
                      const WallTime& wall, const report::RunRecorder* recorder,
                      const Style& style) {
    const scenario::Experiment& experiment = assembly.scenario.experiment;
    report::TextTable table({{""}, {""}});
    table.add({"units", unit_names(assembly.orchestration.system)});
    table.add({"algorithm", algorithm_name(assembly)});
    table.add({"steps", steps_text(assembly, summary)});
    if (const std::string text = to_text(assembly.assumed); !text.empty())
        table.add({"assumed", text});
    if (summary.repeated + summary.missed > 0) table.add({"repeated", tolerance_text(summary)});
    if (summary.shortened + summary.exceeded > 0) table.add({"limits", limits_text(summary)});
    if (const std::string text = events_text(summary); !text.empty()) table.add({"events", text});
    const auto& configurations = assembly.orchestration.system.configurations;
    if (configurations.size() > 1)
        table.add({assembly.orchestration.orders.empty() ? "configurations" : "orders",
                   format("{}, {}", configurations.size(), plural(summary.switches, "change"))});
    if (summary.rejections > 0) table.add({"rejected", rejections(summary)});
    if (summary.iterations > 0) table.add({"iterations", iterations(summary)});
    if (const std::string text = loop_solvers(summary); !text.empty()) table.add({"loops", text});
    if (!summary.solvers.empty()) table.add({"solvers", solvers(summary)});
    add_bonds(trust, table);
    add_lines(table, "trust", pipeline::trust_verdict(trust, summary, cause).lines);
    add_lines(table, "next", pipeline::advice(trust, assembly));
    add_lines(table, "ranks", processes_lines(summary));
    if (wall.real_time) table.add({"real time", lateness_text(*wall.real_time)});
    table.add({"took", speed(summary.reached.seconds - experiment.start, wall.seconds)});
    std::string text = headline(assembly, summary, style) + "\n\n" + table.to_string();
    if (!recorder) return text;
    text += final_values(*recorder, style);
    return text + format("\n  {} {}\n", style.dim("results in"), recorder->files_text());
}

} // namespace rubato::cli
