// SPDX-License-Identifier: Apache-2.0
#include "held_inputs.hpp"

namespace rubato::unit {

namespace {

void* address_of(const Bulk& values, std::size_t index) {
    return with_type_of(storage_of(values.type), [&]<class T>() {
        return static_cast<void*>(static_cast<T*>(values.data) + index);
    });
}

} // namespace

HeldInputs::Entry* HeldInputs::find(ValueType type, ValueRef reference) const {
    for (std::size_t tried = 0; tried < entries_.size(); ++tried) {
        if (next_ >= entries_.size()) next_ = 0;
        Entry& entry = entries_[next_++];
        if (entry.value.reference() == reference && entry.value.type() == type) return &entry;
    }
    return nullptr;
}

void HeldInputs::hold(const Bulk& values, ValueRef reference, std::size_t first,
                      std::size_t count) {
    Entry* entry = find(values.type, reference);
    if (!entry)
        entry = &entries_.emplace_back(Entry{KeptValue(
            values.type, reference, static_cast<std::uint32_t>(count), !values.parts.empty())});
    (void)entry->value.take(address_of(values, first));
    if (!entry->is_held) ++held_;
    entry->is_held = true;
}

void HeldInputs::forget(const Bulk& values) {
    if (!any()) return;
    for (const ValueRef reference : values.references) {
        Entry* const entry = find(values.type, reference);
        if (!entry || !entry->is_held) continue;
        entry->is_held = false;
        --held_;
    }
}

void HeldInputs::read(const Bulk& values) const {
    if (!any()) return;
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t count) {
        const Entry* const entry = find(values.type, reference);
        if (entry && entry->is_held && entry->value.count() == count)
            entry->value.give(address_of(values, first));
    });
}

void HeldInputs::set_all(Unit& inner) {
    if (!any()) return;
    for (Entry& entry : entries_)
        if (entry.is_held) inner.set(entry.value.bulk());
    for (Entry& entry : entries_) entry.is_held = false;
    held_ = 0;
}

void HeldInputs::write(ByteWriter& writer) const {
    writer.put(std::uint64_t{held_});
    for (const Entry& entry : entries_) {
        if (!entry.is_held) continue;
        writer.put(entry.value.type());
        writer.put(entry.value.reference());
        writer.put(entry.value.count());
        writer.put(entry.value.is_array());
        entry.value.write(writer);
    }
}

void HeldInputs::read(ByteReader& reader) {
    entries_.clear();
    held_ = reader.take<std::uint64_t>();
    for (std::size_t i = 0; i < held_; ++i) {
        const auto type = reader.take<ValueType>();
        const auto reference = reader.take<ValueRef>();
        const auto count = reader.take<std::uint32_t>();
        const auto is_array = reader.take<std::uint8_t>();
        if (type > ValueType::clock || count > reader.rest().size()) ByteReader::fail();
        entries_.push_back({KeptValue(type, reference, count, is_array != 0), true});
        entries_.back().value.read(reader);
    }
}

} // namespace rubato::unit
