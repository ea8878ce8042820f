// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "instance.hpp"

namespace rubato::runtime {

// Values in the types of a standard (Theirs), through those of their storage (Ours).

/// `convert(value)` gives what the importer gets.
template <class Ours, class Theirs, class Convert>
void get_as(Instance& instance, std::span<const ValueRef> references, Theirs* values,
            std::size_t count, Convert&& convert) {
    const std::span<Ours> ours = instance.buffer<Ours>(count);
    instance.get(references, ours.data());
    for (std::size_t i = 0; i < count; ++i) values[i] = convert(ours[i]);
}

/// `convert(value)` gives what the variable is set to.
template <class Ours, class Theirs, class Convert>
void set_as(Instance& instance, std::span<const ValueRef> references, const Theirs* values,
            std::size_t count, Convert&& convert) {
    const std::span<Ours> ours = instance.buffer<Ours>(count);
    for (std::size_t i = 0; i < count; ++i) ours[i] = convert(values[i]);
    instance.set(references, ours.data());
}

/// A text of the importer.
inline const char* given(const char* text) {
    require(text != nullptr, "a string is missing");
    return text;
}

} // namespace rubato::runtime
