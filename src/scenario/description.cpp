// SPDX-License-Identifier: Apache-2.0
#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/description.hpp>

#include <algorithm>

namespace rubato::scenario {

std::optional<std::uint32_t> UnitDescription::find_variable(std::string_view name) const {
    const auto found = std::ranges::find(variables, name, &Variable::name);
    if (found == variables.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - variables.begin());
}

std::uint32_t Variable::element_count() const {
    std::uint64_t count = 1;
    for (const Dimension& dimension : dimensions) {
        if (dimension.size > max_elements) return max_elements;
        count = std::min<std::uint64_t>(count * dimension.size, max_elements);
    }
    return static_cast<std::uint32_t>(count);
}

std::optional<std::int64_t> Variable::find_item(std::string_view item) const {
    if (!items) return std::nullopt;
    const auto found = std::ranges::find(*items, item, &EnumerationItem::name);
    return found == items->end() ? std::nullopt : std::optional(found->value);
}

std::string element_name(const Variable& variable, std::uint32_t element) {
    if (!variable.is_array()) return variable.name;
    std::vector<std::uint64_t> subscripts;
    for (std::size_t d = variable.dimensions.size(); d-- > 0;) {
        const std::uint64_t size = variable.dimensions[d].size;
        subscripts.insert(subscripts.begin(), element % size + 1);
        element = static_cast<std::uint32_t>(element / size);
    }
    return format("{}[{}]", variable.name, fmt::join(subscripts, ","));
}

namespace {

/// Which element the text between the brackets means.
std::optional<std::uint32_t> find_element(const Variable& variable, std::string_view subscripts) {
    std::uint64_t element = 0;
    for (std::size_t d = 0; d < variable.dimensions.size(); ++d) {
        const bool is_last = d + 1 == variable.dimensions.size();
        const std::size_t end = is_last ? subscripts.size() : subscripts.find(',');
        if (end == std::string_view::npos) return std::nullopt;
        const auto subscript = files::parse_integer(files::trimmed(subscripts.substr(0, end)));
        const std::uint64_t size = variable.dimensions[d].size;
        if (!subscript || *subscript < 1 || static_cast<std::uint64_t>(*subscript) > size)
            return std::nullopt;
        element = element * size + static_cast<std::uint64_t>(*subscript - 1);
        if (!is_last) subscripts.remove_prefix(end + 1);
    }
    return static_cast<std::uint32_t>(element);
}

} // namespace

std::optional<VariablePart>
find_part(const std::vector<Variable>& variables, std::string_view name,
          const std::function<std::optional<std::uint32_t>(std::string_view)>& find) {
    if (const auto index = find(name)) return VariablePart{*index, std::nullopt};
    const std::size_t bracket = name.rfind('[');
    if (bracket == std::string_view::npos || !name.ends_with(']')) return std::nullopt;
    const auto index = find(name.substr(0, bracket));
    if (!index || !variables[*index].is_array()) return std::nullopt;
    const auto subscripts = name.substr(bracket + 1, name.size() - bracket - 2);
    const auto element = find_element(variables[*index], subscripts);
    if (!element) return std::nullopt;
    return VariablePart{*index, element};
}

} // namespace rubato::scenario
