// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/bytes.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace rubato::engine {

/// Copies what changes in the course of a run to memory, or back. Every part of a run lists its
/// fields once, in `visit_state(StateArchive&)`, for both directions:
///
///     void StepSize::visit_state(StateArchive& archive) {
///         archive(next_, previous_excess_, has_rejected_);
///     }
///
/// Addresses are not part of it: the bytes may be restored in another process. Saving again into the same memory allocates nothing, as long as nothing has grown. What is
/// restored keeps its place in memory, as long as its size has not changed.
class StateArchive {
public:
    /// Over what `bytes` held before.
    static StateArchive saving(std::vector<std::byte>& bytes) {
        bytes.clear();
        return StateArchive(&bytes, {});
    }
    static StateArchive restoring(std::span<const std::byte> bytes) {
        return StateArchive(nullptr, bytes);
    }

    template <class... Fields>
    void operator()(Fields&... fields) {
        (visit(fields), ...);
    }
    /// An array of a size that does not change.
    template <class T>
    void elements(T* first, std::size_t count) {
        static_assert(!std::is_pointer_v<T>, "an address says nothing elsewhere");
        if constexpr (std::is_trivially_copyable_v<T> && !has_own_visit<T>)
            copy(first, count * sizeof(T));
        else
            for (T& element : std::span(first, count)) visit(element);
    }

private:
    StateArchive(std::vector<std::byte>* to, std::span<const std::byte> from)
        : to_(to), from_(from) {}

    template <class T>
    static constexpr bool has_own_visit = requires(T& field, StateArchive& archive) {
        field.visit_state(archive);
    };

    template <class T>
    static constexpr bool has_free_visit = requires(T& field, StateArchive& archive) {
        visit_state(field, archive);
    };

    template <class T>
    void visit(T& field) {
        if constexpr (has_own_visit<T>)
            field.visit_state(*this);
        else if constexpr (has_free_visit<T>)
            visit_state(field, *this);
        else if constexpr (std::is_trivially_copyable_v<T>)
            copy_value(field);
        else
            visit_container(field);
    }
    template <class T>
    void copy_value(T& field) {
        static_assert(!std::is_pointer_v<T>, "an address says nothing elsewhere");
        copy(&field, sizeof(T));
    }
    template <class T>
    void visit_container(std::vector<T>& field) {
        static_assert(!std::same_as<T, bool>);
        resize(field);
        elements(field.data(), field.size());
    }
    void visit_container(std::string& field) {
        resize(field);
        copy(field.data(), field.size());
    }
    template <class T, std::size_t size>
    void visit_container(std::array<T, size>& field) {
        elements(field.data(), size);
    }
    template <class Container>
    void resize(Container& container) {
        std::size_t size = container.size();
        copy(&size, sizeof size);
        if (!to_ && size > from_.size()) ByteReader::fail();
        if constexpr (std::default_initializable<typename Container::value_type>)
            if (size != container.size()) container.resize(size);
    }

    void copy(void* field, std::size_t size) {
        if (size == 0) return;
        if (to_) {
            const auto* const first = static_cast<const std::byte*>(field);
            to_->insert(to_->end(), first, first + size);
        } else {
            if (size > from_.size()) ByteReader::fail();
            std::memcpy(field, from_.data(), size);
            from_ = from_.subspan(size);
        }
    }

    std::vector<std::byte>* to_; ///< null: restoring
    std::span<const std::byte> from_;
};

} // namespace rubato::engine
