// SPDX-License-Identifier: Apache-2.0

/// Values, states, derivatives and messages of FMUs of both versions.

#include "support/collecting_log.hpp"
#include "support/private_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <limits>

namespace rubato::unit {
namespace {

using test::CollectingLog;
using testing::Contains;
using testing::EndsWith;
using testing::Field;
using testing::SizeIs;
using testing::StartsWith;

/// Parameter: whether the FMU runs in a process of its own.
class FmuUnit : public testing::TestWithParam<bool> {
protected:
    std::unique_ptr<Unit> instantiate(const std::string& behaviour) {
        scenario::Unit unit;
        unit.name = "echo";
        unit.origin = scenario::FmuFile{std::string(TEST_FMUS) + "/" + behaviour + ".fmu"};
        if (GetParam()) unit.isolate.emplace();
        return library_.instantiate(unit, "");
    }

    /// What a variable gives back after it was set.
    template <class T>
    static T echo(Unit& unit, const std::string& name, const T& value) {
        const auto& description = unit.description();
        const auto& variable = description.variables.at(description.find_variable(name).value());
        T in = value, out{};
        unit.set({variable.type, {&variable.reference, 1}, &in, 1});
        unit.get({variable.type, {&variable.reference, 1}, &out, 1});
        return out;
    }

    static void expect_integer(Unit& unit, const std::string& name, std::int64_t value) {
        EXPECT_EQ(echo(unit, name, value), value) << name;
    }

