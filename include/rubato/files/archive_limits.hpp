// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace rubato::files {

/// How much an archive may unpack to.
struct ArchiveLimits {
    std::uint64_t total_bytes = 2ull << 30;
    std::uint64_t entries = 100'000;
    std::uint64_t file_bytes = 256ull << 20; ///< of a file that is read as a whole
};

} // namespace rubato::files
