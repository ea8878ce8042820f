// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/stability.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>
#include <rubato/scenario/words.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <variant>

namespace rubato::pipeline {
namespace {

using report::human_number;
using stability::Linearization;

/// Differences of runs show how well loops have converged and how exact solvers are: both are made
/// as exact as they can be.
void tighten(scenario::Scenario& scenario) {
    constexpr double loops = 1e-13, solvers = 1e-10;
    constexpr int iterations = 500;
    scenario::AlgorithmSettings& algorithm = scenario.algorithm;
    algorithm.absolute_tolerance = std::min(algorithm.absolute_tolerance, loops);
    algorithm.relative_tolerance = std::min(algorithm.relative_tolerance, loops);
    algorithm.iteration_limit = std::max(algorithm.iteration_limit, iterations);
    algorithm.at_limit = scenario::AtLimit::accept;
    scenario.experiment.tolerance =
        std::min(scenario.experiment.tolerance.value_or(solvers), solvers);
    for (scenario::Unit& unit : scenario.units) {
        for (scenario::OutputSettings& output : unit.outputs)
            output.absolute_tolerance = output.relative_tolerance = std::nullopt;
        auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin);
        if (!nested || !nested->scenario) continue;
        auto inner = std::make_shared<scenario::Scenario>(*nested->scenario);
        tighten(*inner);
        nested->scenario = std::move(inner);
    }
}

Assembly assembled(scenario::Scenario scenario, unit::Library& library) {
    Diagnostics diagnostics;
    Assembly assembly = assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    return assembly;
}

void require_rollback(const Assembly& assembly) {
    const std::vector<std::string> missing = units_without_rollback(assembly);
    if (missing.empty()) return;
    throw Error(format("stability needs to roll back all units, and {} cannot save {} state: {}",
                       report::plural(missing.size(), "unit"),
                       missing.size() == 1 ? "its" : "their", fmt::join(missing, ", ")),
                "an FMU says by canGetAndSetFMUstate (3.0: canGetAndSetFMUState) that it can; its "
                "model exchange, solved here, often can where its co-simulation cannot");
}

std::vector<std::string> units_with_own_steps(const Assembly& assembly) {
    std::vector<std::string> names;
    for (std::size_t u = 0; u < assembly.scenario.units.size(); ++u) {
        const scenario::Unit& unit = assembly.scenario.units[u];
        if (unit.step) names.push_back(assembly.path + unit.name);
        if (!assembly.nested[u]) continue;
        std::ranges::move(units_with_own_steps(assembly.nested[u]->assembly),
                          std::back_inserter(names));
    }
    return names;
}

/// Otherwise steps differ: there is no map of one step.
void require_one_rate(const Assembly& assembly) {
    const std::vector<std::string> names = units_with_own_steps(assembly);
    if (names.empty()) return;
    throw Error(format("stability is that of one communication step, but not all are alike: {} "
                       "{} own steps: {}",
                       report::plural(names.size(), "unit"),
                       names.size() == 1 ? "makes its" : "make their", fmt::join(names, ", ")),
                "remove step from the units");
}

/// Communication points: those of the scenario up to the time, then equal steps.
struct Points {
    std::vector<Time> all;
    std::size_t at = 0; ///< index of the time of the linearization
};

Points points_for(const scenario::Experiment& experiment, double at, double step) {
    Points points;
    const double whole = (at - experiment.start) / experiment.step;
    const auto before = static_cast<std::size_t>(std::max(0.0, std::ceil(whole - 1e-6)));
    for (std::size_t n = 0; n < before; ++n)
        points.all.push_back({experiment.start + static_cast<double>(n) * experiment.step});
    points.at = points.all.size();
    for (std::size_t n = 0; n < stability::most_points; ++n)
        points.all.push_back({at + static_cast<double>(n) * step});
    return points;
}

double time_of(const StabilitySettings& settings, const scenario::Experiment& experiment) {
    const double at = settings.at.value_or(experiment.start);
    if (at >= experiment.start && at <= experiment.stop) return at;
    throw InputError(format("t = {} s is not within the experiment", human_number(at)),
                     format("it goes from {} to {} s: linearize at a time between them",
                            human_number(experiment.start), human_number(experiment.stop)));
}

/// A scenario that is tightened and assembled, linearized for several steps.
class Linearizer {
public:
    Linearizer(const scenario::Scenario& scenario, unit::Library& library, Log& log,
               const StabilitySettings& settings)
        : library_(library), log_(log), settings_(settings),
          at_(time_of(settings, scenario.experiment)) {
        scenario::Scenario tightened = scenario;
        tighten(tightened);
        assembly_ = assembled(std::move(tightened), library);
        require_one_rate(assembly_);
        require_rollback(assembly_);
    }

    double first_step() const {
        return settings_.step.value_or(assembly_.scenario.experiment.step);
    }
    double span() const {
        const scenario::Experiment& experiment = assembly_.scenario.experiment;
        return experiment.stop - experiment.start;
    }

