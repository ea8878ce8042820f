// SPDX-License-Identifier: Apache-2.0
#include "tune/candidates.hpp"
#include "tune/reference_trace.hpp"
#include "tune/runs.hpp"
#include "tune/way.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace rubato::pipeline {

std::string_view to_string(TuneCost cost) {
    switch (cost) {
    case TuneCost::time: return "time";
    case TuneCost::messages: return "messages";
    case TuneCost::unit_steps: return "unit-steps";
    }
    return "";
}

double Costs::of(TuneCost cost) const {
    switch (cost) {
    case TuneCost::time: return seconds;
    case TuneCost::messages: return messages;
    case TuneCost::unit_steps: return unit_steps;
    }
    return 0;
}

namespace {

void check(const TuneSettings& settings) {
    if (!(settings.tolerance > 0) || !(settings.tolerance < 1))
        throw InputError(format("a tolerance of {} makes no sense", settings.tolerance),
                         "it is relative to the range of each variable: between 0 and 1, such as "
                         "--tolerance 1e-3");
    if (!(settings.budget > 0) || !std::isfinite(settings.budget))
        throw InputError(format("a budget of {} s makes no sense", settings.budget),
                         "give the time that the search may take, such as --budget 60s");
}

Assembly assembly_of(const scenario::Scenario& scenario, unit::Library& library) {
    Diagnostics diagnostics;
    Assembly assembly = assemble(scenario, library, diagnostics);
    diagnostics.throw_if_errors();
    if (const std::string& output = assembly.scenario.experiment.step_output; !output.empty())
        throw InputError(
            format("{} gives the communication step, so there is no step to choose", output),
            "give experiment.step as a number: tune also tries step control");
    return assembly;
}

/// As its author wrote it, constraints included: what keeps them depends on the step.
scenario::Scenario scenario_with_experiment(scenario::Scenario scenario, const Assembly& assembly) {
    scenario.experiment = assembly.scenario.experiment;
    return scenario;
}

/// The search. Ways to run are refined side by side: each is run with the step that the errors so
/// far let expect to meet the tolerance, and given up when it cannot become the cheapest.
class TuneSearch {
public:
    TuneSearch(const scenario::Scenario& scenario, unit::Library& library,
               const TuneSettings& settings)
        : assembly_(assembly_of(scenario, library)), system_(tuned_system(assembly_)),
          scenario_(scenario_with_experiment(scenario, assembly_)),
          runs_(scenario_, system_, library, settings), settings_(settings) {}

    Tuned run() {
        const Tried given = try_given();
        reference_ = make_reference(runs_, given.costs.seconds);
        tuned_.reference = reference_.info;
        add(judged({.candidate = given.candidate}, given_result_));
        std::vector<Way> ways;
        for (const TuneCandidate& candidate : first_ways(system_, settings_.tolerance))
            ways.emplace_back(candidate, settings_, system_.longest_step());
        refine(ways);
        vary();
        measure_finalists();
        conclude();
        return std::move(tuned_);
    }

    std::vector<Tried> judge_all(const std::vector<TuneCandidate>& candidates,
                                 const TuneReference& reference) {
        reference_ = repeat_reference(runs_, reference);
        run_batch(candidates);
        return std::move(tuned_.tried);
    }

private:
    /// The scenario as it is must run: else there is nothing to tune.
    Tried try_given() {
        const TuneCandidate given{.is_given = true};
        given_result_ = runs_.run({given}, settings_.budget).front();
        switch (given_result_.fate) {
        case TrialResult::Fate::completed: break;
        case TrialResult::Fate::timed_out:
            if (settings_.stop != nullptr && settings_.stop->load()) throw stopped_too_soon();
            throw InputError(format("a budget of {} is too small for one run of the scenario",
                                    report::human_duration(settings_.budget)),
                             "give more time with --budget, or a shorter experiment with "
                             "--set experiment.stop=…");
        default:
            throw Error(format("the scenario does not run: {}", given_result_.message),
                        "make it run with rubato run first");
        }
        if (given_result_.trace.names.empty())
            throw InputError("the scenario records no real variable, so errors cannot be measured",
                             "name variables in recording.variables");
        return {.candidate = given, .costs = given_result_.costs};
    }
    static Error stopped_too_soon() { return Error("stopped before the first run was done"); }

    Tried judged(Tried tried, const TrialResult& result) const {
        tried.costs = result.costs;
        if (result.fate != TrialResult::Fate::completed) {
            tried.fault = result.message.substr(0, result.message.find('\n'));
            tried.error = HUGE_VAL;
            return tried;
        }
        const TraceError error = error_of(result.trace, reference_.trace);
        tried.error = error.relative;
        tried.worst = error.variable;
        tried.is_within = error.relative + reference_error() <= settings_.tolerance;
        return tried;
    }
    /// What the reference itself may be wrong by, as far as that can be a part of the tolerance.
    double reference_error() const {
        return std::min(reference_.info.change, settings_.tolerance / 10);
    }

    void add(Tried tried) {
        if (settings_.on_tried) settings_.on_tried(tried);
        tuned_.tried.push_back(std::move(tried));
    }

