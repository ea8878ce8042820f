// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/words.hpp>
#include <rubato/scenario/yaml.hpp>

#include <type_traits>

namespace rubato::scenario {

namespace {

std::string kind_of(double) { return "number"; }
std::string kind_of(bool) { return "true | false"; }
std::string kind_of(int) { return "whole number"; }
std::string kind_of(const std::string&) { return "text"; }
std::string kind_of(const std::vector<std::string>&) { return "list of texts"; }

template <class Enum>
requires std::is_enum_v<Enum> std::string kind_of(Enum) {
    std::vector<std::string_view> list;
    for (const auto& word : words<Enum>()) list.push_back(word.text);
    return format("{}", fmt::join(list, " | "));
}

template <class T>
std::string kind_of(const std::optional<T>&) {
    return kind_of(T{});
}

std::string default_of(double value) { return shortest(value); }
std::string default_of(bool value) { return value ? "true" : "false"; }
std::string default_of(int value) { return std::to_string(value); }
std::string default_of(const std::vector<std::string>&) { return "[]"; }

template <class Enum>
requires std::is_enum_v<Enum> std::string default_of(Enum value) {
    return std::string(to_string(value));
}

template <class T>
std::string default_of(const std::optional<T>&) {
    return "not given";
}

template <class Settings>
std::string section_reference(std::string_view section) {
    std::string text = format("{}:\n", section);
    const Settings defaults;
    Settings::fields(defaults,
                     [&](std::string_view key, const auto& member, std::string_view help) {
                         text += format("  {}: {}; default: {}\n      {}\n", key, kind_of(member),
                                        default_of(member), help);
                     });
    return text;
}

} // namespace

std::string settings_reference() {
    return section_reference<SolverSettings>("units.<name>.solver") +
           section_reference<IsolationSettings>("units.<name>.isolate") +
           section_reference<LoggingSettings>("units.<name>.logging") +
           section_reference<Experiment>("experiment") +
           section_reference<StepControl>("step-control") +
           section_reference<AlgorithmSettings>("algorithm") +
           section_reference<LoopSettings>("loops") + section_reference<EventSettings>("events") +
           section_reference<Recording>("record");
}

} // namespace rubato::scenario
