// SPDX-License-Identifier: Apache-2.0

/// Files of parameters. The first byte chooses the format.

#include "target.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/parameter_files.hpp>

#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    constexpr const char* names[] = {"values.yaml", "values.csv", "values.ssv"};
    rubato::Diagnostics diagnostics;
    try {
        auto values = rubato::scenario::parse_parameters(
            std::string(reinterpret_cast<const char*>(data + 1), size - 1), names[data[0] % 3],
            diagnostics);
        for (auto& value : values) value.convert({2, 1});
    } catch (const rubato::Error&) { // the file's fault
    }
    return 0;
}
