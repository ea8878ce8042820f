// SPDX-License-Identifier: Apache-2.0
#include "start_values.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

namespace rubato::unit {

using scenario::Causality;
using scenario::Initial;
using scenario::Variable;

namespace {

constexpr std::size_t most_warnings = 10;

std::vector<Value> taken(const Bulk& bulk, std::size_t first, std::size_t count) {
    return with_type_of(storage_of(bulk.type), [&]<class T>() {
        const auto part = bulk.as<T>().subspan(first, count);
        return std::vector<Value>(part.begin(), part.end());
    });
}

std::optional<std::vector<Value>> read(const StartValues::TryGet& try_get, ValueType type,
                                       std::span<const ValueRef> references,
                                       std::span<const Part> parts, std::size_t count) {
    return with_type_of(storage_of(type), [&]<class T>() -> std::optional<std::vector<Value>> {
        const auto values = std::make_unique<T[]>(count);
        if (!try_get({type, references, values.get(), count, parts})) return std::nullopt;
        return std::vector<Value>(values.get(), values.get() + count);
    });
}

/// Descriptions are written with few digits at times; FMUs keep values as float32, or in another
/// unit of measure.
bool is_same(const Value& expected, const Value& actual, double tolerance) {
    const double* const a = std::get_if<double>(&expected);
    const double* const b = std::get_if<double>(&actual);
    if (!a || !b) return expected == actual;
    if (*a == *b || (std::isnan(*a) && std::isnan(*b))) return true;
    constexpr double least = 1e-12;
    return std::abs(*a - *b) <=
           tolerance * std::max(std::abs(*a), std::abs(*b)) + least * tolerance;
}

std::string text_of(const Value& value, ValueType type) {
    if (type == ValueType::binary) return "other bytes";
    if (type == ValueType::string) return format("\"{}\"", rubato::to_string(value));
    return to_string(value, type);
}

std::string_view kind_of(const Variable& variable) {
    switch (variable.causality) {
    case Causality::parameter: return "parameter";
    case Causality::structural_parameter: return "structural parameter";
    case Causality::input: return "input";
    case Causality::output: return "output";
    default: return "variable";
    }
}

/// Whether the unit is to take the start value as it is.
bool is_exact(const Variable& variable) {
    return variable.initial == Initial::exact || variable.initial == Initial::unspecified;
}

} // namespace

void StartValues::follow(const Bulk& values) {
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t count) {
        const Key key{storage_of(values.type), reference};
        const bool is_new = touched_.insert(key).second;
        if (!is_new)
            std::erase_if(entries_, [&](const Entry& entry) {
                return Key{storage_of(entry.type), entry.reference} == key;
            });
        if (stage_ == Stage::before)
            entries_.push_back(
                {values.type, reference, !values.parts.empty(), taken(values, first, count)});
    });
}

void StartValues::set_all(const std::function<void(const Bulk&)>& set) const {
    for (const Entry& entry : entries_) {
        with_type_of(storage_of(entry.type), [&]<class T>() {
            const std::size_t count = entry.values.size();
            const auto values = std::make_unique<T[]>(count);
            std::ranges::transform(entry.values, values.get(),
                                   [](const Value& value) { return std::get<T>(value); });
            const auto size = static_cast<std::uint32_t>(count);
            const Part whole{0, size, size};
            set({entry.type,
                 {&entry.reference, 1},
                 values.get(),
                 count,
                 {&whole, std::size_t{entry.is_array ? 1u : 0u}}});
        });
    }
}

/// Of aliases the one that can be set.
const Variable* StartValues::find_variable(const Entry& entry) const {
    const Variable* found = nullptr;
    for (const Variable& variable : description_.variables) {
        if (variable.type != entry.type || variable.reference != entry.reference) continue;
        const bool is_better =
            variable.causality == Causality::input || is_parameter(variable.causality);
        if (!found || is_better) found = &variable;
    }
    return found;
}

