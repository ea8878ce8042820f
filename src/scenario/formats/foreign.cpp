// SPDX-License-Identifier: Apache-2.0
#include "foreign.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace rubato::scenario::formats {

/// Names of units are made of letters, digits, _ and -.
std::string plain_name(const std::string& name) {
    std::string result = name;
    for (char& c : result) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                              static_cast<unsigned char>(c) >= 0x80;
        if (!is_plain) c = '_';
    }
    return result.empty() ? "unnamed" : result;
}

/// `name`, or `name_2` and so on.
std::string unique_name(const std::string& name, std::set<std::string>& taken) {
    std::string result = name;
    for (int copy = 2; !taken.insert(result).second; ++copy) result = format("{}_{}", name, copy);
    return result;
}

namespace {

/// "%20" is a blank. nullopt: something else follows a percent sign.
std::optional<std::string> decoded(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
            continue;
        }
        unsigned char byte = 0;
        const std::string_view digits = text.substr(i + 1, 2);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (error != std::errc{} || digits.size() != 2 || end != digits.data() + 2 || byte == 0)
            return std::nullopt;
        result += static_cast<char>(byte);
        i += 2;
    }
    return result;
}

/// "http" of "http://…"; empty: there is none.
std::string_view scheme_of(std::string_view uri) {
    const auto end = uri.find(':');
    if (end == std::string_view::npos || end < 2) return {}; // one letter is a drive of Windows
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '+' || c == '-' || c == '.';
    };
    const std::string_view scheme = uri.substr(0, end);
    return std::ranges::all_of(scheme, is_letter) ? scheme : std::string_view();
}

} // namespace

std::optional<std::filesystem::path> path_of_uri(const XmlSource& source, pugi::xml_node node,
                                                 const std::string& uri, std::string& fragment) {
    std::string_view rest = uri;
    if (const auto at = rest.find('#'); at != std::string_view::npos) {
        fragment = rest.substr(at + 1);
        rest = rest.substr(0, at);
    }
    const std::string_view scheme = scheme_of(rest);
    if (scheme == "file") {
        rest.remove_prefix(scheme.size() + 1);
        if (rest.starts_with("//")) rest.remove_prefix(2);
        if (rest.starts_with("localhost/")) rest.remove_prefix(9);
    } else if (!scheme.empty()) {
        source.error(
            node,
            format("\"{}\" cannot be read: files are found by a path, not by {}:", uri, scheme),
            "store the file next to the system, and name it by its path");
        return std::nullopt;
    }
    auto path = decoded(rest);
    if (!path) {
        source.error(node, format("\"{}\" is no URI: % is followed by two digits", uri));
        return std::nullopt;
    }
    std::ranges::replace(*path, '\\', '/');
    return std::filesystem::path(*path).lexically_normal();
}

std::optional<FmuReference> fmu_of_uri(const XmlSource& source, pugi::xml_node node,
                                       const std::string& uri) {
    FmuReference result;
    constexpr std::string_view proxy = "proxyfmu://", query = "?file=";
    const auto file = uri.find(query);
    result.is_isolated = uri.starts_with(proxy) && file != std::string::npos;
    if (!result.is_isolated) {
        const auto path = path_of_uri(source, node, uri, result.fragment);
        if (!path) return std::nullopt;
        result.path = *path;
        return result;
    }
    const std::string host = uri.substr(proxy.size(), file - proxy.size());
    if (host != "localhost" && host != "127.0.0.1") {
        source.error(node, format("\"{}\" is on another machine, \"{}\"", uri, host),
                     "copy the FMU to this one, and name it by its path");
        return std::nullopt;
    }
    const auto path = path_of_uri(source, node, uri.substr(file + query.size()), result.fragment);
    if (!path) return std::nullopt;
    result.path = *path;
    return result;
}

const Variable* find_variable(const UnitDescription* description, const std::string& name) {
    if (!description) return nullptr;
    const auto find = [&](std::string_view each) { return description->find_variable(each); };
    const auto part = find_part(description->variables, name, find);
    return part ? &description->variables[part->variable] : nullptr;
}

namespace {

/// An integer where that is wanted, if the real is one.
Value whole_number(const Value& value) {
    constexpr double most_exact = 9007199254740992.0; // 2^53
    const auto* const real = std::get_if<double>(&value);
    if (!real || std::trunc(*real) != *real || std::abs(*real) > most_exact) return value;
    return static_cast<std::int64_t>(*real);
}

} // namespace

void add_value(Unit& unit, Assignment assignment, const Variable* variable,
               bool is_declared_parameter, Diagnostics& diagnostics) {
    bool is_among_parameters = is_declared_parameter;
    if (variable) {
        const bool is_free = variable->variability != Variability::constant &&
                             variable->initial != Initial::calculated &&
                             variable->causality != Causality::calculated_parameter &&
                             variable->causality != Causality::independent;
        if (!is_free) {
            diagnostics.warning(assignment.where,
                                format("\"{}\" of unit \"{}\" is not set: the FMU computes it",
                                       assignment.variable, unit.name));
            return;
        }
        is_among_parameters = is_parameter(variable->causality);
        if (storage_of(variable->type) == Storage::integer) {
            assignment.value = whole_number(assignment.value);
            for (Value& element : assignment.elements) element = whole_number(element);
        }
    }
    auto& all = is_among_parameters ? unit.parameters : unit.start;
    std::erase_if(all, [&](const Assignment& other) {
        return other.variable == assignment.variable; // the last one counts
    });
    all.push_back(std::move(assignment));
}

void add_declared_parameters(Unit& unit, const UnitDescription& description) {
    for (const Variable& variable : description.variables) {
        const bool is_set = std::ranges::find(unit.parameters, variable.name,
                                              &Assignment::variable) != unit.parameters.end();
        const bool is_free = variable.causality == Causality::parameter &&
                             variable.variability != Variability::constant &&
                             variable.initial != Initial::calculated;
        if (is_set || !is_free || !variable.start || variable.is_array()) continue;
        const auto* const text = std::get_if<std::string>(&*variable.start);
        if (text && text->empty()) continue;
        unit.parameters.push_back({variable.name, *variable.start, unit.where, {}, {}});
    }
}

} // namespace rubato::scenario::formats
