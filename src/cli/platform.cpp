// SPDX-License-Identifier: Apache-2.0
#include "platform.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <string>

namespace rubato::cli {

bool runs_here(const scenario::UnitDescription& unit) {
    utsname machine{};
    ::uname(&machine);
    const std::string processor = machine.machine;
    const std::string fmi3_name = processor + "-linux";
    const std::string fmi2_name = processor == "x86_64" ? "linux64" : fmi3_name;
    return std::ranges::any_of(unit.platforms, [&](const std::string& platform) {
        return platform == fmi3_name || platform == fmi2_name;
    });
}

} // namespace rubato::cli
