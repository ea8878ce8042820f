// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/measure.hpp>
#include <rubato/scenario/overrides.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// A value that a file of parameters gives.
struct FileValue {
    Override setting; ///< its source names file and line
    Location where;
    std::string unit = {};               ///< of measure, of values in SSV; empty: none is given
    std::optional<Measure> measure = {}; ///< what that unit is; nullopt: not known
    std::vector<Value> values = {};      ///< with a unit: the numbers
    bool is_array = false;

    /// Converts the values, and the setting with them.
    void convert(const Conversion& conversion);
};

/// Reads a file of parameters by the extension of its name. `.yaml`: a map from paths of settings
/// (`msd1.m`) to values; maps within it continue the path. `.csv`: rows of a path and a value.
/// `.ssv`: a parameter set of SSP. Problems go to `diagnostics`, all of them, with file and line.
std::vector<FileValue> parse_parameters(std::string text, const std::filesystem::path& file,
                                        Diagnostics& diagnostics);

} // namespace rubato::scenario
