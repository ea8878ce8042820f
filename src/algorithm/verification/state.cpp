// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

namespace rubato::algorithm::verification {

namespace {

/// FNV-1a over words.
class Hash {
public:
    void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3U; }
    void add(const Stamp& stamp) {
        add((static_cast<std::uint64_t>(static_cast<std::uint32_t>(stamp.time)) << 1U) |
            static_cast<std::uint64_t>(stamp.defined));
    }
    template <class T>
    void add(const std::vector<T>& items) {
        for (const T& item : items) {
            if constexpr (std::is_integral_v<T>) {
                add(static_cast<std::uint64_t>(item));
            } else {
                add(item);
            }
        }
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

} // namespace

std::size_t hash_of(const State& state) {
    Hash hash;
    hash.add(state.time);
    hash.add(state.is_saved);
    hash.add(state.saved_time);
    hash.add(state.input);
    hash.add(state.final_slot);
    hash.add(state.tentative_slot);
    hash.add(state.saved_input);
    return hash.value();
}

} // namespace rubato::algorithm::verification
