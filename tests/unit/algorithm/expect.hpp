// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cases.hpp"

#include <gmock/gmock.h>

namespace rubato::algorithm::test {

/// The first violation, the one with the shortest trace, says this.
inline void expect_violation(const Case& c, const std::string& message, const std::string& hint) {
    const Verdict verdict = c.verify();
    ASSERT_FALSE(verdict.correct()) << "expected: " << message;
    EXPECT_THAT(verdict.violations.front().message, ::testing::HasSubstr(message));
    EXPECT_THAT(verdict.violations.front().hint, ::testing::HasSubstr(hint));
}

} // namespace rubato::algorithm::test