    /// The index of the first one among those tried.
    std::size_t run_batch(const std::vector<TuneCandidate>& candidates) {
        const std::size_t first = tuned_.tried.size();
        const std::vector<TrialResult> results = runs_.run(candidates, limit());
        for (std::size_t i = 0; i < results.size(); ++i)
            add(judged({.candidate = candidates[i]}, results[i]));
        return first;
    }

    /// A run that takes far longer than the cheapest one so far is not worth waiting for.
    double limit() const {
        constexpr double least = 1, many = 20;
        const double known = given_result_.wall + reference_.seconds;
        double most = std::max(least, many * known);
        if (const auto best = cheapest(); best && settings_.minimize == TuneCost::time)
            most = std::min(most, std::max(least, many * tuned_.tried[*best].costs.seconds));
        return std::min(most, runs_.remaining());
    }

    std::optional<std::size_t> cheapest() const {
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < tuned_.tried.size(); ++i)
            if (tuned_.tried[i].is_within && (!best || is_better(i, *best))) best = i;
        return best;
    }
    /// Of two with the same cost, the one with less error.
    bool is_better(std::size_t a, std::size_t b) const {
        return std::pair(cost(a), tuned_.tried[a].error) <
               std::pair(cost(b), tuned_.tried[b].error);
    }
    double cost(std::size_t i) const { return tuned_.tried[i].costs.of(settings_.minimize); }

    /// Rounds of runs until every way is settled or the time is over.
    void refine(std::vector<Way>& ways) {
        while (!runs_.is_over()) {
            std::vector<TuneCandidate> batch;
            std::vector<Way*> owners;
            const auto best = cheapest();
            for (Way& way : ways) {
                if (way.is_done()) continue;
                if (best && way.lower_bound() > cost(*best)) {
                    way.give_up();
                    ++tuned_.pruned;
                    continue;
                }
                batch.push_back(way.next());
                owners.push_back(&way);
            }
            if (batch.empty()) return;
            const std::size_t first = run_batch(batch);
            for (std::size_t i = 0; i < owners.size(); ++i)
                owners[i]->learn(tuned_.tried[first + i]);
        }
    }

    /// Around the best ones, what else could be changed.
    void vary() {
        constexpr std::size_t most = 3;
        std::vector<std::size_t> order(tuned_.tried.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::erase_if(order, [&](std::size_t i) {
            return !tuned_.tried[i].is_within || tuned_.tried[i].candidate.is_given;
        });
        std::ranges::sort(order, {}, [&](std::size_t i) { return cost(i); });
        std::vector<Way> ways;
        for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
            for (const TuneCandidate& candidate :
                 variations(tuned_.tried[order[i]].candidate, system_))
                ways.emplace_back(candidate, settings_, system_.longest_step());
        refine(ways);
    }

    /// Times that were measured beside other runs are measured again, alone, the least of some.
    void measure_finalists() {
        constexpr std::size_t most = 4;
        constexpr int repetitions = 3;
        if (settings_.minimize != TuneCost::time) return;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < tuned_.tried.size(); ++i)
            if (tuned_.tried[i].is_within) order.push_back(i);
        std::ranges::sort(order, {}, [&](std::size_t i) { return cost(i); });
        order.resize(std::min(most, order.size()));
        for (const std::size_t i : order)
            for (int n = 0; n < repetitions && !runs_.is_over(); ++n) {
                Tried& tried = tuned_.tried[i];
                const TrialResult again = runs_.run_alone(tried.candidate, limit());
                if (again.fate == TrialResult::Fate::completed)
                    tried.costs.seconds = std::min(tried.costs.seconds, again.costs.seconds);
            }
    }

    void conclude() {
        tuned_.best = cheapest();
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < tuned_.tried.size(); ++i)
            if (std::isfinite(tuned_.tried[i].error)) order.push_back(i);
        std::ranges::stable_sort(order,
                                 [&](std::size_t a, std::size_t b) { return is_better(a, b); });
        double least = HUGE_VAL;
        for (const std::size_t i : order) {
            if (tuned_.tried[i].error >= least) continue;
            least = tuned_.tried[i].error;
            tuned_.front.push_back(i);
        }
        if (settings_.stop != nullptr && settings_.stop->load())
            tuned_.stopped = "it was interrupted";
        else if (runs_.is_over())
            tuned_.stopped =
                format("the budget of {} is used up", report::human_duration(settings_.budget));
        else
            tuned_.stopped = "every way was refined or given up";
    }

    Assembly assembly_;
    TunedSystem system_;
    scenario::Scenario scenario_;
    TuneRuns runs_;
    const TuneSettings& settings_;
    TrialResult given_result_;
    ReferenceTrace reference_;
    Tuned tuned_;
};

} // namespace

Tuned tune(const scenario::Scenario& scenario, unit::Library& library,
           const TuneSettings& settings) {
    check(settings);
    return TuneSearch(scenario, library, settings).run();
}

std::vector<Tried> judge(const scenario::Scenario& scenario, unit::Library& library,
                         const std::vector<TuneCandidate>& candidates,
                         const TuneReference& reference, const TuneSettings& settings) {
    check(settings);
    return TuneSearch(scenario, library, settings).judge_all(candidates, reference);
}

} // namespace rubato::pipeline
