// SPDX-License-Identifier: Apache-2.0

/// Scenarios in .yaml.

#include "target.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/yaml.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    rubato::Diagnostics diagnostics;
    try {
        rubato::scenario::parse_yaml(text, "scenario.yaml", diagnostics);
    } catch (const rubato::Error&) { // the scenario's fault
    }
    return 0;
}
