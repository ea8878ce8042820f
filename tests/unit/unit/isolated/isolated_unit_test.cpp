// SPDX-License-Identifier: Apache-2.0

/// What is particular to a unit in a process of its own; what it has in common with all others is
/// in tests/contract, fmu_unit_test.cpp and tests/misuse.

#include "support/allocation_counter.hpp"
#include "support/collecting_log.hpp"
#include "support/error_text.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

namespace rubato::unit {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using Message = test::CollectingLog::Message;

constexpr ValueRef input = 0, output = 1;

/// Parameter: what the file names of FMUs of this version of FMI end in.
class IsolatedUnit : public testing::TestWithParam<std::string> {
protected:
    scenario::Unit describe(const std::string& behaviour, const std::string& name = "it") const {
        scenario::Unit unit;
        unit.name = name;
        unit.origin =
            scenario::FmuFile{std::string(TEST_FMUS) + "/" + behaviour + GetParam() + ".fmu"};
        return unit;
    }
    std::unique_ptr<Unit> initialize(const std::string& behaviour) {
        scenario::Unit unit = describe(behaviour);
        unit.isolate.emplace();
        auto made = library_.instantiate(unit, "");
        made->enter_initialization({});
        made->exit_initialization();
        return made;
    }
    static void set_real(Unit& unit, double value) {
        unit.set({ValueType::float64, {&input, 1}, &value, 1});
    }
    static double get_real(Unit& unit, ValueRef reference = output) {
        double value = 0;
        unit.get({ValueType::float64, {&reference, 1}, &value, 1});
        return value;
    }

    test::CollectingLog log_;
    Library library_{log_};
};

TEST_P(IsolatedUnit, TextsOfAnyLengthPass) {
    const auto unit = initialize("behaves");
    const auto& variables = unit->description().variables;
    const auto& variable = variables.at(unit->description().find_variable("s").value());
    for (const std::size_t size : {0u, 1u, 5000u, 10'000'000u, 3u}) {
        std::string in(size, 'x'), out;
        unit->set({ValueType::string, {&variable.reference, 1}, &in, 1});
        unit->get({ValueType::string, {&variable.reference, 1}, &out, 1});
        EXPECT_TRUE(out == in) << size;
    }
}

TEST_P(IsolatedUnit, WhatIsReadAfterAStepIsNeverOutOfDate) {
    const auto unit = initialize("behaves");
    for (int i = 0; i < 10; ++i) {
        set_real(*unit, i);
        (void)unit->step({0.1 * i}, {0.1});
        if (i != 4 && i != 5 && i != 6) { // what is not asked for is no longer prefetched
            EXPECT_EQ(get_real(*unit), i);
            EXPECT_EQ(get_real(*unit, input), i);
        }
        set_real(*unit, -i);
        EXPECT_EQ(get_real(*unit), -i);
    }
}

TEST_P(IsolatedUnit, StatesSavedAndRestoredBetweenStepsAreInOrder) {
    const auto unit = initialize("behaves");
    set_real(*unit, 1);
    unit->snapshots()->save(0);
    set_real(*unit, 2);
    unit->snapshots()->save(1);
    unit->snapshots()->restore(0);
    EXPECT_EQ(get_real(*unit), 1);
    unit->snapshots()->restore(1);
    EXPECT_EQ(get_real(*unit), 2);
}

TEST_P(IsolatedUnit, AFaultOfACallThatHasWaitedNamesThatCall) {
    const auto unit = initialize("refuses-large-inputs");
    (void)unit->step({0}, {0.1});
    set_real(*unit, 1);
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0.1}, {0.1}); }),
                HasSubstr(GetParam().empty() ? "failed in fmi2SetReal at t = 0.1 s"
                                             : "failed in fmi3SetFloat64 at t = 0.1 s"));
    EXPECT_EQ(unit->phase(), Phase::failed);
}

