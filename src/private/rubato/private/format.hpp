// SPDX-License-Identifier: Apache-2.0
#pragma once
// The one place that knows which formatting library we use (g++ 12 has no <format>).
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rubato {
using fmt::format;
}
