// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rubato {

/// The candidate nearest to a mistyped name, if one is near enough to be worth mentioning.
std::optional<std::string> find_similar(std::string_view name,
                                        std::span<const std::string> candidates);

/// `did you mean "tension"? its inputs are: tension, speed_ref, brake`. `what` is "its inputs".
std::string suggest(std::string_view name, std::span<const std::string> candidates,
                    std::string_view what);

/// Shell-like pattern with `*` and `?`, over the whole of `text`.
bool matches_glob(std::string_view pattern, std::string_view text);

/// Two digits per byte.
std::string in_hexadecimal(std::string_view bytes);

/// Without control characters but for line ends and tabs: what others have written is no command to
/// a terminal.
std::string printable(std::string_view text);

/// The shortest text that reads back as the same double.
std::string shortest(double value);

} // namespace rubato
