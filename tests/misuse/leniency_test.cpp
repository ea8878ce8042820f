// SPDX-License-Identifier: Apache-2.0

/// FMUs that break the standard only while they run: they run all the same, the log names the rule,
/// and --strict refuses them.

#include "support/collecting_log.hpp"
#include "support/error_text.hpp"
#include "support/private_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <array>
#include <cmath>

namespace rubato {
namespace {

using scenario::Interface;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using unit::Strictness;
using Message = test::CollectingLog::Message;

constexpr double tolerance = 1e-5;

auto logs(const std::string& text, LogLevel level = LogLevel::info) {
    return Contains(AllOf(Field(&Message::level, level), Field(&Message::text, HasSubstr(text))));
}

class RunTimeLeniency : public testing::Test {
protected:
    std::unique_ptr<unit::Unit> instantiate(const std::string& fmu,
                                            std::optional<Interface> type = {},
                                            Strictness strictness = Strictness::lenient) {
        scenario::Unit unit;
        unit.name = "odd";
        unit.origin = scenario::FmuFile{std::string(MISUSE_FMUS) + "/" + fmu + ".fmu"};
        unit.type = type;
        auto& library = strictness == Strictness::strict ? strict_ : library_;
        return library.instantiate(unit, "");
    }
    std::unique_ptr<unit::Unit> initialize(const std::string& fmu,
                                           std::optional<Interface> type = {},
                                           Strictness strictness = Strictness::lenient,
                                           double start = 0) {
        auto unit = instantiate(fmu, type, strictness);
        unit->enter_initialization({.start = {start}, .stop = {}, .tolerance = {1e-8}});
        unit->exit_initialization();
        return unit;
    }
    /// x after steps of 0.1 s to 1 s.
    static double run(unit::Unit& unit) {
        for (int i = 0; i < 10; ++i) (void)unit.step({0.1 * i}, {0.1});
        const ValueRef reference = 0;
        double x = 0;
        unit.get({ValueType::float64, {&reference, 1}, &x, 1});
        return x;
    }
    static std::string text_of(unit::Unit& unit, ValueType type, ValueRef reference) {
        std::string text = "before";
        unit.get({type, {&reference, 1}, &text, 1});
        return text;
    }

