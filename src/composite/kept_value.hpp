// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "external_variables.hpp"

#include <rubato/core/bytes.hpp>

#include <algorithm>
#include <concepts>
#include <memory>
#include <string>
#include <vector>

namespace rubato::composite {

/// A copy of the value of one variable, of any type.
class KeptValue {
public:
    explicit KeptValue(const scenario::Variable& variable)
        : type_(variable.type), reference_(variable.reference),
          count_(variable.element_count()), part_{0, count_, count_},
          is_array_(variable.is_array()), data_(made()) {}
    KeptValue(const KeptValue& other)
        : type_(other.type_), reference_(other.reference_), count_(other.count_),
          part_(other.part_), is_array_(other.is_array_), data_(made()) {
        (void)take(other.data_.get());
    }
    KeptValue(KeptValue&&) = default;
    /// Of the same variable. Allocates nothing, strings apart.
    KeptValue& operator=(const KeptValue& other) {
        if (this != &other) (void)take(other.data_.get());
        return *this;
    }
    KeptValue& operator=(KeptValue&&) = default;
    ~KeptValue() = default;

    ValueRef reference() const { return reference_; }
    /// Valid as long as this stays where it is.
    Bulk bulk() const {
        return {type_,
                {&reference_, 1},
                data_.get(),
                count_,
                is_array_ ? std::span(&part_, 1) : std::span<const Part>()};
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

} // namespace rubato::composite
