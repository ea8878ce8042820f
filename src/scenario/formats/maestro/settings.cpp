// SPDX-License-Identifier: Apache-2.0
#include "formats/maestro/model.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace rubato::scenario::formats::maestro {

namespace {

std::vector<std::pair<std::string, Mark>> ports_of(Model& model, MapReader& map) {
    std::vector<std::pair<std::string, Mark>> names;
    const Entry* const ports = map.find("ports");
    if (!ports) return names;
    for (const Node& item : items_of(model.reporter, map.path_of("ports"), ports->value))
        if (const auto name = model.name_of(item.text, item.mark))
            names.emplace_back(*name, item.mark);
    return names;
}

/// An event where a value, or the difference of two, becomes zero.
void read_zero_crossing(Model& model, MapReader& map, const Entry& entry) {
    const auto ports = ports_of(model, map);
    if (ports.size() == 1) {
        model.scenario.events.crossings.push_back(ports[0].first + " > 0");
        model.scenario.events.where = model.reporter.locate(entry.mark);
    } else if (ports.size() == 2) {
        model.diagnostics.warning(
            model.reporter.locate(entry.mark),
            format("zero crossings of {} - {} are not located: Rubato compares "
                   "one output with a number",
                   ports[0].first, ports[1].first),
            "let a unit compute the difference");
    }
    for (const char* key : {"order", "abstol", "safety"})
        if (const Entry* each = map.find(key))
            model.diagnostics.note(model.reporter.locate(each->mark),
                                   format("{} has no effect: crossings are located to "
                                          "events.tolerance",
                                          map.path_of(key)));
}

void read_bounded_difference(Model& model, MapReader& map, const Entry& entry) {
    const auto ports = ports_of(model, map);
    const double absolute = map.read<double>("abstol").value_or(1e-3);
    const double relative = map.read<double>("reltol").value_or(1e-2);
    const double safety = map.read<double>("safety").value_or(0);
    (void)map.find("skipDiscrete");
    if (ports.empty()) return;
    if (ports.size() > 2) {
        model.diagnostics.warning(model.reporter.locate(entry.mark),
                                  format("{} bounds the differences of more than two values: only "
                                         "those from the first are",
                                         map.path_of("ports")));
    }
    const std::size_t pairs = std::max<std::size_t>(ports.size(), 2) - 1;
    for (std::size_t i = 0; i < pairs; ++i) {
        ChangeLimit limit;
        limit.of = ports[0].first;
        if (ports.size() > 1) limit.minus = ports[i + 1].first;
        limit.absolute = absolute / (1 + safety);
        limit.relative = relative / (1 + safety);
        limit.where = model.reporter.locate(entry.mark);
        model.scenario.step_limits.changes.push_back(std::move(limit));
    }
}

void read_sampling(Model& model, MapReader& map, const Entry& entry) {
    const double unit = std::pow(10.0, map.read<double>("base").value_or(0));
    SamplingInstants sampling;
    sampling.period = unit * map.read<double>("rate").value_or(0);
    if (const auto start = map.read<double>("startTime")) sampling.start = unit * *start;
    sampling.where = model.reporter.locate(entry.mark);
    if (!(sampling.period > 0)) {
        model.reporter.error(entry.mark, format("{} must be positive", map.path_of("rate")));
        return;
    }
    model.scenario.step_limits.sampling.push_back(std::move(sampling));
}

void read_constraints(Model& model, const Entry& section) {
    for (const Entry* entry : entries_of(model.reporter, "algorithm.constraints", section.value)) {
        MapReader map(model.reporter, "algorithm.constraints." + entry->key, entry->value);
        const auto type = map.read<std::string>("type");
        (void)map.find("id");
        if (!type) {
            model.reporter.error(entry->mark, format("{} is missing", map.path_of("type")));
        } else if (*type == "zerocrossing") {
            read_zero_crossing(model, map, *entry);
        } else if (*type == "boundeddifference") {
            read_bounded_difference(model, map, *entry);
        } else if (*type == "samplingrate") {
            read_sampling(model, map, *entry);
        } else if (*type != "fmumaxstepsize") { // units say themselves how far they step
            model.reporter.error(entry->mark, format("constraint \"{}\" is not known", *type),
                                 "Maestro has zerocrossing, boundeddifference, samplingrate and "
                                 "fmumaxstepsize");
        }
    }
}

void set_step(Model& model, double step, Mark mark) {
    Experiment& experiment = model.scenario.experiment;
    experiment.step = step;
    experiment.open.step = false;
    if (!(step > 0)) model.reporter.error(mark, "the step size must be positive");
}

/// Steps of Maestro grow from the first one towards the longest; those of Rubato are the longest
/// that constraints allow.
void read_variable_steps(Model& model, MapReader& map, const Entry& entry) {
    const Entry* const size = map.find("size");
    std::vector<double> range;
    if (size && size->value.kind == Kind::sequence) {
        for (const Node& item : size->value.items)
            if (const auto number = read_as<double>(model.reporter, "algorithm.size", item))
                range.push_back(*number);
    } else if (size) {
        if (const auto number = map.read<double>("size")) range = {*number, *number};
    }
    if (range.size() != 2) {
        model.reporter.error(entry.mark,
                             "algorithm.size has to be the shortest and the longest step",
                             "write [1e-6, 0.1]");
        return;
    }
    set_step(model, range[1], size->mark);
    if (range[0] < range[1]) model.scenario.experiment.minimum_step = range[0];
    if (const Entry* initial = map.find("initsize"))
        model.diagnostics.note(model.reporter.locate(initial->mark),
                               "algorithm.initsize has no effect: steps are as long as the "
                               "constraints allow");
    if (const Entry* constraints = map.find("constraints")) read_constraints(model, *constraints);
}

void read_algorithm(Model& model, const Entry& entry) {
    MapReader map(model.reporter, "algorithm", entry.value);
    const auto type = map.read<std::string>("type");
    model.scenario.algorithm.where = model.reporter.locate(entry.mark);
    model.scenario.algorithm.recipe = Recipe::jacobi;
    if (type == "fixed-step") {
        if (const auto size = map.read<double>("size")) set_step(model, *size, entry.mark);
    } else if (type == "var-step") {
        read_variable_steps(model, map, entry);
    } else if (type) {
        model.reporter.error(entry.mark, format("the algorithm \"{}\" is not known", *type),
                             "Maestro has fixed-step and var-step");
    }
}

/// Stabilization iterates until what is exchanged stays the same.
void read_stabilization(Model& model, MapReader& document) {
    const auto enabled = document.read<bool>("stabalizationEnabled"); // as Maestro writes it
    const auto absolute = document.read<double>("global_absolute_tolerance");
    const auto relative = document.read<double>("global_relative_tolerance");
    const auto attempts = document.read<int>("convergenceAttempts");
    if (!enabled.value_or(false)) return;
    AlgorithmSettings& algorithm = model.scenario.algorithm;
    algorithm.recipe = Recipe::iterated_jacobi;
    if (absolute && *absolute > 0) algorithm.absolute_tolerance = *absolute;
    if (relative && *relative > 0) algorithm.relative_tolerance = *relative;
    if (attempts && *attempts > 1) algorithm.iteration_limit = *attempts;
}

/// Variables beyond the outputs, which are recorded anyway.
void read_log_variables(Model& model, const Entry& section) {
    std::vector<std::string> names;
    for (const Entry* entry : entries_of(model.reporter, "logVariables", section.value)) {
        for (const Node& item :
             items_of(model.reporter, "logVariables." + entry->key, entry->value))
            if (const auto name = model.name_of(entry->key + "." + item.text, item.mark))
                names.push_back(*name);
    }
    if (names.empty()) return;
    for (const Connection& connection : model.scenario.connections)
        names.push_back(connection.from_unit + "." + connection.from_port);
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    model.scenario.recording.variables = std::move(names);
    model.scenario.recording.where = model.reporter.locate(section.mark);
}

} // namespace

void read_settings(Model& model, MapReader& document) {
    Experiment& experiment = model.scenario.experiment;
    for (const char* key : {"startTime", "start_time"}) {
        if (const auto start = document.read<double>(key)) {
            experiment.start = *start;
            experiment.open.start = false;
        }
    }
    for (const char* key : {"endTime", "end_time"}) {
        if (const auto stop = document.read<double>(key)) {
            experiment.stop = *stop;
            experiment.open.stop = false;
        }
    }
    if (const Entry* algorithm = document.find("algorithm")) read_algorithm(model, *algorithm);
    read_stabilization(model, document);
    if (const Entry* section = document.find("logVariables")) read_log_variables(model, *section);
    if (document.read<bool>("parallelSimulation").value_or(false))
        model.scenario.algorithm.threads = 2;
    if (const Entry* delay = document.find("simulationProgramDelay");
        delay && delay->value.text == "true")
        model.diagnostics.warning(model.reporter.locate(delay->mark),
                                  "simulationProgramDelay has no effect: the run is as fast as it "
                                  "can be");
}

} // namespace rubato::scenario::formats::maestro