    test::CollectingLog log_;
    unit::Library library_{log_}, strict_{log_, {}, Strictness::strict};
};

TEST_F(RunTimeLeniency, WithStringsAndBinariesThatAreNull) {
    for (const std::string suffix : {"-fmi1", "", "-fmi3"}) {
        SCOPED_TRACE(suffix);
        const ValueRef text = suffix == "-fmi3" ? 21 : 0;
        const auto unit = initialize("null-strings" + suffix);
        EXPECT_EQ(text_of(*unit, ValueType::string, text), "");
        EXPECT_THAT(log_.messages(), logs("breaks the rule null-value: fmi" +
                                          std::string(suffix.empty()      ? "2"
                                                      : suffix == "-fmi3" ? "3"
                                                                          : "") +
                                          "GetString: a string is a null pointer; the value is "
                                          "taken as empty"));
        if (suffix == "-fmi1") continue; // refused already for functions that it lacks
        const auto strict = initialize("null-strings" + suffix, {}, Strictness::strict);
        EXPECT_THAT(
            test::error_of<Error>([&] { text_of(*strict, ValueType::string, text); }),
            HasSubstr("GetString at t = 0 s: a string is a null pointer (null-value, refused by "
                      "--strict)"));
    }
    EXPECT_EQ(text_of(*initialize("null-strings-fmi3"), ValueType::binary, 22), "");
}

TEST_F(RunTimeLeniency, IsToldOnceForEachUnit) {
    const auto unit = initialize("null-strings");
    const std::size_t before = log_.messages().size();
    text_of(*unit, ValueType::string, 0);
    text_of(*unit, ValueType::string, 0);
    EXPECT_EQ(log_.messages().size(), before + 1);
}

TEST_F(RunTimeLeniency, WithAnEventModeThatIsRefused) {
    const auto unit = initialize("odd-plain-fmi3", Interface::co_simulation);
    EXPECT_EQ(unit->event_mode(), nullptr);
    EXPECT_NEAR(run(*unit), std::exp(-1), 1e-12);
    EXPECT_THAT(log_.messages(),
                logs("breaks the rule event-mode-refused: fmi3InstantiateCoSimulation: there is "
                     "no event mode; it runs without",
                     LogLevel::warning));
    EXPECT_THAT(test::error_of<Error>([&] {
                    instantiate("odd-plain-fmi3", Interface::co_simulation, Strictness::strict);
                }),
                HasSubstr("there is no event mode (event-mode-refused, refused by --strict)"));
}

TEST_F(RunTimeLeniency, NotWithARefusedEventModeThatClocksNeed) {
    EXPECT_EQ(instantiate("odd-discrete-fmi3", Interface::co_simulation)->event_mode(), nullptr);
    EXPECT_THAT(
        test::error_of<Error>([&] { instantiate("odd-clocked-fmi3", Interface::co_simulation); }),
        HasSubstr("unit \"odd\" failed in fmi3InstantiateCoSimulation before "
                  "initialization: there is no event mode"));
}

TEST_F(RunTimeLeniency, WithEventInfoThatIsNotFilledIn) {
    const auto unit = initialize("behaves-fmi1-me");
    EXPECT_EQ(unit->step({0}, {1}).end, unit::StepEnd::completed);
    EXPECT_THAT(log_.messages(),
                logs("breaks the rule event-info-unfilled: fmiInitialize: it does not give the "
                     "time of the next event; it is asked for its events once more"));
}

TEST_F(RunTimeLeniency, WithInputDerivativesThatAreRefused) {
    const auto derive = [](unit::Unit& unit) {
        const ValueRef reference = 0;
        const double value = 1;
        unit.input_derivatives()->set({&reference, 1}, 1, {&value, 1});
    };
    const auto unit = initialize("refuses-derivatives");
    derive(*unit);
    derive(*unit);
    EXPECT_EQ(unit->step({0}, {1}).end, unit::StepEnd::completed);
    EXPECT_THAT(log_.messages(), logs("breaks the rule input-derivatives-refused: "
                                      "fmi2SetRealInputDerivatives: it takes none; inputs are "
                                      "held within steps",
                                      LogLevel::warning));
    const auto strict = initialize("refuses-derivatives", {}, Strictness::strict);
    EXPECT_THAT(test::error_of<Error>([&] { derive(*strict); }),
                HasSubstr("(input-derivatives-refused, refused by --strict)"));
}

TEST_F(RunTimeLeniency, WithGettersThatFillInTheFirstValueOnly) {
    struct Getter {
        std::string suffix, call;
        std::array<ValueRef, 3> references; ///< p, u, y
    };
    const double input = 0.01;
    for (const Getter& form :
         {Getter{"", "fmi2GetReal", {2, 0, 1}}, Getter{"-fmi1", "fmiGetReal", {2, 0, 1}},
          Getter{"-fmi3", "fmi3GetFloat64", {4, 0, 1}}}) {
        const auto read = [&](unit::Unit& unit) {
            std::array<double, 3> values{};
            unit.get({ValueType::float64, form.references, values.data(), values.size()});
            return values;
        };
        const auto unit = instantiate("fills-first" + form.suffix);
        unit->enter_initialization({});
        unit->set({ValueType::float64, {&form.references[1], 1}, const_cast<double*>(&input), 1});
        EXPECT_EQ(unit->direct_calls() != nullptr, form.suffix.empty());
        EXPECT_THAT(read(*unit), testing::ElementsAre(1, input, input)) << form.call;
        unit->exit_initialization();
        EXPECT_FALSE(unit->direct_calls());
        (void)unit->step({0}, {0.1});
        EXPECT_THAT(read(*unit), testing::ElementsAre(1, input, input)) << form.call;
        EXPECT_THAT(log_.messages(),
                    logs("breaks the rule values-unfilled: " + form.call +
                         ": of 3 values it filled in 1; each value is read by a call of its own"));
        if (form.suffix == "-fmi1") continue; // refused already for what its library lacks
        const auto strict = initialize("fills-first" + form.suffix, {}, Strictness::strict);
        EXPECT_THAT(test::error_of<Error>([&] { (void)read(*strict); }),
                    HasSubstr("(values-unfilled, refused by --strict)"));
    }
}

/// Model exchange by FMI 2.0 and 3.0.
class ExchangeLeniency : public RunTimeLeniency, public testing::WithParamInterface<std::string> {
protected:
    double run(const std::string& oddity) {
        return RunTimeLeniency::run(*solved(oddity, Strictness::lenient));
    }
    std::unique_ptr<unit::Unit> solved(const std::string& oddity, Strictness strictness) {
        return initialize("odd-" + oddity + GetParam(), Interface::model_exchange, strictness);
    }
};

TEST_P(ExchangeLeniency, IsNotNeededForAModelThatIsNotOdd) {
    EXPECT_NEAR(run("plain"), 2 * std::exp(-1), tolerance);
    EXPECT_THAT(log_.messages(),
                Each(Field(&Message::text, Not(HasSubstr("breaks the rule nominal")))));
    EXPECT_THAT(log_.messages(),
                Each(Field(&Message::text, Not(HasSubstr("breaks the rule next-event")))));
}

TEST_P(ExchangeLeniency, WithNominalValuesThatAreNotPositive) {
    EXPECT_NEAR(run("zero-nominal"), 2 * std::exp(-1), tolerance);
    EXPECT_THAT(log_.messages(), logs("breaks the rule nominal-not-positive: reading nominal "
                                      "values: that of state 1 is 0"));
    EXPECT_NEAR(run("nan-nominal"), 2 * std::exp(-1), tolerance);
    EXPECT_THAT(log_.messages(), logs("that of state 1 is nan"));
    EXPECT_THAT(test::error_of<Error>([&] { solved("zero-nominal", Strictness::strict); }),
                HasSubstr("(nominal-not-positive, refused by --strict)"));
}

TEST_P(ExchangeLeniency, WithAnEventThatComesAtNoTime) {
    EXPECT_NEAR(run("nan-event"), std::exp(-1), tolerance);
    EXPECT_THAT(log_.messages(), logs("it announces an event at nan s; no event is expected"));
    EXPECT_THAT(test::error_of<Error>([&] { solved("nan-event", Strictness::strict); }),
                HasSubstr("(next-event-time, refused by --strict)"));
}

TEST_P(ExchangeLeniency, WithEventInfoThatIsNotFilledIn) {
    EXPECT_NEAR(run("leaves-event-info"), std::exp(-1), tolerance);
}

TEST_P(ExchangeLeniency, WithStatesThatAnEventChangesInSecret) {
    EXPECT_NEAR(run("hides-changed-states"), 2 * std::exp(-1), tolerance);
}

TEST_P(ExchangeLeniency, WithModelsThatWantTheTimeBeforeTheStates) {
    EXPECT_NEAR(run("demands-time"), 2 * std::exp(-1), tolerance);
}

TEST_P(ExchangeLeniency, WithALibraryThatExportsOnlyWhatCannotBeDoneWithout) {
    const auto unit = solved("bare", Strictness::lenient);
    EXPECT_NEAR(RunTimeLeniency::run(*unit), 2 * std::exp(-1), tolerance);
    unit->terminate();
    EXPECT_THAT(log_.messages(), logs("breaks the rule function-missing"));
    EXPECT_THAT(test::error_of<InputError>([&] { solved("bare", Strictness::strict); }),
                HasSubstr("(function-missing, refused by --strict)"));
}

TEST_P(ExchangeLeniency, WithTimesThatAreLate) {
    constexpr double start = 1e9, step = 1e-3;
    const auto unit =
        initialize("odd-leaves-event-info" + GetParam(), Interface::model_exchange, {}, start);
    for (int i = 0; i < 100; ++i) (void)unit->step({start + i * step}, {step});
    const ValueRef reference = 0;
    double x = 0;
    unit->get({ValueType::float64, {&reference, 1}, &x, 1});
    EXPECT_NEAR(x, std::exp(-0.1), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Versions, ExchangeLeniency, testing::Values("-fmi2", "-fmi3"),
                         [](const auto& version) {
                             return version.param == "-fmi2" ? "Fmi2" : "Fmi3";
                         });

TEST_F(RunTimeLeniency, WithModelsOfFmi1ThatWantTheTimeBeforeTheyInitialize) {
    const auto unit = initialize("demands-time-fmi1-me", {}, Strictness::lenient, 3);
    EXPECT_EQ(unit->step({3}, {1}).reached, Time{4});
}

/// Files whose paths have spaces and umlauts. Parameter: what the file names of FMUs of a version
/// end in, and whether they run in a process of their own.
class Resources : public testing::TestWithParam<std::tuple<std::string, bool>> {};

TEST_P(Resources, AreFoundWhereverTheFmuAndTheTemporaryFilesAre) {
    const auto& [suffix, isolated] = GetParam();
    const test::PrivateFolder folder;
    const auto odd = folder / "Prüfstand 100 % äöü#?";
    std::filesystem::create_directories(odd / "tmp für alles");
    const std::string tmp = std::getenv("TMPDIR");
    ::setenv("TMPDIR", (odd / "tmp für alles").c_str(), 1);
    std::filesystem::copy_file(std::string(MISUSE_FMUS) + "/reads-resources" + suffix + ".fmu",
                               odd / "großes Modell.fmu");
    double y = 0;
    {
        unit::Library library(silent_log());
        scenario::Unit described;
        described.name = "it";
        described.origin = scenario::FmuFile{odd / "großes Modell.fmu"};
        if (isolated) described.isolate.emplace();
        const auto unit = library.instantiate(described, "");
        unit->enter_initialization({});
        const ValueRef reference = 1;
        unit->get({ValueType::float64, {&reference, 1}, &y, 1});
    }
    ::setenv("TMPDIR", tmp.c_str(), 1);
    EXPECT_EQ(y, 42.5);
}

std::string name_of(const testing::TestParamInfo<std::tuple<std::string, bool>>& form) {
    const auto& [suffix, isolated] = form.param;
    const std::string version = suffix.empty() ? "Fmi2" : suffix == "-fmi1" ? "Fmi1" : "Fmi3";
    return version + (isolated ? "Isolated" : "");
}

INSTANTIATE_TEST_SUITE_P(Versions, Resources,
                         testing::Combine(testing::Values("-fmi1", "", "-fmi3"), testing::Bool()),
                         name_of);

} // namespace
} // namespace rubato
