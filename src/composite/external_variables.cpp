// SPDX-License-Identifier: Apache-2.0
#include "external_variables.hpp"

namespace rubato::composite {

namespace {

std::size_t size_of(const Bulk& values, std::size_t i) {
    return values.parts.empty() ? 1 : values.parts[i].count;
}

std::span<const Part> parts_of(const Bulk& values, std::size_t first, std::size_t count) {
    return values.parts.empty() ? values.parts : values.parts.subspan(first, count);
}

} // namespace

void* value_at(const Bulk& values, std::size_t index) {
    return with_type_of(storage_of(values.type),
                        [&]<class T>() -> void* { return static_cast<T*>(values.data) + index; });
}

ExternalVariables::ExternalVariables(const Interface& interface,
                                     std::span<const std::unique_ptr<unit::Unit>> units)
    : interface_(interface) {
    for (const std::vector<InnerVariable>& all : interface.stands_for) {
        first_.push_back(static_cast<std::uint32_t>(targets_.size()));
        for (const InnerVariable& inner : all) {
            unit::Unit& unit = *units[inner.unit.value];
            targets_.push_back({&unit, unit.description().variables[inner.variable].reference});
        }
    }
    first_.push_back(static_cast<std::uint32_t>(targets_.size()));
    references_.reserve(interface.stands_for.size());
}

template <class Use>
void ExternalVariables::for_each_run(const Bulk& values, Use&& use) {
    const std::size_t size = values.references.size();
    std::size_t value = 0;
    for (std::size_t first = 0; first < size;) {
        unit::Unit& unit = *targets(values.references[first]).front().unit;
        references_.clear();
        std::size_t end = first, count = 0;
        for (; end < size && references_.size() < references_.capacity(); ++end) {
            const Target& target = targets(values.references[end]).front();
            if (target.unit != &unit) break;
            references_.push_back(target.reference);
            count += size_of(values, end);
        }
        use(unit, Bulk{values.type, references_, value_at(values, value), count,
                       parts_of(values, first, end - first)});
        value += count;
        first = end;
    }
}

void ExternalVariables::get(const Bulk& values) {
    std::size_t value = 0;
    for (std::size_t first = 0; first < values.references.size();) {
        const std::size_t start = value;
        std::size_t end = first;
        for (; end < values.references.size() && !is_recorded(values.references[end]); ++end)
            value += size_of(values, end);
        if (end > first) {
            for_each_run({values.type, values.references.subspan(first, end - first),
                          value_at(values, start), value - start,
                          parts_of(values, first, end - first)},
                         [](unit::Unit& unit, const Bulk& run) { unit.get(run); });
        } else {
            const std::size_t count = size_of(values, first);
            const std::size_t column = *interface_.columns[values.references[first]];
            with_type_of(storage_of(values.type), [&]<class T>() {
                for (std::size_t e = 0; e < count; ++e)
                    *static_cast<T*>(value_at(values, value + e)) =
                        *static_cast<const T*>(columns_[column + e].value);
            });
            value += count;
            ++end;
        }
        first = end;
    }
}

void ExternalVariables::set(const Bulk& values) {
    for_each_run(values, [](unit::Unit& unit, const Bulk& run) { unit.set(run); });
    std::size_t value = 0;
    for (std::size_t i = 0; i < values.references.size(); ++i) {
        const std::size_t count = size_of(values, i);
        for (const Target& other : targets(values.references[i]).subspan(1))
            other.unit->set({values.type,
                             {&other.reference, 1},
                             value_at(values, value),
                             count,
                             parts_of(values, i, 1)});
        value += count;
    }
}

} // namespace rubato::composite
