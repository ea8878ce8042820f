// SPDX-License-Identifier: Apache-2.0
#include "yaml_parts.hpp"
#include "yaml_settings.hpp"

namespace rubato::scenario::formats {

namespace {

/// Whether it names a variable of a unit, which is reported otherwise.
bool check_inner_name(Reporter& reporter, const std::string& name, Mark mark) {
    if (split_port_name(name)) return true;
    reporter.error(mark, format("\"{}\" names no variable of a unit", name),
                   "write unit.variable, such as wheel1.z");
    return false;
}

/// `[wheel1.F]`: each keeps its name.
void read_exposed_list(Reporter& reporter, const std::string& path, const Node& node,
                       std::vector<ExposedVariable>& variables) {
    variables.clear();
    for (const Node& item : node.items) {
        const auto name = read_as<std::string>(reporter, path, item);
        if (name && check_inner_name(reporter, *name, item.mark))
            variables.push_back({*name, {*name}, reporter.locate(item.mark)});
    }
}

/// `wheel1.F`, or `[wheel1.z, wheel2.z]`
void read_exposed(Reporter& reporter, const std::string& path, const Entry& entry,
                  ExposedVariable& variable) {
    variable.of.clear();
    if (entry.value.kind == Kind::sequence) {
        if (auto names = read_as<std::vector<std::string>>(reporter, path, entry.value))
            variable.of = std::move(*names);
        if (variable.of.empty())
            reporter.error(entry.mark, format("{} stands for no variable", path),
                           "write unit.variable, or a list of them");
    } else if (auto name = read_as<std::string>(reporter, path, entry.value)) {
        variable.of = {std::move(*name)};
    }
    for (const std::string& name : variable.of)
        (void)check_inner_name(reporter, name, entry.value.mark);
}

void update_exposed(Reporter& reporter, MapReader& interface, std::string_view key,
                    std::vector<ExposedVariable>& variables) {
    const Entry* const entry = interface.find(key);
    if (!entry) return;
    const std::string path = interface.path_of(key);
    if (entry->value.kind == Kind::sequence) {
        read_exposed_list(reporter, path, entry->value, variables);
        return;
    }
    update_named(reporter, path, entry->value, variables, &ExposedVariable::name,
                 [&](const Entry& item, ExposedVariable& variable) {
                     read_exposed(reporter, path + "." + item.key, item, variable);
                 });
}

} // namespace

void update_interface(Reporter& reporter, const Entry& section,
                      std::optional<InterfaceSettings>& interface) {
    if (!interface) interface.emplace();
    prepare(reporter, section, *interface);
    MapReader map(reporter, "interface", section.value);
    update_exposed(reporter, map, "inputs", interface->inputs);
    update_exposed(reporter, map, "outputs", interface->outputs);
    update_exposed(reporter, map, "parameters", interface->parameters);
    map.report_unknown_keys();
}

} // namespace rubato::scenario::formats
