// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

#include <algorithm>

namespace rubato::algorithm::verification {

namespace {

Ticks now(const State& state) { return state.time.empty() ? 0 : state.time.front(); }

/// Times as seen from now.
struct Relative {
    Ticks now = 0;

    Stamp operator()(const Stamp& stamp) const {
        return stamp.defined ? Stamp{stamp.time - now, true} : stamp;
    }
};

bool are_alike(const std::vector<Stamp>& a, Relative from_a, const std::vector<Stamp>& b,
               Relative from_b) {
    return std::ranges::equal(a, b, {}, from_a, from_b);
}

/// FNV-1a over words.
class Hash {
public:
    void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3U; }
    void add(const std::vector<Stamp>& stamps, Relative from) {
        for (const Stamp& stamp : stamps) {
            const Stamp seen = from(stamp);
            add((static_cast<std::uint64_t>(seen.time) << 1U) |
                static_cast<std::uint64_t>(seen.defined));
        }
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

} // namespace

bool go_on_alike(const State& a, const State& b) {
    const Relative from_a{now(a)};
    const Relative from_b{now(b)};
    return are_alike(a.input, from_a, b.input, from_b) &&
           are_alike(a.final_slot, from_a, b.final_slot, from_b) &&
           are_alike(a.tentative_slot, from_a, b.tentative_slot, from_b);
}

std::size_t hash_of(const State& state) {
    const Relative from{now(state)};
    Hash hash;
    hash.add(state.input, from);
    hash.add(state.final_slot, from);
    hash.add(state.tentative_slot, from);
    return hash.value();
}

} // namespace rubato::algorithm::verification
