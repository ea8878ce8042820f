// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/assumptions.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace rubato::scenario {
namespace {

constexpr double steps_of_span = 500;
constexpr double span_of_nothing = 1;

using Suggested = std::optional<double> DefaultExperiment::*;

/// What units suggest for one setting, as far as it is possible.
std::vector<double> suggestions(std::span<const UnitDescription> units, Suggested setting,
                                const std::function<bool(double)>& is_possible) {
    std::vector<double> values;
    for (const UnitDescription& unit : units) {
        const auto& value = unit.default_experiment.*setting;
        if (value && is_possible(*value)) values.push_back(*value);
    }
    return values;
}

/// Fills one setting after the other, and notes it.
class Settler {
public:
    explicit Settler(std::vector<DefaultedSetting>& settled) : settled_(settled) {}

    /// Takes the extreme of the suggestions. False: there are none.
    template <class T, class Extreme>
    bool take(const char* name, T& member, const std::vector<double>& values, Extreme extreme) {
        if (values.empty()) return false;
        const auto [least, most] = std::ranges::minmax(values);
        member = extreme(least, most);
        settled_.push_back({name, extreme(least, most), true, least != most});
        return true;
    }
    void guess(const char* name, double& member, double value) {
        member = value;
        settled_.push_back({name, value, false, false});
    }

private:
    std::vector<DefaultedSetting>& settled_;
};

double smallest(double least, double) { return least; }
double largest(double, double most) { return most; }

std::string_view chosen_text(const std::string& name) {
    if (name == "start") return "the earliest that units suggest";
    if (name == "stop") return "the latest that units suggest";
    return "the smallest that units suggest";
}

} // namespace

std::vector<DefaultedSetting> settle_experiment(Experiment& experiment,
                                                std::span<const UnitDescription> units,
                                                std::optional<double> usual_step) {
    std::vector<DefaultedSetting> settled;
    Settler settler(settled);
    const Experiment::Open open = std::exchange(experiment.open, {});
    if (open.start) {
        const auto is_possible = [&](double start) { return open.stop || start < experiment.stop; };
        if (!settler.take("start", experiment.start,
                          suggestions(units, &DefaultExperiment::start, is_possible), smallest))
            settler.guess("start", experiment.start, 0);
    }
    bool is_span_suggested = false;
    if (open.stop) {
        const auto is_possible = [&](double stop) { return stop > experiment.start; };
        is_span_suggested =
            settler.take("stop", experiment.stop,
                         suggestions(units, &DefaultExperiment::stop, is_possible), largest);
        if (!is_span_suggested)
            settler.guess("stop", experiment.stop, experiment.start + span_of_nothing);
    }
    if (!experiment.step_output.empty() && experiment.stop > experiment.start) {
        const double span = experiment.stop - experiment.start;
        experiment.step = std::min(span, experiment.maximum_step.value_or(span));
    }
    if (open.step) {
        // Where the run stops as it starts, any step will do.
        const double span = experiment.stop > experiment.start ? experiment.stop - experiment.start
                                                               : span_of_nothing;
        const auto is_possible = [&](double step) { return step > 0 && step <= span; };
        if (!settler.take("step", experiment.step,
                          suggestions(units, &DefaultExperiment::step, is_possible), smallest))
            settler.guess("step", experiment.step,
                          usual_step && !is_span_suggested ? *usual_step : span / steps_of_span);
    }
    if (open.tolerance) {
        const auto is_possible = [](double tolerance) { return tolerance > 0; };
        (void)settler.take("tolerance", experiment.tolerance,
                           suggestions(units, &DefaultExperiment::tolerance, is_possible),
                           smallest);
    }
    return settled;
}

std::string to_text(std::span<const DefaultedSetting> settings) {
    const bool is_expected = std::ranges::all_of(settings, [](const DefaultedSetting& setting) {
        return setting.name == "start" && setting.value == 0;
    });
    if (is_expected) return "";
    std::vector<std::string> texts;
    for (const DefaultedSetting& setting : settings) {
        std::string text = format("{} {}{}", setting.name, shortest(setting.value),
                                  setting.name == "tolerance" ? "" : " s");
        if (setting.from_model)
            text += format(" ({})", setting.models_differ ? chosen_text(setting.name)
                                                          : std::string_view("as units suggest"));
        texts.push_back(std::move(text));
    }
    return format("{}", fmt::join(texts, ", "));
}

} // namespace rubato::scenario
