// SPDX-License-Identifier: Apache-2.0
#include "fmi2_instance.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <utility>

/// How values get into and out of an FMI 2.0 instance. Reals are handed over where they are.
namespace rubato::unit {

template <class T, class Getter>
void Fmi2Instance::read(Getter* getter, const char* call, const Bulk& values,
                        std::span<T> targets) {
    getting_.read(values, targets, call, rules_, is_trial_,
                  [&](const ValueRef* references, std::size_t count, T* to, std::size_t) {
                      check(getter(component_, references, count, to), call);
                  });
}

void Fmi2Instance::set_others(const Bulk& values) {
    switch (storage_of(values.type)) {
    case Storage::integer: return set_integers(values);
    case Storage::boolean: return set_booleans(values);
    case Storage::string: return set_strings(values);
    case Storage::real: break;
    }
    fail("set", format("FMI 2.0 has no type {}", to_string(values.type)));
}

void Fmi2Instance::get_others(const Bulk& values) {
    switch (storage_of(values.type)) {
    case Storage::integer: return get_integers(values);
    case Storage::boolean: return get_booleans(values);
    case Storage::string: return get_strings(values);
    case Storage::real:
        if (values.type != ValueType::float64) break;
        return read(get_real_, "fmi2GetReal", values, values.reals());
    }
    fail("get", format("FMI 2.0 has no type {}", to_string(values.type)));
}

void Fmi2Instance::require_32_bits(const Bulk& values) {
    if (storage_of(values.type) != Storage::integer) return;
    for (const std::int64_t value : values.integers())
        if (!std::in_range<fmi2::Integer>(value))
            fail("fmi2SetInteger", format("the value {} does not fit into 32 bits", value));
}

void Fmi2Instance::set_integers(const Bulk& values) {
    require_32_bits(values);
    const auto narrow = scratch_.of<fmi2::Integer>(values.count);
    std::ranges::transform(values.integers(), narrow.begin(),
                           [](std::int64_t value) { return static_cast<fmi2::Integer>(value); });
    check(functions_.set_integer(component_, values.references.data(), values.count, narrow.data()),
          "fmi2SetInteger");
}

void Fmi2Instance::set_booleans(const Bulk& values) {
    const auto flags = scratch_.of<fmi2::Boolean>(values.count);
    std::ranges::transform(values.booleans(), flags.begin(),
                           [](bool value) { return value ? fmi2::yes : fmi2::no; });
    check(functions_.set_boolean(component_, values.references.data(), values.count, flags.data()),
          "fmi2SetBoolean");
}

void Fmi2Instance::set_strings(const Bulk& values) {
    const auto texts = scratch_.of<fmi2::String>(values.count);
    std::ranges::transform(values.strings(), texts.begin(),
                           [](const std::string& value) { return value.c_str(); });
    check(functions_.set_string(component_, values.references.data(), values.count, texts.data()),
          "fmi2SetString");
}

void Fmi2Instance::get_integers(const Bulk& values) {
    const auto narrow = scratch_.of<fmi2::Integer>(values.count);
    read(functions_.get_integer, "fmi2GetInteger", values, narrow);
    std::ranges::copy(narrow, values.integers().begin());
}

void Fmi2Instance::get_booleans(const Bulk& values) {
    const auto flags = scratch_.of<fmi2::Boolean>(values.count);
    read(functions_.get_boolean, "fmi2GetBoolean", values, flags);
    std::ranges::transform(flags, values.booleans().begin(),
                           [](fmi2::Boolean flag) { return flag != fmi2::no; });
}

void Fmi2Instance::get_strings(const Bulk& values) {
    const auto texts = scratch_.of<fmi2::String>(values.count);
    read(functions_.get_string, "fmi2GetString", values, texts);
    rules_.take_strings(texts, values.strings(), "fmi2GetString");
}

} // namespace rubato::unit
