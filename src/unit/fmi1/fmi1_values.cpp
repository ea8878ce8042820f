// SPDX-License-Identifier: Apache-2.0
#include "fmi1_instance.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

/// How values get into and out of an FMI 1.0 instance.
namespace rubato::unit {

std::span<const ValueRef> Fmi1Instance::known(std::span<const ValueRef> references) {
    if (binary_.negated.empty()) return references;
    const auto result = references_.of<ValueRef>(references.size());
    std::ranges::transform(references, result.begin(), [&](ValueRef reference) {
        return binary_.negated.find(reference).value_or(reference);
    });
    return result;
}

template <class T>
void Fmi1Instance::negate(std::span<const ValueRef> references, std::span<T> values) const {
    if (binary_.negated.empty()) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!binary_.negated.find(references[i])) continue;
        if constexpr (std::is_same_v<T, fmi1::Boolean>) {
            values[i] = values[i] == fmi1::no ? fmi1::yes : fmi1::no;
        } else {
            values[i] = -values[i];
        }
    }
}

void Fmi1Instance::set(const Bulk& values) {
    if (starts_.is_open()) starts_.follow(values);
    switch (storage_of(values.type)) {
    case Storage::real: return check(set_reals(values.references, values.reals()), "fmiSetReal");
    case Storage::integer: return set_integers(values);
    case Storage::boolean: return set_booleans(values);
    case Storage::string: return set_strings(values);
    }
}

void Fmi1Instance::get(const Bulk& values) {
    switch (storage_of(values.type)) {
    case Storage::real: return get_reals(values);
    case Storage::integer: return get_integers(values);
    case Storage::boolean: return get_booleans(values);
    case Storage::string: return get_strings(values);
    }
}

std::span<const double> Fmi1Instance::known(std::span<const ValueRef> references,
                                            std::span<const double> values) {
    if (binary_.negated.empty()) return values;
    const auto result = scratch_.of<double>(values.size());
    std::ranges::copy(values, result.begin());
    negate(references, result);
    return result;
}

fmi1::Status Fmi1Instance::set_reals(std::span<const ValueRef> references,
                                     std::span<const double> values) {
    return functions().set_real(component_, known(references).data(), values.size(),
                                known(references, values).data());
}

fmi1::Status Fmi1Instance::set_input_derivatives(std::span<const ValueRef> inputs,
                                                 std::span<const fmi1::Integer> orders,
                                                 std::span<const double> values) {
    return functions().set_real_input_derivatives(component_, known(inputs).data(), values.size(),
                                                  orders.data(), known(inputs, values).data());
}

void Fmi1Instance::set_integers(const Bulk& values) {
    const auto narrow = scratch_.of<fmi1::Integer>(values.count);
    const auto wide = values.integers();
    for (std::size_t i = 0; i < values.count; ++i) {
        const bool negates = binary_.negated.find(values.references[i]).has_value();
        const bool fits = wide[i] <= std::numeric_limits<fmi1::Integer>::max() &&
                          wide[i] >= std::numeric_limits<fmi1::Integer>::min() + (negates ? 1 : 0);
        if (!fits) fail("fmiSetInteger", format("the value {} does not fit into 32 bits", wide[i]));
        narrow[i] = static_cast<fmi1::Integer>(negates ? -wide[i] : wide[i]);
    }
    check(functions().set_integer(component_, known(values.references).data(), values.count,
                                  narrow.data()),
          "fmiSetInteger");
}

void Fmi1Instance::set_booleans(const Bulk& values) {
    const auto flags = scratch_.of<fmi1::Boolean>(values.count);
    std::ranges::transform(values.booleans(), flags.begin(),
                           [](bool value) { return value ? fmi1::yes : fmi1::no; });
    negate(values.references, flags);
    check(functions().set_boolean(component_, known(values.references).data(), values.count,
                                  flags.data()),
          "fmiSetBoolean");
}

void Fmi1Instance::set_strings(const Bulk& values) {
    const auto texts = scratch_.of<fmi1::String>(values.count);
    std::ranges::transform(values.strings(), texts.begin(),
                           [](const std::string& value) { return value.c_str(); });
    check(functions().set_string(component_, values.references.data(), values.count, texts.data()),
          "fmiSetString");
}

template <class T, class Getter>
void Fmi1Instance::read(Getter* getter, const char* call, const Bulk& values,
                        std::span<T> targets) {
    Bulk known_values = values;
    known_values.references = known(values.references);
    getting_.read(known_values, targets, call, rules_, is_trial_,
                  [&](const ValueRef* references, std::size_t count, T* to, std::size_t) {
                      check(getter(component_, references, count, to), call);
                  });
}

void Fmi1Instance::get_reals(const Bulk& values) {
    const auto reals = values.reals();
    read(functions().get_real, "fmiGetReal", values, reals);
    negate(values.references, reals);
}

void Fmi1Instance::get_integers(const Bulk& values) {
    const auto narrow = scratch_.of<fmi1::Integer>(values.count);
    read(functions().get_integer, "fmiGetInteger", values, narrow);
    const auto wide = values.integers();
    std::ranges::copy(narrow, wide.begin());
    negate(values.references, wide);
}

void Fmi1Instance::get_booleans(const Bulk& values) {
    const auto flags = scratch_.of<fmi1::Boolean>(values.count);
    read(functions().get_boolean, "fmiGetBoolean", values, flags);
    negate(values.references, flags);
    std::ranges::transform(flags, values.booleans().begin(),
                           [](fmi1::Boolean flag) { return flag != fmi1::no; });
}

void Fmi1Instance::get_strings(const Bulk& values) {
    const auto texts = scratch_.of<fmi1::String>(values.count);
    read(functions().get_string, "fmiGetString", values, texts);
    rules_.take_strings(texts, values.strings(), "fmiGetString");
}

} // namespace rubato::unit
