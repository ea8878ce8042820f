// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/words.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <array>
#include <type_traits>

namespace rubato::scenario {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Words that some YAML reader takes for something other than text.
bool is_reserved(std::string_view text) {
    static constexpr std::array<std::string_view, 7> reserved = {"null", "true", "false", "yes",
                                                                 "no",   "on",   "off"};
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return std::ranges::find(reserved, lower) != reserved.end();
}

/// Whether the text may stand without quotes, wherever it stands.
bool is_plain(std::string_view text) {
    if (text.empty() || !is_letter(text[0]) || is_reserved(text)) return false;
    return std::ranges::all_of(text, [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') ||
               std::string_view("-./()").find(c) != std::string_view::npos;
    });
}

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            result += format("\\x{:02x}", byte);
            continue;
        }
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string to_yaml(const std::string& text) { return is_plain(text) ? text : in_quotes(text); }
std::string to_yaml(bool flag) { return flag ? "true" : "false"; }
std::string to_yaml(std::int64_t integer) { return std::to_string(integer); }
std::string to_yaml(int integer) { return std::to_string(integer); }

/// Always recognizable as a real: 1.0, not 1.
std::string to_yaml(double real) {
    std::string text = shortest(real);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

template <class Enum>
requires std::is_enum_v<Enum> std::string to_yaml(Enum value) {
    return std::string(to_string(value));
}

std::string to_yaml(const std::vector<std::string>& texts) {
    std::vector<std::string> items;
    for (const std::string& text : texts) items.push_back(to_yaml(text));
    return format("[{}]", fmt::join(items, ", "));
}

/// A text stays one: it is always quoted, so that "1.0" does not come back as a number.
std::string to_yaml(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
    return std::visit([](const auto& v) { return to_yaml(v); }, value);
}

/// `{factor: 2.0, offset: 1.0}`, of what there is.
class InlineMap {
public:
    template <class T>
    InlineMap& add(std::string_view key, const std::optional<T>& value) {
        if (value) items_.push_back(format("{}: {}", key, to_yaml(*value)));
        return *this;
    }
    std::string text() const { return format("{{{}}}", fmt::join(items_, ", ")); }

private:
    std::vector<std::string> items_;
};

/// Collects lines `key: value`.
class Lines {
public:
    void add(int depth, std::string_view key, std::string_view value = {}) {
        text_.append(2 * static_cast<std::size_t>(depth), ' ').append(key).append(":");
        if (!value.empty()) text_.append(" ").append(value);
        text_ += '\n';
    }
    void add_item(std::string_view item) { text_.append("  - ").append(item).append("\n"); }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

/// Writes what `fields()` lists, but for what is absent.
class SettingsWriter {
public:
    explicit SettingsWriter(Lines& lines) : lines_(lines) {}

    template <class T>
    void operator()(std::string_view key, const T& member, std::string_view) {
        lines_.add(1, key, to_yaml(member));
    }
    template <class T>
    void operator()(std::string_view key, const std::optional<T>& member, std::string_view) {
        if (member) lines_.add(1, key, to_yaml(*member));
    }

private:
    Lines& lines_;
};

template <class Settings>
void write_settings(Lines& lines, std::string_view section, const Settings& settings) {
    lines.add(0, section);
    Settings::fields(settings, SettingsWriter(lines));
}

void write_assignments(Lines& lines, std::string_view section,
                       const std::vector<Assignment>& assignments) {
    if (assignments.empty()) return;
    lines.add(2, section);
    for (const Assignment& assignment : assignments) {
        lines.add(3, to_yaml(assignment.variable), to_yaml(assignment.value));
    }
}

void write_inputs(Lines& lines, const std::vector<InputSettings>& inputs) {
    if (inputs.empty()) return;
    lines.add(2, "inputs");
    for (const InputSettings& input : inputs) {
        InlineMap map;
        map.add("approximation", input.approximation);
        map.add("mode", input.mode).add("contract", input.contract);
        lines.add(3, to_yaml(input.name), map.text());
    }
}

void write_outputs(Lines& lines, const std::vector<OutputSettings>& outputs) {
    if (outputs.empty()) return;
    lines.add(2, "outputs");
    for (const OutputSettings& output : outputs) {
        InlineMap map;
        map.add("feedthrough", output.feedthrough);
        map.add("feedthrough-initial", output.feedthrough_initial);
        lines.add(3, to_yaml(output.name), map.text());
    }
}

void write_unit(Lines& lines, const Unit& unit) {
    lines.add(1, to_yaml(unit.name));
    if (unit.fmu) lines.add(2, "fmu", to_yaml(unit.fmu->string()));
    if (unit.model) lines.add(2, "model", to_yaml(*unit.model));
    write_assignments(lines, "parameters", unit.parameters);
    write_assignments(lines, "start", unit.start);
    write_inputs(lines, unit.inputs);
    write_outputs(lines, unit.outputs);
    if (unit.can_reject_step) lines.add(2, "can-reject-step", to_yaml(*unit.can_reject_step));
}

void write_connection(Lines& lines, const Connection& connection) {
    const std::string from = connection.from_unit + "." + connection.from_port;
    const std::string to = connection.to_unit + "." + connection.to_port;
    const bool plain = is_plain(from) && is_plain(to);
    const std::string arrow = from + " -> " + to;
    const std::string text = plain ? arrow : in_quotes(arrow);
    if (connection.factor == 1 && connection.offset == 0) {
        lines.add_item(text);
        return;
    }
    InlineMap map;
    if (connection.factor != 1) map.add("factor", std::optional(connection.factor));
    if (connection.offset != 0) map.add("offset", std::optional(connection.offset));
    lines.add_item(text + ": " + map.text());
}

} // namespace

std::string write_yaml(const Scenario& scenario) {
    Lines lines;
    lines.add(0, "rubato", "1");
    if (!scenario.name.empty()) lines.add(0, "name", to_yaml(scenario.name));
    lines.add(0, "units");
    for (const Unit& unit : scenario.units) write_unit(lines, unit);
    if (!scenario.connections.empty()) lines.add(0, "connections");
    for (const Connection& connection : scenario.connections) write_connection(lines, connection);
    write_settings(lines, "experiment", scenario.experiment);
    write_settings(lines, "algorithm", scenario.algorithm);
    write_settings(lines, "record", scenario.recording);
    return lines.take();
}

} // namespace rubato::scenario
