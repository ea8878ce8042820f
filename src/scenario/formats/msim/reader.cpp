// SPDX-License-Identifier: Apache-2.0
#include "formats/msim/project.hpp"

#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/msim.hpp>

#include <algorithm>
#include <array>

namespace rubato::scenario {

namespace formats::msim {

const Simulator* Project::find(std::string_view name) const {
    const auto found = std::ranges::find(simulators, name, &Simulator::name);
    return found == simulators.end() ? nullptr : &*found;
}

namespace {

constexpr std::array keywords = {"tStart",
                                 "tEnd",
                                 "hMax",
                                 "hMin",
                                 "hFallBackLimit",
                                 "hStart",
                                 "hOutputMin",
                                 "outputTimeUnit",
                                 "adjustStepSize",
                                 "preventOversteppingOfEndTime",
                                 "absTol",
                                 "relTol",
                                 "MasterMode",
                                 "ErrorControlMode",
                                 "maxIterations",
                                 "writeInternalVariables",
                                 "writeUnconnectedFileReaderVars"};

Line split(std::string_view text, Location where) {
    Line line{{}, {}, std::move(where)};
    while (true) {
        text = files::trimmed(text);
        if (text.empty()) return line;
        if (line.words.size() == 2) line.rest = text;
        if (text.front() == '"') {
            const auto end = std::min(text.find('"', 1), text.size());
            line.words.emplace_back(text.substr(1, end - 1));
            text.remove_prefix(std::min(end + 1, text.size()));
        } else {
            const auto end = std::min(text.find_first_of(" \t"), text.size());
            line.words.emplace_back(text.substr(0, end));
            text.remove_prefix(end);
        }
    }
}

bool is_table(const std::filesystem::path& file) {
    return file.extension() == ".csv" || file.extension() == ".tsv";
}

/// The unit of a simulator: an FMU, or a table of values over time.
void set_origin(Project& project, const std::filesystem::path& path, Unit& unit,
                Simulator& simulator) {
    const auto within =
        path.is_absolute() ? path : (project.file.parent_path() / path).lexically_normal();
    if (is_table(within)) {
        const std::string text =
            plain_table(project.files.read(within), project.files.label(within));
        unit.origin = TableFile{project.files.keep(unit.name + ".csv", text)};
        return;
    }
    unit.origin = FmuFile{project.files.path_of(within)};
    simulator.description = project.files.describe(unit);
}

/// simulator <priority> <cycle> <name> <colour> "<path>"
void read_simulator(Project& project, const Line& line) {
    const auto cycle =
        line.words.size() > 2 ? files::parse_integer(line.words[2]) : std::optional<std::int64_t>();
    if (line.words.size() < 5 || !cycle || *cycle < 0) {
        project.diagnostics.error(line.where, "is no simulator",
                                  "MasterSim writes: simulator 0 0 name #color \"model.fmu\"");
        return;
    }
    Simulator simulator;
    simulator.name = line.words[3];
    simulator.cycle = static_cast<std::size_t>(*cycle);
    simulator.unit = project.scenario.units.size();
    if (project.find(simulator.name)) {
        project.diagnostics.error(line.where,
                                  format("there are two simulators \"{}\"", simulator.name));
        return;
    }
    Unit unit;
    unit.name = unique_name(plain_name(simulator.name), project.names);
    unit.where = line.where;
    std::string path = line.words.back();
    std::ranges::replace(path, '\\', '/');
    try {
        set_origin(project, path, unit, simulator);
    } catch (const InputError& error) {
        project.diagnostics.error(
            line.where, format("simulator \"{}\": \"{}\": {}", simulator.name, path, error.what()));
    }
    project.scenario.units.push_back(std::move(unit));
    project.simulators.push_back(std::move(simulator));
}

/// `simulator.variable`, where the simulator is known. nullopt: it is not, which has been reported.
std::optional<std::pair<const Simulator*, std::string>>
find_end(const Project& project, const std::string& text, const Location& where) {
    const auto dot = text.find('.');
    const Simulator* const simulator = project.find(text.substr(0, dot));
    if (simulator && dot != std::string::npos) return std::pair(simulator, text.substr(dot + 1));
    std::vector<std::string> names;
    for (const Simulator& each : project.simulators) names.push_back(each.name);
    project.diagnostics.error(where, format("\"{}\" is no variable of a simulator", text),
                              suggest(text.substr(0, dot), names, "the simulators"));
    return std::nullopt;
}

/// graph <output> <input> [<offset> <factor> [<line width> <colour>]]
void read_graph(Project& project, const Line& line) {
    const std::size_t count = line.words.size();
    if (count != 3 && count != 5 && count != 7) {
        project.diagnostics.error(line.where, "is no connection",
                                  "MasterSim writes: graph a.y b.u, then offset and factor");
        return;
    }
    const auto from = find_end(project, line.words[1], line.where);
    const auto to = find_end(project, line.words[2], line.where);
    if (!from || !to) return;
    Connection connection;
    connection.from_unit = project.scenario.units[from->first->unit].name;
    connection.from_port = from->second;
    connection.to_unit = project.scenario.units[to->first->unit].name;
    connection.to_port = to->second;
    connection.where = line.where;
    if (count >= 5) {
        const auto offset = files::parse_real(line.words[3]);
        const auto factor = files::parse_real(line.words[4]);
        if (!offset || !factor) {
            project.diagnostics.error(line.where, "offset and factor are no numbers");
            return;
        }
        connection.offset = *offset;
        connection.factor = *factor;
    }
    const Variable* const source = find_variable(from->first->description, from->second);
    const Variable* const target = find_variable(to->first->description, to->second);
    if (source && target && source->unit != target->unit) connection.convert = false;
    auto* const table = std::get_if<TableFile>(&project.scenario.units[from->first->unit].origin);
    if (table && target && storage_of(target->type) == Storage::boolean) {
        // Tables of MasterSim have 0 and 1.
        table->columns.push_back({from->second, ColumnKind::integer, line.where});
        connection.to_type = TypeConversion::nonzero;
    }
    project.scenario.connections.push_back(std::move(connection));
}

/// A text as the variable takes it.
Value value_for(const std::string& text, const Variable* variable) {
    const Storage storage = variable ? storage_of(variable->type) : Storage::real;
    const bool is_truth = text == "true" || text == "false";
    if (storage == Storage::boolean || (!variable && is_truth)) {
        if (is_truth || text == "1" || text == "0") return text == "true" || text == "1";
        return text;
    }
    if (storage == Storage::integer)
        if (const auto number = files::parse_integer(text)) return *number;
    if (storage != Storage::string)
        if (const auto number = files::parse_real(text)) return *number;
    return text;
}

/// parameter <simulator>.<variable> <value>
void read_parameter(Project& project, const Line& line) {
    if (line.words.size() < 3) {
        project.diagnostics.error(line.where, "is no parameter",
                                  "MasterSim writes: parameter simulator.variable value");
        return;
    }
    const auto target = find_end(project, line.words[1], line.where);
    if (!target) return;
    std::string text = line.rest;
    if (text.size() > 1 && text.front() == '"' && text.back() == '"')
        text = text.substr(1, text.size() - 2);
    const Variable* const variable = find_variable(target->first->description, target->second);
    add_value(project.scenario.units[target->first->unit],
              {target->second, value_for(text, variable), line.where, {}, {}}, variable, true,
              project.diagnostics);
}

void read_line(Project& project, const Line& line) {
    const std::string& keyword = line.words.front();
    if (keyword == "simulator") return read_simulator(project, line);
    if (keyword == "graph") return read_graph(project, line);
    if (keyword == "parameter") return read_parameter(project, line);
    if (keyword == "outputOnly") {
        project.diagnostics.warning(line.where, "outputOnly has no effect, as in MasterSim",
                                    "name what to record: --record");
        return;
    }
    const std::vector<std::string> names(keywords.begin(), keywords.end());
    if (std::ranges::find(names, keyword) == names.end())
        project.diagnostics.error(line.where, format("the keyword \"{}\" is not known", keyword),
                                  suggest(keyword, names, "keywords"));
    else if (line.words.size() < 2)
        project.diagnostics.error(line.where, format("\"{}\" has no value", keyword));
    else
        project.settings[keyword] = line;
}

} // namespace

} // namespace formats::msim

Scenario parse_msim(const std::filesystem::path& file, SystemFiles& files,
                    Diagnostics& diagnostics) {
    formats::msim::Project project{file, files, diagnostics, {}, {}, {}, {}};
    const std::string text = files.read(file), label = files.label(file);
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    for (int number = 1; !rest.empty(); ++number) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = files::trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.empty() || line.front() == '#') continue;
        formats::msim::read_line(project, formats::msim::split(line, {label, number, 0}));
    }
    if (project.scenario.units.empty())
        diagnostics.error({label, 0, 0}, "the project has no simulators");
    for (const formats::msim::Simulator& each : project.simulators)
        if (each.description)
            formats::add_declared_parameters(project.scenario.units[each.unit], *each.description);
    formats::msim::settle(project);
    return std::move(project.scenario);
}

} // namespace rubato::scenario
