// SPDX-License-Identifier: Apache-2.0

/// FMUs whose own clocks round, and FMUs that take the promise about saved states seriously.

#include "form.hpp"

#include <rubato/core/log.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

namespace rubato {
namespace {

using test::Form;

class EndOfStep : public testing::TestWithParam<Form> {
protected:
    std::unique_ptr<unit::Unit> initialize(const std::string& behaviour, int sub_steps = 1) {
        scenario::Unit unit;
        unit.name = "it";
        unit.origin = scenario::FmuFile{std::filesystem::path(MISUSE_FMUS) /
                                        (behaviour + GetParam().suffix + ".fmu")};
        if (GetParam().isolated) unit.isolate.emplace();
        if (sub_steps > 1) unit.sub_steps = sub_steps;
        auto made = library_.instantiate(unit, "");
        made->enter_initialization({});
        made->exit_initialization();
        return made;
    }
    static double output(unit::Unit& unit) {
        const ValueRef reference = 1;
        double y = 0;
        unit.get({ValueType::float64, {&reference, 1}, &y, 1});
        return y;
    }

    unit::Library library_{silent_log()};
};

TEST_P(EndOfStep, IsReachedByAnFmuWhoseTimeMissesItByRounding) {
    const auto unit = initialize("rounds-time");
    for (int i = 0; i < 3; ++i) {
        const unit::StepResult result = unit->step({0.001 * i}, {0.001});
        EXPECT_EQ(result.end, unit::StepEnd::completed);
        EXPECT_EQ(result.reached, (Time{0.001 * i} + Duration{0.001}));
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, EndOfStep,
                         testing::Values(Form{"", false}, Form{"", true}, Form{"-fmi1", false},
                                         Form{"-fmi3", false}),
                         test::name_of);

/// The FMU counts its time from 0 whenever it hears that a state from before the step may come
/// back.
class SavedState : public EndOfStep {};

TEST_P(SavedState, OfTheStartOfTheStepIsNotBeforeIt) {
    const auto unit = initialize("restarts");
    for (int i = 0; i < 5; ++i) {
        unit->snapshots()->save(0);
        (void)unit->step({0.1 * i}, {0.1});
        unit->snapshots()->restore(0);
        (void)unit->step({0.1 * i}, {0.1});
    }
    EXPECT_NEAR(output(*unit), 0.5, 1e-12);
}

TEST_P(SavedState, FromBeforeTheStepIsTold) {
    const auto unit = initialize("restarts");
    unit->snapshots()->save(1);
    (void)unit->step({0}, {0.1});
    unit->snapshots()->save(0);
    (void)unit->step({0.1}, {0.1}); // slot 1 is from t = 0
    EXPECT_NEAR(output(*unit), 0.1, 1e-12);
}

TEST_P(SavedState, ThatNobodyWillRestoreIsNotTold) {
    const auto unit = initialize("restarts");
    unit->snapshots()->save(1);
    (void)unit->step({0}, {0.1});
    unit->snapshots()->release(1);
    unit->snapshots()->release(7); // never saved
    (void)unit->step({0.1}, {0.1});
    EXPECT_NEAR(output(*unit), 0.2, 1e-12);
}

TEST_P(SavedState, OfTheWholeStepIsBeforeItsLaterParts) {
    const auto unit = initialize("restarts", 2);
    unit->snapshots()->save(0);
    (void)unit->step({0}, {0.2});
    EXPECT_NEAR(output(*unit), 0.1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Forms, SavedState,
                         testing::Values(Form{"", false}, Form{"", true}, Form{"-fmi3", false}),
                         test::name_of);

} // namespace
} // namespace rubato
