// SPDX-License-Identifier: Apache-2.0

/// What FMUs log and tell within steps, whatever they hand to the callbacks.

#include "support/collecting_log.hpp"

#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <algorithm>

namespace rubato {
namespace {

using testing::Contains;
using testing::Not;
using Message = test::CollectingLog::Message;

/// Whether the FMU runs in a process of its own.
class Logging : public testing::TestWithParam<bool> {
protected:
    void live(const std::string& behaviour, const scenario::LoggingSettings& logging = {}) {
        scenario::Unit unit;
        unit.name = "it";
        unit.origin = scenario::FmuFile{std::string(MISUSE_FMUS) + "/" + behaviour + ".fmu"};
        unit.logging = logging;
        if (GetParam()) unit.isolate.emplace();
        library_.instantiate(unit, "");
    }

    test::CollectingLog log_;
    unit::Library library_{log_};
};

TEST_P(Logging, FindsTheUnitOfAnFmuThatHandsBackSomethingElse) {
    live("foreign-environment");
    EXPECT_THAT(log_.messages(),
                Contains(Message{LogLevel::warning, "it", "[life] where ?[31mam? I?"}));
}

TEST_P(Logging, DoesNotExpandAFormatThatWritesToMemory) {
    live("passes-a-text-as-format"); // "% n" is a conversion, and there is no argument
    EXPECT_THAT(log_.messages(), Contains(Message{LogLevel::warning, "it", "[life] 100% new"}));
}

TEST_P(Logging, UpdatesWithinAStepFindItsUnitWhateverTheFmuHandsBack) {
    scenario::Unit settings;
    settings.name = "it";
    settings.origin = scenario::FmuFile{std::string(MISUSE_FMUS) + "/foreign-environment-fmi3.fmu"};
    if (GetParam()) settings.isolate.emplace();
    const auto unit = library_.instantiate(settings, "");
    unit->enter_initialization({});
    double input = 3;
    const ValueRef references[] = {0, 1}; // u, y
    unit->set({ValueType::float64, {&references[0], 1}, &input, 1});
    unit->exit_initialization();
    ASSERT_TRUE(unit->intermediate_outputs());
    unit->intermediate_outputs()->sample({&references[1], 1}, 1);
    (void)unit->step({0}, {0.2});
    const unit::InnerSamples& samples = unit->intermediate_outputs()->samples();
    ASSERT_EQ(samples.count(), 1u);
    EXPECT_DOUBLE_EQ(samples.time(0).seconds, 0.1);
    EXPECT_EQ(samples.values(0)[0], 3);
}

TEST_P(Logging, OfFloodsTellsHowManyMessagesWereSuppressed) {
    live("floods", {.limit = 7});
    const auto drops = std::ranges::count_if(
        log_.messages(), [](const Message& it) { return it.text.starts_with("[life] drop"); });
    EXPECT_EQ(drops, 7);
    EXPECT_THAT(log_.messages(), Contains(Message{LogLevel::warning, "it",
                                                  "4993 more messages of this kind were suppressed "
                                                  "(logging.limit)"}));
}

TEST_P(Logging, IsSwitchedOnAndOffAsTheScenarioSays) {
    live("echoes-logging");
    EXPECT_THAT(log_.messages(), Contains(Message{LogLevel::info, "it", "[life] logging is on"}));
    live("echoes-logging", {.on = false});
    EXPECT_THAT(log_.messages(), Contains(Message{LogLevel::info, "it", "[life] logging is off"}));
}

TEST_P(Logging, TellsTheFmuTheCategories) {
    live("echoes-logging", {.categories = {"logEvents", "logAll"}});
    EXPECT_THAT(log_.messages(),
                Contains(Message{LogLevel::info, "it", "[life] category logEvents"}));
    EXPECT_THAT(log_.messages(), Contains(Message{LogLevel::info, "it", "[life] category logAll"}));
    const Message refused{LogLevel::warning, "it",
                          "the FMU does not take the log categories of the scenario"};
    EXPECT_THAT(log_.messages(), Not(Contains(refused)));
    live("echoes-logging", {.categories = {"unknown"}});
    EXPECT_THAT(log_.messages(), Contains(refused));
}

INSTANTIATE_TEST_SUITE_P(Processes, Logging, testing::Bool(), [](const auto& isolated) {
    return isolated.param ? "Isolated" : "InProcess";
});

} // namespace
} // namespace rubato
