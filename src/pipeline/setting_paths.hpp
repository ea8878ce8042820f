// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/private/format.hpp>

#include <string>
#include <string_view>

namespace rubato::pipeline {

/// `msd1.m` of `units.msd1.parameters.m`; other paths are as they are.
inline std::string short_form(const std::string& path) {
    constexpr std::string_view units = "units.";
    if (!path.starts_with(units)) return path;
    const std::size_t name = units.size();
    for (const std::string_view part : {".parameters.", ".start."}) {
        const std::size_t at = path.find(part, name);
        if (at != std::string::npos)
            return format("{}.{}", path.substr(name, at - name), path.substr(at + part.size()));
    }
    return path;
}

} // namespace rubato::pipeline
