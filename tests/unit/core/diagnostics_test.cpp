// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>

#include <gtest/gtest.h>

namespace rubato {
namespace {

TEST(Location, IsWrittenAsFileAndLine) {
    EXPECT_EQ(to_string(Location{"crane.yaml", 14, 3}), "crane.yaml:14");
    EXPECT_EQ(to_string(Location{"crane.yaml", 0, 0}), "crane.yaml");
    EXPECT_EQ(to_string(Location{}), "");
}

TEST(Diagnostic, NamesPlaceMessageAndHint) {
    const Diagnostic diagnostic{Severity::error,
                                {"crane.yaml", 14, 0},
                                "unit \"winch\" has no input \"tension_N\"",
                                "did you mean \"tension\"?"};
    EXPECT_EQ(to_string(diagnostic), "crane.yaml:14: unit \"winch\" has no input \"tension_N\"\n"
                                     "  did you mean \"tension\"?");
}

TEST(Diagnostic, SaysWhenItIsNoError) {
    EXPECT_EQ(to_string(Diagnostic{Severity::warning, {}, "m", ""}), "warning: m");
    EXPECT_EQ(to_string(Diagnostic{Severity::note, {"f", 2, 0}, "m", ""}), "f:2: note: m");
}

TEST(Diagnostics, WarningsAndNotesAreNoErrors) {
    Diagnostics diagnostics;
    diagnostics.warning({}, "w");
    diagnostics.note({}, "n");
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_NO_THROW(diagnostics.throw_if_errors());
    EXPECT_EQ(diagnostics.all().size(), 2u);
}

TEST(Diagnostics, AllErrorsAreThrownTogether) {
    Diagnostics diagnostics;
    diagnostics.error({"f", 1, 0}, "first");
    diagnostics.warning({"f", 2, 0}, "beside the point");
    diagnostics.error({"f", 3, 0}, "second", "do this");
    try {
        diagnostics.throw_if_errors();
        FAIL() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "f:1: first\nf:3: second\n  do this");
    }
}

TEST(Error, TextHoldsMessageAndHint) {
    EXPECT_STREQ(Error("it broke").what(), "it broke");
    EXPECT_STREQ(InputError("it broke", "mend it").what(), "it broke\n  mend it");
}

} // namespace
} // namespace rubato
