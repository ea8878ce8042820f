// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/settings.hpp>
#include <rubato/scenario/sweep_settings.hpp>
#include <rubato/scenario/words.hpp>
#include <rubato/scenario/yaml.hpp>

#include <optional>
#include <type_traits>

namespace rubato::scenario {

namespace {

/// Markdown: a cell of a table cannot hold a bare "|".
std::string cell(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string code(std::string_view text) { return format("`{}`", text); }

std::string type_of(double) { return "number"; }
std::string type_of(bool) { return "boolean"; }
std::string type_of(int) { return "integer"; }
std::string type_of(const std::string&) { return "text"; }
std::string type_of(const std::vector<std::string>&) { return "list of texts"; }

template <class Enum>
requires std::is_enum_v<Enum> std::string type_of(Enum) { return "choice"; }

template <class T>
std::string type_of(const std::optional<T>&) {
    return type_of(T{});
}

template <class T>
struct ValueOf {
    using Type = T;
};
template <class T>
struct ValueOf<std::optional<T>> {
    using Type = T;
};

template <class T>
std::vector<std::string> choices_of() {
    std::vector<std::string> list;
    if constexpr (std::is_enum_v<T>)
        for (const auto& word : words<T>()) list.emplace_back(word.text);
    return list;
}

std::optional<std::string> default_of(double value) { return shortest(value); }
std::optional<std::string> default_of(bool value) { return value ? "true" : "false"; }
std::optional<std::string> default_of(int value) { return std::to_string(value); }
std::optional<std::string> default_of(const std::vector<std::string>&) { return "[]"; }

template <class Enum>
requires std::is_enum_v<Enum> std::optional<std::string> default_of(Enum value) {
    return std::string(to_string(value));
}

template <class T>
std::optional<std::string> default_of(const std::optional<T>&) {
    return std::nullopt;
}

template <class Settings>
void add_section(std::string_view section, std::vector<Setting>& all) {
    const Settings defaults;
    Settings::fields(
        defaults, [&](std::string_view key, const auto& member, std::string_view meaning) {
            using Value = typename ValueOf<std::remove_cvref_t<decltype(member)>>::Type;
            all.push_back({std::string(section), std::string(key), type_of(member),
                           choices_of<Value>(), default_of(member), std::string(meaning)});
        });
}

std::string values_text(const Setting& setting) {
    if (setting.type == "boolean") return "`true`, `false`";
    if (setting.choices.empty()) return setting.type;
    std::vector<std::string> list;
    for (const std::string& choice : setting.choices) list.push_back(code(choice));
    return format("{}", fmt::join(list, ", "));
}

std::string row_text(const Setting& setting) {
    return format("| `{}` | {} | {} | {} |\n", setting.key, values_text(setting),
                  setting.default_value ? code(*setting.default_value) : "–",
                  cell(setting.meaning));
}

} // namespace

std::vector<Setting> settings() {
    std::vector<Setting> all;
    add_section<Experiment>("experiment", all);
    add_section<AlgorithmSettings>("algorithm", all);
    add_section<LoopSettings>("loops", all);
    add_section<StepControlSettings>("step-control", all);
    add_section<CommunicationSettings>("communication", all);
    add_section<EventSettings>("events", all);
    add_section<Recording>("record", all);
    add_section<SweepSettings>("sweep", all);
    add_section<SolverSettings>("units.<name>.solver", all);
    add_section<IsolationSettings>("units.<name>.isolate", all);
    add_section<LoggingSettings>("units.<name>.logging", all);
    return all;
}

std::string settings_reference() {
    std::string text;
    std::string section;
    for (const Setting& setting : settings()) {
        if (setting.section != section) {
            text += format("{}## `{}`\n\n| key | values | default | meaning |\n|---|---|---|---|\n",
                           section.empty() ? "" : "\n", setting.section);
            section = setting.section;
        }
        text += row_text(setting);
    }
    return text;
}

} // namespace rubato::scenario
