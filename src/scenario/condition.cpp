// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/scenario/scenario.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <vector>

namespace rubato::scenario {

namespace {

constexpr std::array<std::string_view, 3> signs = {"=", ">", "<"}; ///< by Relation

} // namespace

std::string_view to_string(Relation relation) {
    return signs.at(static_cast<std::size_t>(relation));
}

std::optional<Condition> parse_condition(std::string_view text) {
    std::istringstream stream{std::string(text)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.size() != 1 && words.size() != 3) return std::nullopt;

    const auto name = split_port_name(words[0]);
    if (!name) return std::nullopt;
    Condition condition{.unit = name->unit, .output = name->port, .where = {}};
    if (words.size() == 1) return condition;

    const auto sign = std::ranges::find(signs, words[1]);
    if (sign == signs.end()) return std::nullopt;
    condition.relation = static_cast<Relation>(sign - signs.begin());
    const char* const end = words[2].data() + words[2].size();
    const auto [rest, error] = std::from_chars(words[2].data(), end, condition.value);
    if (error != std::errc() || rest != end) return std::nullopt;
    return condition;
}

std::string to_string(const Condition& condition) {
    const std::string name = condition.unit + "." + condition.output;
    if (condition.relation == Relation::equals && condition.value == 1) return name;
    return name + " " + std::string(to_string(condition.relation)) + " " +
           shortest(condition.value);
}

} // namespace rubato::scenario
