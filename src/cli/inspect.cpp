// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "fmu_file.hpp"
#include "inspect_json.hpp"
#include "platform.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>
#include <rubato/unit/library.hpp>

#include <memory>

namespace rubato::cli {
namespace {

using report::Align;
using report::TextTable;
using scenario::UnitDescription;
using scenario::Variable;

struct InspectOptions {
    std::string file;
    bool json = false;
    unit::Strictness strictness = unit::Strictness::lenient;
};

void print_section(const Style& style, std::string_view title, const std::string& content) {
    print(stdout, format("\n{}\n{}", style.bold(title), content));
}

std::string platforms_text(const UnitDescription& fmu) {
    if (fmu.platforms.empty()) return "none";
    return format("{} ({})", fmt::join(fmu.platforms, ", "),
                  runs_here(fmu) ? "runs on this machine" : "none for this machine");
}

std::string interfaces_text(const UnitDescription& fmu) {
    std::vector<std::string> texts;
    for (const scenario::Interface interface : fmu.interfaces)
        texts.push_back(format("{} (type: {})",
                               interface == scenario::Interface::co_simulation ? "co-simulation"
                                                                               : "model exchange",
                               to_string(interface)));
    return format("{}", fmt::join(texts, ", "));
}

std::string overview_text(const UnitDescription& fmu) {
    TextTable table({{""}, {""}});
    table.add({"kind", fmu.kind});
    table.add({"interfaces", interfaces_text(fmu)});
    if (!fmu.description.empty()) table.add({"description", fmu.description});
    if (!fmu.generation_tool.empty()) table.add({"generation tool", fmu.generation_tool});
    table.add({"identifier", fmu.identifier});
    table.add({"platforms", platforms_text(fmu)});
    return table.to_string();
}

std::string order_text(unsigned order) {
    return order == 0 ? "no" : format("up to order {}", order);
}

std::string capabilities_table(const scenario::Capabilities& can) {
    const auto yes_no = [](bool value) { return std::string(value ? "yes" : "no"); };
    TextTable table({{""}, {""}});
    table.add({"variable step size", yes_no(can.variable_step)});
    table.add({"save and restore its state", yes_no(can.snapshots)});
    table.add({"serialize its state", yes_no(can.serialization)});
    table.add({"may return early from a step", yes_no(can.may_return_early)});
    table.add({"event mode", yes_no(can.event_mode)});
    table.add({"intermediate outputs", yes_no(can.intermediate_outputs)});
    table.add({"directional derivatives", yes_no(can.directional_derivatives)});
    table.add({"derivatives of inputs", order_text(can.input_derivatives)});
    table.add({"derivatives of outputs", order_text(can.output_derivatives)});
    table.add({"one instance per process only", yes_no(can.one_instance_per_process)});
    table.add({"needs its tool at run time", yes_no(can.needs_execution_tool)});
    return table.to_string();
}

std::string experiment_text(const scenario::DefaultExperiment& experiment) {
    TextTable table({{""}, {""}});
    const auto add = [&](const char* name, std::optional<double> value, const char* unit) {
        if (value) table.add({name, shortest(*value) + unit});
    };
    add("start", experiment.start, " s");
    add("stop", experiment.stop, " s");
    add("step", experiment.step, " s");
    add("tolerance", experiment.tolerance, "");
    return table.empty() ? "  none given\n" : table.to_string();
}

std::string type_text(const Variable& variable) {
    std::string text(to_string(variable.type));
    for (const scenario::Dimension& d : variable.dimensions) text += format("[{}]", d.size);
    if (variable.clock) text += format(" ({})", to_string(variable.clock->kind));
    return text;
}

std::string value_text(const Value& value, ValueType type) {
    if (type == ValueType::binary) return in_hexadecimal(std::get<std::string>(value));
    const double* number = std::get_if<double>(&value);
    return number ? shortest(*number) : to_string(value, type);
}

std::string start_text(const Variable& variable) {
    constexpr std::size_t most = 4;
    if (variable.start) return value_text(*variable.start, variable.type);
    std::string text;
    for (std::size_t e = 0; e < std::min(variable.start_elements.size(), most); ++e)
        text += (e == 0 ? "" : " ") + value_text(variable.start_elements[e], variable.type);
    return variable.start_elements.size() > most ? text + " …" : text;
}

std::string variables_text(const UnitDescription& fmu) {
    TextTable table({{"name"},
                     {"type"},
                     {"causality"},
                     {"variability"},
                     {"start", Align::right},
                     {"unit"},
                     {"reference", Align::right}});
    for (const Variable& variable : fmu.variables)
        table.add({variable.name, type_text(variable), std::string(to_string(variable.causality)),
                   std::string(to_string(variable.variability)), start_text(variable),
                   variable.unit, std::to_string(variable.reference)});
    return table.empty() ? "  none\n" : table.to_string();
}

/// Names of enumeration values.
std::string items_text(const UnitDescription& fmu) {
    TextTable table({{"enumeration"}, {"items"}});
    for (const Variable& variable : fmu.variables) {
        if (!variable.items) continue;
        std::vector<std::string> items;
        for (const scenario::EnumerationItem& item : *variable.items)
            items.push_back(format("{} {}", item.name, item.value));
        table.add({variable.name, format("{}", fmt::join(items, ", "))});
    }
    return table.empty() ? "" : table.to_string();
}

std::string names_text(const UnitDescription& fmu,
                       const std::optional<std::vector<std::uint32_t>>& indices) {
    if (!indices) return "not declared";
    std::string names;
    for (const std::uint32_t index : *indices)
        names += (names.empty() ? "" : ", ") + fmu.variables.at(index).name;
    return names.empty() ? "no input" : names;
}

std::string structure_text(const UnitDescription& fmu) {
    TextTable table({{"output"}, {"depends on, in steps"}, {"at initialization"}});
    for (const scenario::Dependencies& entry : fmu.dependencies)
        table.add({fmu.variables.at(entry.output).name, names_text(fmu, entry.step),
                   names_text(fmu, entry.initial)});
    return table.empty() ? "  no outputs\n" : table.to_string();
}

void print_text(const UnitDescription& fmu) {
    const Style style(stdout);
    print(stdout, format("{}\n{}", style.bold(fmu.model), overview_text(fmu)));
    print_section(style, "Capabilities", capabilities_table(fmu.capabilities));
    print_section(style, "Default experiment", experiment_text(fmu.default_experiment));
    print_section(style, format("Variables ({})", fmu.variables.size()), variables_text(fmu));
    if (const std::string items = items_text(fmu); !items.empty())
        print_section(style, "Enumerations", items);
    print_section(style, "Structure", structure_text(fmu));
}

int inspect(const InspectOptions& options) {
    require_fmu(options.file);
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.strictness);
    const UnitDescription& fmu = library.describe(std::filesystem::path(options.file));
    if (options.json)
        print(stdout, to_json(fmu) + "\n");
    else
        print_text(fmu);
    return exit_code::success;
}

} // namespace

void add_inspect(Command& program, int& exit_code) {
    auto options = std::make_shared<InspectOptions>();
    Command& command =
        program.add_command("inspect", "Show the variables and capabilities of an FMU");
    command.add_option("fmu", options->file, "FMU to read")->required()->option_text("FILE.fmu");
    command.add_flag("--json", options->json, "print JSON")->group(group::output);
    add_strict_option(command, options->strictness);
    command.manual.examples = {{"rubato inspect winch.fmu", "Print tables for people."},
                               {"rubato inspect winch.fmu --json", "Print the same for programs."}};
    command.callback([options, &exit_code] { exit_code = inspect(*options); });
}

} // namespace rubato::cli
