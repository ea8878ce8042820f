// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>

namespace rubato::test {

/// FMUs come as `<behaviour><suffix>.fmu`, and run in this process or in one of their own. No
/// suffix is FMI 2.0.
struct Form {
    std::string suffix;
    bool isolated = false;
};

inline std::string name_of(const testing::TestParamInfo<Form>& form) {
    const std::string& suffix = form.param.suffix;
    const std::string version = suffix.empty()      ? "Fmi2"
                                : suffix == "-fmi3" ? "Fmi3"
                                : suffix == "-fmi1" ? "Fmi1"
                                                    : "Fmi1Me";
    return version + (form.param.isolated ? "Isolated" : "");
}

} // namespace rubato::test