    /// With a threshold it is enough to know on which side of it the spectral radius is.
    Linearization at_step(double step, std::optional<double> threshold = {}) const {
        const Points points = points_for(assembly_.scenario.experiment, at_, step);
        Assembly assembly = assembly_;
        assembly.scenario.experiment.step = step;
        assembly.scenario.experiment.stop =
            std::max(assembly.scenario.experiment.stop, points.all.back().seconds);
        stability::Perturbations perturbations;
        engine::Simulation simulation =
            build(assembly, library_, log_, {.points = points.all, .wrap = [&](auto unit) {
                                                 return perturbations.wrap(std::move(unit));
                                             }});
        stability::LinearizationSettings settings = settings_.linearization;
        settings.threshold = threshold;
        return stability::linearize(simulation, perturbations,
                                    std::span(points.all).subspan(points.at), settings);
    }

private:
    unit::Library& library_;
    Log& log_;
    StabilitySettings settings_;
    double at_;
    Assembly assembly_;
};

/// The search over steps. A step that a unit refuses ends it on that side.
class StepSearch {
public:
    explicit StepSearch(const Linearizer& linearizer) : linearizer_(linearizer) {}

    LargestStep run() {
        const double first = linearizer_.first_step();
        const bool grows = is_stable(first, std::nullopt);
        result_.radius = last_radius_;
        grows ? search_above(first) : search_below(first);
        bisect();
        return result_;
    }

private:
    void search_above(double step) {
        const double longest = std::max(step, linearizer_.span());
        while (!is_over()) {
            if (step == longest) {
                result_.reason = "stable up to the whole experiment";
                return;
            }
            step = std::min(2 * step, longest);
            (void)is_stable(step);
        }
    }

    /// What grows at the same rate whatever the step is does not grow because of the steps.
    void search_below(double step) {
        constexpr double range = 1 << 14, same = 0.03;
        constexpr int often = 3;
        const double shortest = step / range;
        int equal = 0;
        for (double before = rate(step); !is_over() && step > shortest;) {
            step /= 2;
            if (is_stable(step)) return;
            const double now = rate(step);
            equal = std::abs(now - before) < same * std::abs(now) ? equal + 1 : 0;
            before = now;
            if (equal < often) continue;
            result_.reason = format("unstable with every step: perturbations grow as exp({} t), so "
                                    "the system itself may be unstable",
                                    human_number(now));
            return;
        }
        if (result_.reason.empty())
            result_.reason = format("unstable down to {} s: the system itself may be unstable",
                                    human_number(*result_.unstable));
    }

    void bisect() {
        constexpr double exact = 1.001;
        while (result_.stable && result_.unstable && *result_.unstable > exact * *result_.stable)
            (void)is_stable(std::sqrt(*result_.stable * *result_.unstable));
    }

    bool is_over() const { return (result_.stable && result_.unstable) || !result_.reason.empty(); }
    /// Of the growth of perturbations [1/s].
    double rate(double step) const {
        return last_radius_ ? std::log(std::max(*last_radius_, 1e-300)) / step : 0;
    }
    bool is_stable(double step, std::optional<double> threshold = largest_stable_radius) {
        try {
            last_radius_ = sure_radius(linearizer_.at_step(step, threshold));
        } catch (const Error& error) {
            last_radius_.reset();
            if (result_.reason.empty())
                result_.reason = format("with steps of {} s: {}", human_number(step), error.what());
            // Only longer steps than stable ones are cut off by it.
            if (result_.stable) result_.unstable = step;
            return false;
        }
        const bool stable = *last_radius_ <= largest_stable_radius;
        (stable ? result_.stable : result_.unstable) = step;
        return stable;
    }

    static double sure_radius(const Linearization& map) {
        constexpr double poor = 0.05;
        if (map.residual < poor && map.uncertainty < poor) return map.spectral_radius;
        throw Error("no constant linear map explains what perturbations do");
    }

    const Linearizer& linearizer_;
    std::optional<double> last_radius_;
    LargestStep result_;
};

/// A search asks only whether steps are stable.
StabilitySettings settings_of_search(StabilitySettings settings) {
    constexpr std::uint64_t most_steps = 30'000;
    constexpr double accuracy = largest_stable_radius - 1;
    stability::LinearizationSettings& own = settings.linearization;
    own.most_steps = std::min(own.most_steps, most_steps);
    own.accuracy = std::max(own.accuracy, accuracy / 10);
    return settings;
}

void require_no_links(const scenario::Scenario& scenario) {
    for (const scenario::Unit& unit : scenario.units)
        if (std::holds_alternative<scenario::Links>(unit.origin))
            throw InputError(format("the largest step cannot be searched: unit \"{}\" keeps "
                                    "constraints for steps of one length",
                                    unit.name),
                             "try steps one by one: --step");
}

std::string first_line(std::string text) { return text.substr(0, text.find('\n')); }

} // namespace

