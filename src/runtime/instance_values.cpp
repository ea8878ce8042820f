// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include <rubato/private/format.hpp>

namespace rubato::runtime {

using scenario::Causality;

namespace {

std::size_t bytes_of(ValueType type) {
    return with_type_of(storage_of(type), []<class T>() { return sizeof(T); });
}

} // namespace

ValueType Instance::type_of(ValueRef reference) const {
    return is_added(reference) ? ValueType::float64 : variable(reference).type;
}

std::string Instance::name_of(ValueRef reference) const {
    if (is_time(reference)) return "time";
    if (!is_added(reference)) return variable(reference).name;
    return format("der({})", variable(derivative_inputs_[reference - exposed_].input).name);
}

std::size_t Instance::count(std::span<const ValueRef> references, TypeSet types) const {
    std::size_t total = 0;
    for (const ValueRef reference : references) {
        if (reference > time_reference()) throw Error(format("there is no variable {}", reference));
        if (!types.contains(type_of(reference)))
            throw Error(format("variable \"{}\" is of type {}, which this function does not access",
                               name_of(reference), to_string(type_of(reference))));
        total += is_added(reference) ? 1 : variable(reference).element_count();
    }
    return total;
}

template <class Use>
void Instance::for_each_run(std::span<const ValueRef> references, char* values, Use&& use) {
    std::size_t first = 0;
    while (first < references.size()) {
        const ValueType type = type_of(references[first]);
        const bool added = is_added(references[first]);
        std::size_t end = first, total = 0;
        bool any_array = false;
        parts_.clear();
        for (; end < references.size(); ++end) {
            const ValueRef reference = references[end];
            if (is_added(reference) != added || type_of(reference) != type) break;
            const std::uint32_t size = added ? 1 : variable(reference).element_count();
            any_array |= !added && variable(reference).is_array();
            parts_.push_back({0, size, size});
            total += size;
        }
        use(Bulk{type, references.subspan(first, end - first), values, total,
                 any_array ? std::span<const Part>(parts_) : std::span<const Part>()});
        values += total * bytes_of(type);
        first = end;
    }
}

void Instance::get(std::span<const ValueRef> references, void* values) {
    for_each_run(references, static_cast<char*>(values), [&](const Bulk& run) {
        if (!is_added(run.references.front())) return unit_->get(run);
        for (std::size_t i = 0; i < run.count; ++i)
            run.reals()[i] = is_time(run.references[i])
                                 ? last_step_.reached.seconds
                                 : derivatives_[run.references[i] - exposed_];
    });
}

void Instance::require_settable(ValueRef reference) const {
    require(!is_time(reference), "time cannot be set: it is that of the steps");
    if (is_added(reference)) return;
    const scenario::Variable& variable = this->variable(reference);
    if (variable.causality == Causality::output)
        throw Error(format("\"{}\" is an output, which cannot be set", variable.name));
    const bool has_started =
        unit_->phase() != unit::Phase::instantiated && unit_->phase() != unit::Phase::initializing;
    if (variable.causality == Causality::parameter && has_started &&
        variable.variability != scenario::Variability::tunable)
        throw Error(format("parameter \"{}\" cannot be set after initialization", variable.name));
}

void Instance::set(std::span<const ValueRef> references, const void* values) {
    for (const ValueRef reference : references) require_settable(reference);
    auto* const data = static_cast<char*>(const_cast<void*>(values)); // a Bulk serves get, too
    for_each_run(references, data, [&](const Bulk& run) {
        if (!is_added(run.references.front())) return unit_->set(run);
        for (std::size_t i = 0; i < run.count; ++i) {
            derivatives_[run.references[i] - exposed_] = run.reals()[i];
            moving_[run.references[i] - exposed_] = true;
        }
    });
}

} // namespace rubato::runtime
