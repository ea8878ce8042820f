// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

/// FMI's names of this platform: the folder under binaries/.
namespace rubato::unit::platform {

#if defined(__x86_64__)
inline constexpr std::string_view fmi3 = "x86_64-linux", fmi2 = "linux64";
#elif defined(__i386__)
inline constexpr std::string_view fmi3 = "x86-linux", fmi2 = "linux32";
#elif defined(__aarch64__)
inline constexpr std::string_view fmi3 = "aarch64-linux", fmi2 = "aarch64-linux";
#else
#error "which folder under binaries/ holds the libraries for this machine?"
#endif

} // namespace rubato::unit::platform
