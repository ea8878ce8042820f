// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/words.hpp>
#include <rubato/scenario/yaml.hpp>

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

std::string values_of(double) { return "number"; }
std::string values_of(bool) { return "`true`, `false`"; }
std::string values_of(int) { return "integer"; }
std::string values_of(const std::string&) { return "text"; }
std::string values_of(const std::vector<std::string>&) { return "list of texts"; }

template <class Enum>
requires std::is_enum_v<Enum> std::string values_of(Enum) {
    std::vector<std::string> list;
    for (const auto& word : words<Enum>()) list.push_back(code(word.text));
    return format("{}", fmt::join(list, ", "));
}

template <class T>
std::string values_of(const std::optional<T>&) {
    return values_of(T{});
}

std::string default_of(double value) { return code(shortest(value)); }
std::string default_of(bool value) { return code(value ? "true" : "false"); }
std::string default_of(int value) { return code(std::to_string(value)); }
std::string default_of(const std::vector<std::string>&) { return "`[]`"; }

template <class Enum>
requires std::is_enum_v<Enum> std::string default_of(Enum value) { return code(to_string(value)); }

template <class T>
std::string default_of(const std::optional<T>&) {
    return "–";
}

template <class Settings>
std::string section_reference(std::string_view section) {
    std::string text =
        format("## `{}`\n\n| key | values | default | meaning |\n|---|---|---|---|\n", section);
    const Settings defaults;
    Settings::fields(defaults,
                     [&](std::string_view key, const auto& member, std::string_view help) {
                         text += format("| `{}` | {} | {} | {} |\n", key, values_of(member),
                                        default_of(member), cell(help));
                     });
    return text;
}

} // namespace

std::string settings_reference() {
    const std::string sections[] = {
        section_reference<Experiment>("experiment"),
        section_reference<AlgorithmSettings>("algorithm"),
        section_reference<LoopSettings>("loops"),
        section_reference<StepControlSettings>("step-control"),
        section_reference<CommunicationSettings>("communication"),
        section_reference<EventSettings>("events"),
        section_reference<Recording>("record"),
        section_reference<SolverSettings>("units.<name>.solver"),
        section_reference<IsolationSettings>("units.<name>.isolate"),
        section_reference<LoggingSettings>("units.<name>.logging"),
    };
    return format("{}", fmt::join(sections, "\n"));
}

} // namespace rubato::scenario