std::vector<std::string> remarks_of(const Linearization& map) {
    constexpr double uncertain = 1e-6, nonlinear = 1e-3, unexplained = 1e-4;
    std::vector<std::string> remarks;
    if (!map.unreached.empty())
        remarks.push_back(
            format("no perturbed input acts on {}: eigenvalues of their own states are "
                   "not among these",
                   fmt::join(map.unreached, ", ")));
    if (map.is_sampled)
        remarks.push_back(
            format("{} were perturbed in random combinations: the largest eigenvalues "
                   "are found, and not where they come from",
                   report::plural(map.inputs, "input")));
    if (map.uncertainty > uncertain * std::max(1.0, map.spectral_radius))
        remarks.push_back(
            format("not sure: the spectral radius differs by {:.2g} from that of half "
                   "the window",
                   map.uncertainty));
    if (map.nonlinearity > nonlinear)
        remarks.push_back(format("not sure: units react to small perturbations in a nonlinear way, "
                                 "by {:.2g} of the linear one; events, or noise of their solvers",
                                 map.nonlinearity));
    if (map.residual > unexplained)
        remarks.push_back(format("not sure: a constant linear map explains the responses to {:.2g} "
                                 "only: the system changes over the {}",
                                 map.residual, report::plural(map.window, "step")));
    return remarks;
}

std::vector<std::string> units_without_rollback(const Assembly& assembly) {
    std::vector<std::string> names;
    const scenario::System& system = assembly.orchestration.system;
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        if (system.units[u].can_roll_back) continue;
        const auto inner = assembly.nested[u] ? units_without_rollback(assembly.nested[u]->assembly)
                                              : std::vector<std::string>{};
        if (inner.empty()) names.push_back(assembly.path + system.units[u].name);
        std::ranges::copy(inner, std::back_inserter(names));
    }
    return names;
}

Linearization linearize(const Assembly& assembly, unit::Library& library, Log& log,
                        const StabilitySettings& settings) {
    const Linearizer linearizer(assembly.scenario, library, log, settings);
    return linearizer.at_step(linearizer.first_step());
}

LargestStep find_largest_step(const Assembly& assembly, unit::Library& library, Log& log,
                              const StabilitySettings& settings) {
    require_no_links(assembly.scenario);
    const Linearizer linearizer(assembly.scenario, library, log, settings_of_search(settings));
    return StepSearch(linearizer).run();
}

std::vector<RecipeStability> compare_recipes(const scenario::Scenario& scenario,
                                             unit::Library& library, Log& log,
                                             const StabilitySettings& settings) {
    require_no_links(scenario);
    std::vector<RecipeStability> table;
    for (const auto& word : scenario::words<scenario::Recipe>()) {
        scenario::Scenario other = scenario;
        other.algorithm.recipe = word.value;
        if (word.value != scenario.algorithm.recipe) {
            other.written.reset();
            if (!scenario::is_gauss_seidel(word.value)) other.algorithm.order.clear();
        }
        RecipeStability row{.recipe = word.value};
        if (word.value == scenario::Recipe::adaptive_gauss_seidel) {
            row.step.reason = "its order may change with each step: there is no constant map";
            table.push_back(std::move(row));
            continue;
        }
        try {
            const Linearizer linearizer(other, library, log, settings_of_search(settings));
            row.step = StepSearch(linearizer).run();
        } catch (const Error& error) {
            row.step.reason = first_line(error.what());
        }
        table.push_back(std::move(row));
    }
    return table;
}

namespace {

/// Of perturbations, per second; nullopt: not sure.
std::optional<double> growth_rate(const Linearizer& linearizer, double step) {
    constexpr double unsure = 1e-3;
    const Linearization map = linearizer.at_step(step);
    if (map.nonlinearity > unsure || map.residual > unsure || map.uncertainty > unsure * unsure)
        return std::nullopt;
    return std::log(std::max(map.spectral_radius, 1e-300)) / step;
}

} // namespace

std::optional<GrowthCause> find_growth_cause(const Assembly& assembly, const engine::Trust& trust,
                                             unit::Library& library) {
    constexpr double shorter = 8, much = 0.5, most_steps_before = 5000;
    if (!trust.growth || grade_of_growth(*trust.growth) != Grade::perhaps_unstable) return {};
    if (!units_without_rollback(assembly).empty() || !units_with_own_steps(assembly).empty())
        return {};
    const scenario::Experiment& experiment = assembly.scenario.experiment;
    StabilitySettings settings{.at = trust.growth->since.seconds};
    settings.linearization.most_steps = 4000;
    if (*settings.at - experiment.start > most_steps_before * experiment.step) settings.at.reset();
    try {
        const Linearizer linearizer(assembly.scenario, library, silent_log(), settings);
        const auto rate = growth_rate(linearizer, experiment.step);
        if (!rate) return {};
        GrowthCause cause{.kind = GrowthCause::Kind::drive,
                          .radius = std::exp(*rate * experiment.step)};
        if (cause.radius <= largest_stable_radius) return cause;
        const auto with_shorter = growth_rate(linearizer, experiment.step / shorter);
        if (!with_shorter) return {};
        cause.kind =
            *with_shorter < much * *rate ? GrowthCause::Kind::coupling : GrowthCause::Kind::system;
        return cause;
    } catch (const Error&) {
        return {}; // the run itself has not failed: there is only less to say about it
    }
}

} // namespace rubato::pipeline
