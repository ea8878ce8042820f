// SPDX-License-Identifier: Apache-2.0

/// What FMUs log, whatever they hand to the logger.

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
        unit.fmu = std::string(MISUSE_FMUS) + "/" + behaviour + ".fmu";
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
