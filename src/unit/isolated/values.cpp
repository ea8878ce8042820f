// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

#include <algorithm>
#include <type_traits>

namespace rubato::unit {

namespace {

/// Of one value in a message; 0: values have a length of their own.
std::size_t size_in_message(ValueType type) {
    return with_type_of(storage_of(type),
                        []<class T>() { return std::is_same_v<T, std::string> ? 0 : sizeof(T); });
}

/// A byte that is neither 0 nor 1 is no bool at all, and the other process may have left any.
void take_booleans(const std::byte* bytes, const Bulk& bulk) {
    std::ranges::transform(std::span(bytes, bulk.count), bulk.booleans().begin(),
                           [](std::byte value) { return value != std::byte{0}; });
}

} // namespace

void put_variables(Writer& message, const Bulk& bulk) {
    message.put(bulk.type);
    message.put(bulk.references.size());
    message.put_span(bulk.references);
    message.put(bulk.count);
    message.put(bulk.parts.size());
    message.put_span(bulk.parts);
}

Bulk take_variables(Reader& message) {
    Bulk bulk;
    bulk.type = message.take<ValueType>();
    bulk.references = message.take_span<ValueRef>(message.take<std::size_t>());
    bulk.count = message.take<std::size_t>();
    bulk.parts = message.take_span<Part>(message.take<std::size_t>());
    return bulk;
}

void put_values(Writer& message, const Bulk& bulk) {
    if (const std::size_t size = size_in_message(bulk.type)) {
        if (bulk.count > 0)
            std::memcpy(message.place(bulk.count * size), bulk.data, bulk.count * size);
    } else {
        for (const std::string& text : bulk.strings()) message.put_text(text);
    }
}

void take_values(Reader& message, const Bulk& bulk) {
    if (const std::size_t size = size_in_message(bulk.type)) {
        const std::byte* const bytes = message.take_bytes(bulk.count * size);
        if (storage_of(bulk.type) == Storage::boolean) return take_booleans(bytes, bulk);
        if (bulk.count > 0) std::memcpy(bulk.data, bytes, bulk.count * size);
    } else {
        for (std::string& text : bulk.strings()) text.assign(message.take_text());
    }
}

void skip_values(Reader& message, const Bulk& bulk) {
    if (const std::size_t size = size_in_message(bulk.type)) {
        message.take_bytes(bulk.count * size);
    } else {
        for (std::size_t i = 0; i < bulk.count; ++i) message.take_text();
    }
}

Bulk with_values(Reader& message, Bulk bulk, Texts& texts) {
    if (const std::size_t size = size_in_message(bulk.type)) {
        bulk.data = message.take_bytes(bulk.count * size);
    } else {
        if (texts.size() < bulk.count) texts.resize(bulk.count);
        bulk.data = texts.data();
        take_values(message, bulk);
    }
    return bulk;
}

Bulk with_room(Writer& message, Bulk bulk, Texts& texts) {
    if (const std::size_t size = size_in_message(bulk.type)) {
        bulk.data = message.place(bulk.count * size);
    } else {
        if (texts.size() < bulk.count) texts.resize(bulk.count);
        bulk.data = texts.data();
    }
    return bulk;
}

void finish_values(Writer& message, const Bulk& bulk) {
    if (size_in_message(bulk.type) == 0) put_values(message, bulk);
}

} // namespace rubato::unit
