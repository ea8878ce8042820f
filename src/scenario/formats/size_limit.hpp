// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <rubato/private/format.hpp>

#include <string_view>

namespace rubato::scenario::formats {

/// Whether a text is larger than any scenario of its format, which is then reported.
inline bool report_oversized(std::string_view text, std::size_t megabytes, Reporter& reporter) {
    if (text.size() <= megabytes << 20U) return false;
    reporter.error({}, format("is larger than {} MB", megabytes),
                   "this does not look like a scenario");
    return true;
}

} // namespace rubato::scenario::formats
