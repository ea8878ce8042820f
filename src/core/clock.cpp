// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/clock.hpp>

#include <array>

namespace rubato {

std::string_view to_string(ClockKind kind) {
    static constexpr std::array<std::string_view, 6> names = {"constant", "fixed",     "tunable",
                                                              "changing", "countdown", "triggered"};
    return names.at(static_cast<std::size_t>(kind));
}

} // namespace rubato
