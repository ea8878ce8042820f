// SPDX-License-Identifier: Apache-2.0
#include "formats/msim/project.hpp"

#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::scenario::formats::msim {

std::optional<double> seconds_per(std::string_view unit) {
    constexpr double minute = 60, hour = 3600, day = 86400, year = 365 * day;
    if (unit.empty() || unit == "s") return 1;
    if (unit == "ms") return 1e-3;
    if (unit == "min") return minute;
    if (unit == "h") return hour;
    if (unit == "d") return day;
    if (unit == "a") return year; // as MasterSim has it
    return std::nullopt;
}

std::optional<double> time_of(const Line& line, Diagnostics& diagnostics) {
    const auto number = files::parse_real(line.words[1]);
    const auto factor = seconds_per(line.rest);
    if (number && factor && std::isfinite(*number)) return *number * *factor;
    diagnostics.error(line.where, format("\"{}\" is no time", line.words[1] + " " + line.rest),
                      "MasterSim knows ms, s, min, h, d and a");
    return std::nullopt;
}

namespace {

class Settings {
public:
    explicit Settings(Project& project) : project_(project), scenario_(project.scenario) {}

    void settle() {
        settle_experiment();
        settle_algorithm();
        settle_step_control();
        name_ignored();
    }

private:
    const Line* find(const char* keyword) const {
        const auto found = project_.settings.find(keyword);
        return found == project_.settings.end() ? nullptr : &found->second;
    }
    std::optional<double> time(const char* keyword) const {
        const Line* const line = find(keyword);
        return line ? time_of(*line, project_.diagnostics) : std::nullopt;
    }
    std::optional<double> number(const char* keyword) const {
        const Line* const line = find(keyword);
        if (!line) return std::nullopt;
        const auto value = files::parse_real(line->words[1]);
        if (!value)
            project_.diagnostics.error(
                line->where, format("\"{}\" of {} is no number", line->words[1], keyword));
        return value;
    }
    std::string word(const char* keyword) const {
        const Line* const line = find(keyword);
        return line ? line->words[1] : std::string();
    }
    bool flag(const char* keyword, bool otherwise) const {
        const std::string text = word(keyword);
        return text.empty() ? otherwise : text == "yes" || text == "true" || text == "1";
    }
    Location where(const char* keyword) const {
        const Line* const line = find(keyword);
        return line ? line->where : Location{};
    }

    /// Without step control all steps are hStart. What a file leaves out is MasterSim's own default.
    void settle_experiment() {
        constexpr double default_stop = 365 * 86400.0, default_start_step = 10;
        Experiment& experiment = scenario_.experiment;
        experiment.start = time("tStart").value_or(0);
        experiment.stop = time("tEnd").value_or(default_stop);
        experiment.step = time("hStart").value_or(default_start_step);
        experiment.tolerance = number("relTol");
        experiment.open = {
            .start = false, .stop = false, .step = false, .tolerance = !experiment.tolerance};
        experiment.where = where("tEnd");
        if (experiment.step <= 0)
            project_.diagnostics.error(where("hStart"), "hStart must be positive");
    }

    /// Cycle by cycle, and within a cycle in the order of the file.
    std::vector<std::string> order() const {
        std::vector<const Simulator*> sorted;
        for (const Simulator& each : project_.simulators) sorted.push_back(&each);
        std::ranges::stable_sort(sorted, {}, &Simulator::cycle);
        std::vector<std::string> names;
        for (const Simulator* each : sorted) names.push_back(scenario_.units[each->unit].name);
        return names;
    }

    void settle_algorithm() {
        AlgorithmSettings& algorithm = scenario_.algorithm;
        const std::string mode = word("MasterMode");
        const int iterations =
            static_cast<int>(std::clamp(number("maxIterations").value_or(1.0), 1.0, 1e6));
        algorithm.where = where("MasterMode");
        if (mode == "GAUSS_JACOBI" || mode.empty()) {
            algorithm.recipe = Recipe::jacobi;
        } else if (mode == "GAUSS_SEIDEL") {
            algorithm.recipe =
                iterations > 1 ? Recipe::iterated_gauss_seidel : Recipe::gauss_seidel;
            algorithm.order = order();
        } else if (mode == "NEWTON") {
            algorithm.recipe = Recipe::iterated_jacobi;
            scenario_.loops.method = LoopMethod::newton;
            scenario_.loops.where = algorithm.where;
        } else {
            project_.diagnostics.error(algorithm.where,
                                       format("master mode \"{}\" is not known", mode),
                                       "MasterSim has GAUSS_JACOBI, GAUSS_SEIDEL and NEWTON");
        }
        const bool iterates = algorithm.recipe == Recipe::iterated_gauss_seidel ||
                              algorithm.recipe == Recipe::iterated_jacobi;
        if (!iterates) return;
        algorithm.absolute_tolerance = number("absTol").value_or(1e-6);
        algorithm.relative_tolerance = number("relTol").value_or(1e-5);
        algorithm.iteration_limit = std::max(iterations, 2);
        algorithm.at_limit = AtLimit::accept; // as MasterSim does at its shortest step
    }

