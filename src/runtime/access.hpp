// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "instance.hpp"

#include <cstring>

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

// Serialized states: a pointer of the importer is one to a SavedState.

inline const SavedState& state_of(const void* state) {
    require(state != nullptr, "there is no state to serialize");
    return *static_cast<const SavedState*>(state);
}

inline void serialized_size(Instance& instance, const void* state, std::size_t* size) {
    require(size != nullptr, "there is no place for the size");
    *size = instance.serialize(state_of(state)).size();
}

template <class Byte>
void serialize(Instance& instance, const void* state, Byte* bytes, std::size_t size) {
    const std::vector<std::byte> all = instance.serialize(state_of(state));
    require(bytes != nullptr && size >= all.size(), "there is too little room for the state");
    std::memcpy(bytes, all.data(), all.size());
}

template <class Byte>
void deserialize(Instance& instance, const Byte* bytes, std::size_t size, SavedState*& state) {
    require(bytes != nullptr, "the bytes are missing");
    instance.deserialize({reinterpret_cast<const std::byte*>(bytes), size}, state);
}

/// A text of the importer.
inline const char* given(const char* text) {
    require(text != nullptr, "a string is missing");
    return text;
}

} // namespace rubato::runtime