    test::PrivateFolder folder_;
    CollectingLog log_;
    Library library_{log_};
};

TEST_P(FmuUnit, OfFmi2KeepsValuesOfAllTypes) {
    const auto unit = instantiate("behaves");
    unit->enter_initialization({});
    EXPECT_EQ(echo(*unit, "u", 0.1), 0.1);
    expect_integer(*unit, "n", std::numeric_limits<std::int32_t>::min());
    expect_integer(*unit, "e", 3);
    EXPECT_TRUE(echo(*unit, "b", true));
    EXPECT_FALSE(echo(*unit, "b", false));
    EXPECT_EQ(echo<std::string>(*unit, "s", "grüße"), "grüße");
}

TEST_P(FmuUnit, OfFmi3KeepsValuesOfAllTypes) {
    const auto unit = instantiate("behaves-fmi3");
    unit->enter_initialization({});
    EXPECT_EQ(echo(*unit, "u", 0.1), 0.1);
    EXPECT_EQ(echo(*unit, "f32", 0.5), 0.5);
    EXPECT_EQ(echo(*unit, "f32", 0.1), double{0.1f});
    expect_integer(*unit, "i8", -128);
    expect_integer(*unit, "u8", 255);
    expect_integer(*unit, "i16", -32768);
    expect_integer(*unit, "u16", 65535);
    expect_integer(*unit, "i32", std::numeric_limits<std::int32_t>::min());
    expect_integer(*unit, "u32", std::numeric_limits<std::uint32_t>::max());
    expect_integer(*unit, "i64", std::numeric_limits<std::int64_t>::min());
    expect_integer(*unit, "u64", -1); // all bits set
    expect_integer(*unit, "e", std::int64_t{1} << 40);
    EXPECT_TRUE(echo(*unit, "b", true));
    EXPECT_TRUE(echo(*unit, "tick", true));
    EXPECT_EQ(echo<std::string>(*unit, "s", "grüße"), "grüße");
    EXPECT_EQ(echo(*unit, "bytes", std::string("\0\xff\0", 3)), std::string("\0\xff\0", 3));
}

TEST_P(FmuUnit, OfFmi3RefusesAnIntegerThatDoesNotFit) {
    const auto unit = instantiate("behaves-fmi3");
    EXPECT_THROW(echo(*unit, "u8", std::int64_t{256}), Error);
}

TEST_P(FmuUnit, ValuesOfOneCallKeepTheirOrder) {
    const auto unit = instantiate("behaves");
    const ValueRef references[] = {2, 0};
    double in[] = {7, 5}, out[2] = {};
    unit->set({ValueType::float64, references, in, 2});
    unit->enter_initialization({});
    unit->get({ValueType::float64, references, out, 2});
    EXPECT_THAT(out, testing::ElementsAre(7, 5));
}

TEST_P(FmuUnit, TakesInputDerivatives) {
    for (const char* fmu : {"behaves", "behaves-fmi3"}) {
        const auto unit = instantiate(fmu);
        unit->enter_initialization({});
        unit->exit_initialization();
        ASSERT_NE(unit->input_derivatives(), nullptr);
        EXPECT_EQ(unit->input_derivatives()->max_order(), 2u);
        const ValueRef u = 0;
        const double slope = 3, curvature = 4;
        unit->input_derivatives()->set({&u, 1}, 1, {&slope, 1});
        unit->input_derivatives()->set({&u, 1}, 2, {&curvature, 1});
    }
}

TEST_P(FmuUnit, OfFmi3SetsInputDerivativesThroughTheInputsDeclaredSo) {
    const auto unit = instantiate("behaves-fmi3");
    unit->enter_initialization({});
    const ValueRef u = 0, derivatives[] = {2, 3};
    const double slope = 3, curvature = 4;
    unit->input_derivatives()->set({&u, 1}, 1, {&slope, 1});
    unit->input_derivatives()->set({&u, 1}, 2, {&curvature, 1});
    double values[2] = {};
    unit->get({ValueType::float64, derivatives, values, 2});
    EXPECT_THAT(values, testing::ElementsAre(3, 4));
}

TEST_P(FmuUnit, SavedStatesAreKeptBySlot) {
    for (const char* fmu : {"behaves", "behaves-fmi3"}) {
        const auto unit = instantiate(fmu);
        unit->enter_initialization({});
        unit->exit_initialization();
        ASSERT_NE(unit->snapshots(), nullptr);
        for (std::uint32_t slot = 0; slot < 3; ++slot) {
            echo(*unit, "u", double{1} + slot);
            unit->snapshots()->save(slot);
            unit->snapshots()->save(slot);
        }
        const ValueRef u = 0;
        for (const std::uint32_t slot : {1u, 0u, 2u}) {
            unit->snapshots()->restore(slot);
            double value = 0;
            unit->get({ValueType::float64, {&u, 1}, &value, 1});
            EXPECT_EQ(value, double{1} + slot);
        }
    }
}

TEST_P(FmuUnit, MessagesGoToTheLogUnderTheUnitsName) {
    instantiate("talks");
    EXPECT_THAT(log_.messages(), Contains(CollectingLog::Message{LogLevel::info, "echo",
                                                                 "[life] instantiated as echo"}));
    EXPECT_THAT(log_.messages(),
                Contains(CollectingLog::Message{LogLevel::warning, "echo",
                                                "[logStatusWarning] #r1# is odd%"}));
}

TEST_P(FmuUnit, MessagesOfFmi3AreNotFormats) {
    instantiate("talks-fmi3");
    EXPECT_THAT(log_.messages(), Contains(CollectingLog::Message{LogLevel::warning, "echo",
                                                                 "[logStatusWarning] 100 %s odd"}));
}

TEST_P(FmuUnit, LongMessagesAreCut) {
    instantiate("long-message");
    ASSERT_THAT(log_.messages(), SizeIs(1));
    EXPECT_LT(log_.messages()[0].text.size(), 5000u);
}

TEST_P(FmuUnit, IsTerminatedAndFreedInWhateverPhaseItIsLeft) {
    const auto life_of = [&](const char* fmu, auto&& use) {
        const std::size_t before = log_.messages().size();
        {
            const auto unit = instantiate(fmu);
            use(*unit);
        }
        std::string life;
        for (std::size_t i = before; i < log_.messages().size(); ++i) {
            const std::string& text = log_.messages()[i].text;
            if (text.starts_with("[life] ")) life += text.substr(7, text.find(' ', 7) - 7) + " ";
        }
        return life;
    };
    const auto leave = [](Unit&) {};
    const auto enter = [](Unit& unit) { unit.enter_initialization({}); };
    const auto step = [](Unit& unit) {
        unit.enter_initialization({});
        unit.exit_initialization();
        unit.snapshots()->save(0);
    };
    const auto terminate = [&](Unit& unit) {
        step(unit);
        unit.terminate();
    };
    for (const char* fmu : {"talks", "talks-fmi3"}) {
        EXPECT_EQ(life_of(fmu, leave), "instantiated freed ");
        EXPECT_EQ(life_of(fmu, enter), "instantiated freed ");
        EXPECT_EQ(life_of(fmu, step), "instantiated terminated freed ");
        EXPECT_EQ(life_of(fmu, terminate), "instantiated terminated freed ");
    }
}

TEST_P(FmuUnit, IsToldWhereItsResourcesAre) {
    const auto spaced = folder_ / "tmp/with space";
    std::filesystem::create_directory(spaced);
    ::setenv("TMPDIR", spaced.c_str(), 1);
    instantiate("talks");
    instantiate("talks-fmi3");
    const auto text = [](const auto& matcher) {
        return Contains(Field(&CollectingLog::Message::text, matcher));
    };
    EXPECT_THAT(log_.messages(),
                text(testing::AllOf(StartsWith("[resources] file:///"),
                                    testing::HasSubstr("with%20space/"), EndsWith("/resources"))));
    EXPECT_THAT(log_.messages(),
                text(testing::AllOf(StartsWith("[resources] /"), testing::HasSubstr("with space/"),
                                    EndsWith("/resources/"))));
}

TEST_P(FmuUnit, ThatNeedsAToolIsAnnounced) {
    instantiate("needs-tool");
    ASSERT_THAT(log_.messages(), SizeIs(1));
    EXPECT_EQ(log_.messages()[0].level, LogLevel::warning);
    EXPECT_THAT(log_.messages()[0].text, testing::HasSubstr("needsExecutionTool"));
}

INSTANTIATE_TEST_SUITE_P(Processes, FmuUnit, testing::Bool(), [](const auto& isolated) {
    return isolated.param ? "Isolated" : "InThisProcess";
});

} // namespace
} // namespace rubato::unit