    /// MasterSim bounds the error of each step by relTol, Rubato that of the whole run: each step
    /// has its share by its length. Steps of hStart have the same share in both, shorter ones less.
    double tolerance_of_run() const {
        const Experiment& experiment = scenario_.experiment;
        const double of_step = number("relTol").value_or(1e-5);
        const double of_run =
            of_step * std::max(1.0, (experiment.stop - experiment.start) / experiment.step);
        project_.diagnostics.note(
            where("ErrorControlMode"),
            format("the error of the run is controlled, with {:.3g}; MasterSim "
                   "controls that of each step, with relTol {:.3g}: steps of "
                   "hStart have the same share, shorter ones less",
                   of_run, of_step));
        return of_run;
    }

    /// A step and its halves give the same values of a table: they do not show how long it may be.
    void limit_by_tables(StepControlSettings& control) const {
        const bool has_table = std::ranges::any_of(scenario_.units, [](const Unit& unit) {
            return std::holds_alternative<TableFile>(unit.origin);
        });
        const double step = scenario_.experiment.step;
        if (!has_table || control.maximum.value_or(step) < step) return;
        control.maximum = step;
        project_.diagnostics.note(control.where,
                                  "steps are at most hStart instead of hMax: two half steps and a "
                                  "whole one give the same values of a table, so that they do not "
                                  "show how fast these change");
    }

    void settle_step_control() {
        const bool adjusts = flag("adjustStepSize", false);
        const std::string mode = word("ErrorControlMode");
        if (!adjusts) return;
        if (mode != "STEP_DOUBLING" && mode != "ADAPT_STEP") {
            project_.diagnostics.warning(
                where("adjustStepSize"),
                "steps are all of hStart: MasterSim makes them shorter where an iteration does not "
                "converge, and longer elsewhere, up to hMax",
                "choose a step: --step, or control it: --step-control richardson");
            scenario_.experiment.step = std::min(time("hMax").value_or(scenario_.experiment.step),
                                                 scenario_.experiment.step);
            return;
        }
        StepControlSettings& control = scenario_.step_control;
        control.controller = StepController::richardson;
        control.where = where("ErrorControlMode");
        control.tolerance = tolerance_of_run();
        control.minimum = time("hMin");
        control.maximum = time("hMax");
        limit_by_tables(control);
        control.safety = 0.9; // these three are MasterSim's own
        control.growth = 2;
        control.shrinking = 0.2;
        control.at_minimum = AtMinimum::accept; // MasterSim continues with its shortest step
    }

    void name_ignored() const {
        const auto note = [&](const char* keyword, const char* why) {
            if (const Line* line = find(keyword))
                project_.diagnostics.note(line->where,
                                          format("{} has no effect: {}", keyword, why));
        };
        note("outputTimeUnit", "Rubato records seconds");
        note("hOutputMin", "Rubato records every communication point, or at --record-interval");
        note("writeInternalVariables", "name what to record: --record");
        note("writeUnconnectedFileReaderVars", "name what to record: --record");
        note("hFallBackLimit", "loops that do not converge are accepted at the iteration limit");
        if (!flag("preventOversteppingOfEndTime", true))
            project_.diagnostics.note(where("preventOversteppingOfEndTime"),
                                      "the last step ends at the stop time all the same");
        if (word("ErrorControlMode") == "CHECK")
            project_.diagnostics.note(where("ErrorControlMode"),
                                      "the errors are estimated with the option --trust");
    }

    Project& project_;
    Scenario& scenario_;
};

/// "Predator.y" of "Predator.y [---]"
std::pair<std::string, std::string> split_caption(std::string_view caption) {
    caption = files::trimmed(caption);
    const auto open = caption.find_last_of('[');
    if (open == std::string_view::npos || !caption.ends_with(']'))
        return {std::string(caption), std::string()};
    return {std::string(files::trimmed(caption.substr(0, open))),
            std::string(files::trimmed(caption.substr(open + 1, caption.size() - open - 2)))};
}

std::string in_csv(const std::string& cell) {
    if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
    std::string quoted = "\"";
    for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace

void settle(Project& project) { Settings(project).settle(); }

std::string plain_table(const std::string& text, const std::string& label) {
    const bool has_tabs = text.substr(0, text.find('\n')).find('\t') != std::string::npos;
    std::string commas = text;
    if (has_tabs) std::ranges::replace(commas, '\t', ',');
    files::CsvReader reader(commas, label);
    std::vector<std::string> cells;
    std::string result;
    double factor = 1;
    while (!reader.at_end()) {
        reader.read_row(cells);
        const bool is_empty = std::ranges::all_of(
            cells, [](const std::string& cell) { return files::trimmed(cell).empty(); });
        if (is_empty) continue;
        if (result.empty()) {
            const auto unit = seconds_per(split_caption(cells.front()).second);
            if (!unit)
                throw InputError(format("the unit of time of \"{}\" is not known", cells.front()));
            factor = *unit;
            result = "time";
            for (std::size_t i = 1; i < cells.size(); ++i)
                result += "," + in_csv(split_caption(cells[i]).first);
        } else {
            const auto time = files::parse_real(cells.front());
            if (!time)
                throw InputError(
                    format("line {}: \"{}\" is no time", reader.where().line, cells.front()));
            result += factor == 1 ? std::string(files::trimmed(cells.front()))
                                  : format("{}", *time * factor);
            for (std::size_t i = 1; i < cells.size(); ++i)
                result += "," + in_csv(std::string(files::trimmed(cells[i])));
        }
        result += '\n';
    }
    return result;
}

} // namespace rubato::scenario::formats::msim
