// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace rubato::test {

/// Random choices that a seed repeats on every machine (the standard's distributions would not).
class RandomSource {
public:
    explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

    /// 0 … count - 1
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
    int between(int least, int most) {
        return least + static_cast<int>(below(static_cast<std::size_t>(most - least + 1)));
    }
    bool chance(double probability) {
        return static_cast<double>(engine_() >> 11U) * 0x1p-53 < probability;
    }
    template <class T>
    T one_of(const std::vector<T>& choices) {
        return choices[below(choices.size())];
    }
    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t left = items.size(); left > 1; --left) {
            std::swap(items[left - 1], items[below(left)]);
        }
    }

private:
    std::mt19937_64 engine_;
};

} // namespace rubato::test
