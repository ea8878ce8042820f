// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiment.hpp"

#include <cstdint>
#include <random>

namespace rubato::studies::adaptive_order {

/// Random numbers that are the same with every compiler.
class Sampler {
public:
    explicit Sampler(std::uint64_t seed) : engine_(seed) {}

    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
    }
    std::size_t below(std::size_t count) {
        return static_cast<std::size_t>(between(0, static_cast<double>(count)));
    }

private:
    std::mt19937_64 engine_;
};

/// As the paper says: of each parameter three values, masses from [1, 100] kg, dampers from
/// [1, 1000] N s/m, springs from [1, 1e4] N/m, and all 3⁸ = 6,561 sets of them.
std::vector<Parameters> sample_parameters(std::uint64_t seed);

/// Some of the sets, drawn without putting them back, in their order.
std::vector<Parameters> draw(const std::vector<Parameters>& sets, std::size_t count,
                             std::uint64_t seed);

/// Reads sets from the columns m1, d1, …, cc of a CSV file, wherever they stand. Throws InputError.
std::vector<Parameters> read_parameters(const std::filesystem::path& file);

/// The paper's Table 1: its sets A to D.
std::vector<std::pair<std::string, Parameters>> selected_parameters();

} // namespace rubato::studies::adaptive_order