void StartValues::add_set(std::vector<Expected>& all) const {
    for (const Entry& entry : entries_) {
        const Variable* const variable = find_variable(entry);
        if (variable && variable->type != ValueType::clock && is_exact(*variable))
            all.push_back({variable, entry.values, true});
    }
}

/// The size of an array may have been changed through structural parameters, which the description
/// does not show.
void StartValues::add_described(std::vector<Expected>& all) const {
    for (const Variable& variable : description_.variables) {
        if (!is_parameter(variable.causality) || !is_exact(variable)) continue;
        if (touched_.contains({storage_of(variable.type), variable.reference})) continue;
        const bool has_fixed_size =
            std::ranges::none_of(variable.dimensions, [](const auto& dimension) {
                return dimension.parameter.has_value();
            });
        if (!has_fixed_size) continue;
        const std::size_t count = variable.element_count();
        std::vector<Value> values = variable.start_elements;
        if (values.empty() && variable.start) values.assign(1, *variable.start);
        if (values.size() == 1) values.resize(count, Value(values.front()));
        if (!values.empty() && values.size() == count)
            all.push_back({&variable, std::move(values), false});
    }
}

std::vector<StartValues::Expected> StartValues::expected() const {
    std::vector<Expected> all;
    add_set(all);
    add_described(all);
    return all;
}

/// Scalars of one type are read by one call, unless that is refused.
void StartValues::check(const TryGet& try_get) {
    stage_ = Stage::over;
    const std::vector<Expected> all = expected();
    std::map<ValueType, std::vector<const Expected*>> scalars;
    const auto check_one = [&](const Expected& each) {
        const auto size = static_cast<std::uint32_t>(each.values.size());
        const Part whole{0, size, size};
        const Variable& variable = *each.variable;
        const std::span parts(&whole, variable.is_array() ? 1 : 0);
        if (const auto actual = read(try_get, variable.type, {&variable.reference, 1}, parts, size))
            warn(each, *actual);
    };
    for (const Expected& each : all) {
        if (each.variable->is_array())
            check_one(each);
        else
            scalars[each.variable->type].push_back(&each);
    }
    for (const auto& [type, group] : scalars) {
        std::vector<ValueRef> references;
        for (const Expected* each : group) references.push_back(each->variable->reference);
        const auto actual = read(try_get, type, references, {}, references.size());
        for (std::size_t i = 0; i < group.size(); ++i) {
            if (actual)
                warn(*group[i], {(*actual)[i]});
            else if (group.size() > 1)
                check_one(*group[i]);
        }
    }
    if (warnings_ > most_warnings)
        log_.write(LogLevel::warning, unit_,
                   format("{} more variables are not what was set, or described, after "
                          "initialization",
                          warnings_ - most_warnings));
    entries_ = {};
    touched_ = {};
}

void StartValues::warn(const Expected& expected, const std::vector<Value>& actual) {
    const Variable& variable = *expected.variable;
    const double tolerance = expected.was_set ? 1e-6 : 1e-5;
    const auto [wanted, got] =
        std::ranges::mismatch(expected.values, actual, [&](const Value& a, const Value& b) {
            return is_same(a, b, tolerance);
        });
    if (wanted == expected.values.end() || ++warnings_ > most_warnings) return;
    const auto element = static_cast<std::uint32_t>(wanted - expected.values.begin());
    const std::string name =
        format("{} \"{}\"", kind_of(variable),
               variable.is_array() ? scenario::element_name(variable, element) : variable.name);
    const std::string was = text_of(*wanted, variable.type), is = text_of(*got, variable.type);
    log_.write(LogLevel::warning, unit_,
               expected.was_set
                   ? format("{} was set to {}, but is {} after initialization", name, was, is)
                   : format("{} is {} after initialization, not {} as the model description says; "
                            "set it if that matters",
                            name, is, was));
}

} // namespace rubato::unit