TEST_P(IsolatedUnit, CallsThatWaitForNothingAreMadeInTheEnd) {
    const auto unit = initialize("behaves");
    std::vector<double> values(1000, 0.01);
    const std::vector<ValueRef> references(values.size(), input);
    for (int i = 0; i < 500; ++i)
        unit->set({ValueType::float64, references, values.data(), values.size()});
    EXPECT_EQ(get_real(*unit), 0.01);
}

TEST_P(IsolatedUnit, StepsDoNotAllocate) {
    const auto unit = initialize("behaves");
    const auto advance = [&](int i) {
        unit->snapshots()->save(0);
        set_real(*unit, i);
        (void)unit->step({0.1 * i}, {0.1});
        unit->snapshots()->restore(0);
        set_real(*unit, i);
        (void)unit->step({0.1 * i}, {0.1});
        return get_real(*unit);
    };
    advance(0);
    const std::size_t before = test::allocations();
    for (int i = 1; i < 20; ++i) EXPECT_EQ(advance(i), i);
    EXPECT_EQ(test::allocations(), before);
}

TEST_P(IsolatedUnit, IsMadeForFurtherInstancesOfWhatAllowsOnePerProcess) {
    const auto is_said =
        Contains(testing::Field(&Message::text, HasSubstr("canBeInstantiatedOnlyOncePerProcess")));
    auto first = library_.instantiate(describe("only-once", "first"), "");
    EXPECT_THAT(log_.messages(), IsEmpty());
    const auto second = library_.instantiate(describe("only-once", "second"), "");
    const auto third = library_.instantiate(describe("only-once", "third"), "");
    EXPECT_THAT(log_.messages(), is_said);
    EXPECT_EQ(log_.messages().size(), 2u);
    EXPECT_EQ(log_.messages()[0].source, "second");
    for (Unit* unit : {first.get(), second.get(), third.get()}) {
        unit->enter_initialization({});
        set_real(*unit, unit == first.get() ? 1 : 2);
    }
    EXPECT_EQ(get_real(*first), 1);
    EXPECT_EQ(get_real(*second), 2);

    first.reset(); // then there is room in this process
    library_.instantiate(describe("only-once", "fourth"), "");
    EXPECT_EQ(log_.messages().size(), 2u);
}

TEST_P(IsolatedUnit, NeedsItsHelper) {
    const std::string helper = std::getenv("RUBATO_UNIT_HELPER");
    ::setenv("RUBATO_UNIT_HELPER", "/nowhere/rubato-unit", 1);
    EXPECT_THAT(test::error_of<Error>([&] { initialize("behaves"); }),
                HasSubstr("/nowhere/rubato-unit: No such file"));
    ::unsetenv("RUBATO_UNIT_HELPER");
    EXPECT_THAT(test::error_of<Error>([&] { initialize("behaves"); }),
                testing::AllOf(HasSubstr("needs rubato-unit; looked for "),
                               HasSubstr("libexec/rubato/rubato-unit"),
                               HasSubstr("name the file in RUBATO_UNIT_HELPER")));
    ::setenv("RUBATO_UNIT_HELPER", helper.c_str(), 1);
    EXPECT_NO_THROW(initialize("behaves"));
}

INSTANTIATE_TEST_SUITE_P(Versions, IsolatedUnit, testing::Values("", "-fmi3"),
                         [](const auto& version) {
                             return version.param.empty() ? "Fmi2" : "Fmi3";
                         });

TEST(IsolatedModelExchange, TellsWhatTheSolverHasDone) {
    Library library(silent_log());
    scenario::Unit unit;
    unit.name = "it";
    unit.origin = scenario::FmuFile{KIT_FMUS "/fmi3/msd1.fmu"};
    unit.type = scenario::Interface::model_exchange;
    unit.isolate.emplace();
    const auto it = library.instantiate(unit, "");
    it->enter_initialization({});
    it->exit_initialization();
    ASSERT_NE(it->solver_statistics(), nullptr);
    (void)it->step({0}, {1});
    EXPECT_GT(it->solver_statistics()->steps, 0u);
}

} // namespace
} // namespace rubato::unit
