// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace rubato::unit {

/// How much an FMU may unpack to.
struct ArchiveLimits {
    std::uint64_t total_bytes = 2ull << 30;
    std::uint64_t entries = 100'000;
    std::uint64_t description_bytes = 256ull << 20; ///< of modelDescription.xml alone
};

} // namespace rubato::unit
