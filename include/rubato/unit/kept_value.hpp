// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/bytes.hpp>
#include <rubato/core/value.hpp>
#include <rubato/scenario/description.hpp>

#include <algorithm>
#include <concepts>
#include <memory>
#include <string>
#include <vector>

namespace rubato::unit {

/// A copy of the value of one variable, of any type.
class KeptValue {
public:
    explicit KeptValue(const scenario::Variable& variable)
        : KeptValue(variable.type, variable.reference, variable.element_count(),
                    variable.is_array()) {}
    KeptValue(ValueType type, ValueRef reference, std::uint32_t count, bool is_array)
        : type_(type), reference_(reference), count_(count), part_{0, count, count},
          is_array_(is_array), data_(made()) {}
    KeptValue(const KeptValue& other)
        : type_(other.type_), reference_(other.reference_), count_(other.count_),
          part_(other.part_), is_array_(other.is_array_), data_(made()) {
        (void)take(other.data_.get());
    }
    KeptValue(KeptValue&&) = default;
    /// Allocates nothing if both are of the same variable, strings apart.
    KeptValue& operator=(const KeptValue& other) {
        if (this == &other) return *this;
        if (type_ == other.type_ && reference_ == other.reference_ && part_ == other.part_ &&
            is_array_ == other.is_array_)
            (void)take(other.data_.get());
        else
            *this = KeptValue(other);
        return *this;
    }
    KeptValue& operator=(KeptValue&&) = default;
    ~KeptValue() = default;

    ValueType type() const { return type_; }
    ValueRef reference() const { return reference_; }
    std::uint32_t count() const { return count_; }
    bool is_array() const { return is_array_; }
    /// Valid as long as this stays where it is.
    Bulk bulk() const {
        return {type_,
                {&reference_, 1},
                data_.get(),
                count_,
                is_array_ ? std::span(&part_, 1) : std::span<const Part>()};
    }
    /// To where `count` values of the type live.
    void give(void* values) const {
        with_type_of(storage_of(type_), [&]<class T>() {
            std::copy_n(static_cast<const T*>(data_.get()), count_, static_cast<T*>(values));
        });
    }
    /// Returns whether they differ from those before.
    bool take(const void* values) {
        return with_type_of(storage_of(type_), [&]<class T>() {
            const T* const from = static_cast<const T*>(values);
            T* const to = static_cast<T*>(data_.get());
            if (std::equal(from, from + count_, to)) return false;
            std::copy(from, from + count_, to);
            return true;
        });
    }

    void write(ByteWriter& writer) const {
        with_type_of(storage_of(type_), [&]<class T>() {
            for (const T& value : std::span(static_cast<const T*>(data_.get()), count_)) {
                if constexpr (std::same_as<T, std::string>)
                    writer.put_all(std::span<const char>(value));
                else
                    writer.put(value);
            }
        });
    }
    void read(ByteReader& reader) {
        with_type_of(storage_of(type_), [&]<class T>() {
            for (T& value : std::span(static_cast<T*>(data_.get()), count_)) {
                if constexpr (std::same_as<T, std::string>) {
                    const std::vector<char> text = reader.take_all<char>();
                    value.assign(text.begin(), text.end());
                } else {
                    value = reader.take<T>();
                }
            }
        });
    }

private:
    std::shared_ptr<void> made() const {
        return with_type_of(storage_of(type_), [&]<class T>() {
            return std::shared_ptr<void>(new T[count_](),
                                         [](void* data) { delete[] static_cast<T*>(data); });
        });
    }

    ValueType type_;
    ValueRef reference_;
    std::uint32_t count_;
    Part part_;
    bool is_array_;
    std::shared_ptr<void> data_;
};

} // namespace rubato::unit
