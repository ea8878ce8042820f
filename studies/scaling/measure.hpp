// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/processes.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace rubato::studies::scaling {

/// What messages cost. Exchanges are with both neighbours in a ring of ranks.
struct Wires {
    std::uint32_t ranks = 1;
    double latency = 0;   ///< of an exchange of 8 bytes, per neighbour [s]
    double per_byte = 0;  ///< [s]
    double reduction = 0; ///< of three numbers [s]
};

/// A run of a square grid of units, each fed by two of its neighbours.
struct Run {
    std::uint32_t units = 0, ranks = 1;
    std::uint32_t largest = 0;    ///< units of the rank that has most
    std::uint32_t neighbours = 0; ///< of the rank that has most of them
    std::uint64_t bytes = 0;      ///< per step, from the rank that sends most
    double step = 0;              ///< [s]
    double loading = 0;           ///< reading, placing and building [s]
    double memory = 0;            ///< of the rank that needs most, beyond an empty run [bytes]
};

struct Measured {
    std::vector<Wires> wires; ///< one for each number of ranks above 1
    std::vector<Run> runs;
};

/// On all processes; the first one appends the results to a file.
void measure(engine::Processes& all, const std::filesystem::path& file);

/// Throws Error.
Measured read(const std::filesystem::path& file);

} // namespace rubato::studies::scaling
