// SPDX-License-Identifier: Apache-2.0

/// Federations without an RTI: threads stand for federates. What goes wrong while one forms, and
/// while it runs.

#include "federation/frame.hpp"
#include "support/memory_link.hpp"

#include <rubato/distributed/federation.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <thread>

namespace rubato::distributed {
namespace {

using engine::RunCommand;
using ::testing::HasSubstr;

class Refusals final : public RefusalReport {
public:
    void refused(const std::string& message) override { all.push_back(message); }
    std::vector<std::string> all;
};

FederationSettings claiming(std::vector<std::string> units, int milliseconds = 5000) {
    return {.federation = "stairs",
            .units = std::move(units),
            .address = {},
            .time_limit = std::chrono::milliseconds(milliseconds)};
}

/// What one of the threads does; an error is kept.
struct Outcome {
    std::string error;
    std::unique_ptr<Federation> federation;
};
using Work = std::function<void(Federation&)>;

std::thread follow(test::MemoryHub& hub, FederationSettings settings, Outcome& outcome, Work work) {
    return std::thread([&hub, settings = std::move(settings), &outcome, work = std::move(work)] {
        try {
            outcome.federation = follow_federation(hub.open(), settings);
            work(*outcome.federation);
        } catch (const std::exception& fault) {
            outcome.error = fault.what();
        }
    });
}

std::thread lead(test::MemoryHub& hub, FederationSettings settings, std::vector<std::string> all,
                 Refusals& refusals, Outcome& outcome, Work work) {
    return std::thread([&hub, settings = std::move(settings), all = std::move(all), &refusals,
                        &outcome, work = std::move(work)] {
        try {
            outcome.federation = lead_federation(hub.open(), settings, all, "offer", refusals);
            work(*outcome.federation);
        } catch (const std::exception& fault) {
            outcome.error = fault.what();
        }
    });
}

/// A master with unit a, and slaves with b and c, which all do the same.
struct Three {
    explicit Three(const Work& work) {
        std::thread master =
            lead(hub, claiming({"a"}), {"a", "b", "c"}, refusals, outcomes[0], work);
        std::thread one = follow(hub, claiming({"b"}), outcomes[1], work);
        std::thread two = follow(hub, claiming({"c"}), outcomes[2], work);
        master.join();
        one.join();
        two.join();
    }
    test::MemoryHub hub;
    Refusals refusals;
    std::array<Outcome, 3> outcomes;
};

TEST(Federation, HasTheMasterFirstAndKnowsWhoHasWhat) {
    const Three three([](Federation& federation) {
        ASSERT_EQ(federation.count(), 3u);
        EXPECT_EQ(federation.offer(), "offer");
        EXPECT_EQ(federation.members()[0].name, "master");
        EXPECT_EQ(federation.members()[1].units, std::vector<std::string>{"b"});
        EXPECT_EQ(federation.members()[2].name, "c");
        EXPECT_THAT(federation.name_of(2), HasSubstr("federate \"c\" on "));
    });
    for (const Outcome& outcome : three.outcomes) EXPECT_EQ(outcome.error, "");
}

TEST(Federation, ReducesBroadcastsAndCollects) {
    const Three three([](Federation& federation) {
        const double rank = federation.rank();
        std::array<double, 2> numbers = {rank, -rank};
        federation.take_largest(numbers);
        EXPECT_EQ(numbers[0], 2);
        EXPECT_EQ(numbers[1], 0);
        numbers = {rank == 1 ? std::numeric_limits<double>::quiet_NaN() : 1e300, 0};
        federation.take_largest(numbers);
        EXPECT_TRUE(std::isnan(numbers[0]));
        std::uint32_t sent = 10 + federation.rank();
        federation.broadcast(1, std::as_writable_bytes(std::span(&sent, 1)));
        EXPECT_EQ(sent, 11u);
        const std::string own(federation.rank() + 1, 'x');
        const auto all = federation.gather(own);
        EXPECT_EQ(all.size(), federation.rank() == 0 ? 3u : 0u);
        EXPECT_EQ(federation.gather_everywhere(own), (std::vector<std::string>{"x", "xx", "xxx"}));
    });
    for (const Outcome& outcome : three.outcomes) EXPECT_EQ(outcome.error, "");
}

/// Each sends its rank and a count to the next one, a thousand times.
TEST(Federation, ExchangesMessagesInOrder) {
    const Three three([](Federation& federation) {
        const engine::MessageSize to{(federation.rank() + 1) % 3, sizeof(std::uint64_t)};
        const engine::MessageSize from{(federation.rank() + 2) % 3, sizeof(std::uint64_t)};
        const auto messages = federation.open(std::span(&to, 1), std::span(&from, 1));
        for (std::uint64_t i = 0; i < 1000; ++i) {
            const std::uint64_t sent = 1000 * federation.rank() + i;
            std::memcpy(messages->outgoing(0).data(), &sent, sizeof sent);
            messages->exchange();
            std::uint64_t received = 0;
            std::memcpy(&received, messages->incoming(0).data(), sizeof received);
            ASSERT_EQ(received, 1000 * from.process + i);
        }
    });
    for (const Outcome& outcome : three.outcomes) EXPECT_EQ(outcome.error, "");
}

TEST(Federation, EndsEverywhereWithTheFailureOfOne) {
    const Three three([](Federation& federation) {
        try {
            if (federation.rank() == 2) throw Error("unit \"c\" failed in step at t = 0.3 s");
            std::array<double, 1> numbers = {0};
            federation.take_largest(numbers);
            FAIL();
        } catch (...) {
            federation.fail(std::current_exception());
        }
    });
    EXPECT_THAT(three.outcomes[0].error, HasSubstr("federate \"c\" on "));
    EXPECT_THAT(three.outcomes[0].error, HasSubstr("unit \"c\" failed in step at t = 0.3 s"));
    EXPECT_EQ(three.outcomes[1].error, three.outcomes[0].error);
    EXPECT_EQ(three.outcomes[2].error, "unit \"c\" failed in step at t = 0.3 s");
}

TEST(Federation, StopsAFederateThatDivergesFromTheMaster) {
    const Three three([](Federation& federation) {
        try {
            federation.announce(RunCommand::advance_time, Time{federation.rank() == 1 ? 0.2 : 0.1});
            std::array<double, 1> numbers = {0};
            federation.take_largest(numbers);
            federation.take_largest(numbers);
        } catch (...) {
            federation.fail(std::current_exception());
        }
    });
    for (const Outcome& outcome : three.outcomes) {
        EXPECT_THAT(outcome.error, HasSubstr("has diverged from the master, which commands "
                                             "ADVANCE_TIME for t = 0.1 s where it does "
                                             "ADVANCE_TIME for t = 0.2 s"));
        EXPECT_THAT(outcome.error, HasSubstr("federate \"b\" on "));
    }
}

TEST(Federation, AdvancesTheTimeOfAllAndNeverBack) {
    const Three three([](Federation& federation) {
        federation.announce(RunCommand::end_iteration, Time{0});
        for (const double time : {0.1, 0.2, 0.05, 0.2, 0.3}) {
            federation.announce(RunCommand::advance_time, Time{time});
            federation.announce(RunCommand::synch, Time{time});
            federation.announce(RunCommand::share_data_only_discrete, Time{time});
            federation.announce(RunCommand::end_iteration, Time{time});
        }
    });
    for (const Outcome& outcome : three.outcomes) EXPECT_EQ(outcome.error, "");
}

// -- forming one ----------------------------------------------------------------------------------

const Work nothing = [](Federation&) {};

TEST(Federation, TellsTheMasterWhichUnitsNobodyClaims) {
    test::MemoryHub hub;
    Refusals refusals;
    Outcome master, slave;
    std::thread leader = lead(hub, claiming({}, 300), {"a", "b", "c"}, refusals, master, nothing);
    std::thread follower = follow(hub, claiming({"b"}), slave, nothing);
    leader.join();
    follower.join();
    EXPECT_THAT(master.error, HasSubstr("federation \"stairs\": no federate has claimed units a, c "
                                        "within 0.3 s"));
    EXPECT_THAT(slave.error, HasSubstr("the master has given up: no federate has claimed units"));
}

TEST(Federation, TellsASlaveThatThereIsNoMaster) {
    test::MemoryHub hub;
    Outcome slave;
    follow(hub, claiming({"b"}, 200), slave, nothing).join();
    EXPECT_THAT(slave.error, HasSubstr("the run has not begun within 0.2 s"));
    EXPECT_THAT(slave.error, HasSubstr("rubato run SCENARIO --hla --federation stairs"));
}

/// The federation forms with those that may take part.
std::string refused(std::vector<std::string> units, std::string& warning) {
    test::MemoryHub hub;
    Refusals refusals;
    Outcome master, wrong, right;
    std::thread leader = lead(hub, claiming({"a"}), {"a", "b"}, refusals, master, nothing);
    follow(hub, claiming(std::move(units)), wrong, nothing).join();
    follow(hub, claiming({"b"}), right, nothing).join();
    leader.join();
    EXPECT_EQ(master.error, "");
    EXPECT_EQ(right.error, "");
    if (refusals.all.size() == 1) warning = refusals.all[0];
    return wrong.error;
}

TEST(Federation, RefusesAFederateThatClaimsWhatItCannotHave) {
    std::string warning;
    EXPECT_THAT(refused({"a"}, warning),
                HasSubstr("unit \"a\" is claimed by federate \"master\" on "));
    EXPECT_THAT(warning, HasSubstr("federate \"a\" on "));
    EXPECT_THAT(warning, HasSubstr(" is refused: unit \"a\" is claimed by"));
    EXPECT_THAT(refused({"bb"}, warning), HasSubstr("the scenario has no unit \"bb\""));
    EXPECT_THAT(refused({"b", "b"}, warning), HasSubstr("unit \"b\" is claimed twice"));
    EXPECT_THAT(refused({}, warning), HasSubstr("it claims no unit"));
}

TEST(Federation, RefusesAFederateThatComesLate) {
    test::MemoryHub hub;
    Refusals refusals;
    Outcome master, slave, late;
    const Work wait_for_slave = [](Federation& federation) {
        std::array<double, 1> numbers = {0};
        federation.take_largest(numbers);
    };
    std::thread leader = lead(hub, claiming({"a"}), {"a", "b"}, refusals, master, wait_for_slave);
    std::thread follower = follow(hub, claiming({"b"}), slave, [&](Federation& federation) {
        follow(hub, claiming({"b"}), late, nothing).join();
        wait_for_slave(federation);
    });
    leader.join();
    follower.join();
    EXPECT_THAT(late.error, HasSubstr("the run has begun without this federate"));
    EXPECT_EQ(master.error, "");
    EXPECT_EQ(slave.error, "");
}

TEST(Federation, EndsWhenTheRtiDoes) {
    test::MemoryHub hub;
    Refusals refusals;
    Outcome master, slave;
    const Work work = [&hub](Federation& federation) {
        std::array<double, 1> numbers = {0};
        federation.take_largest(numbers);
        try {
            if (federation.rank() == 0) hub.end();
            for (;;) federation.take_largest(numbers);
        } catch (...) {
            federation.fail(std::current_exception());
        }
    };
    std::thread leader = lead(hub, claiming({"a"}), {"a", "b"}, refusals, master, work);
    std::thread follower = follow(hub, claiming({"b"}), slave, work);
    leader.join();
    follower.join();
    EXPECT_THAT(master.error, HasSubstr("the RTI has ended"));
    EXPECT_THAT(slave.error, HasSubstr("the RTI has ended"));
}

// -- frames ---------------------------------------------------------------------------------------

TEST(Frame, IsReadAsItWasWritten) {
    const Frame frame{FrameKind::exchange,
                      7,
                      3,
                      12,
                      {{RunCommand::rewind, Time{0.5}}, {RunCommand::synch, Time{-1}}},
                      std::string("\0body", 5)};
    const auto read = decode(encode(frame));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kind, frame.kind);
    EXPECT_EQ(read->session, 7u);
    EXPECT_EQ(read->from, 3u);
    EXPECT_EQ(read->number, 12u);
    EXPECT_EQ(read->commands, frame.commands);
    EXPECT_EQ(read->body, frame.body);
}

TEST(Frame, OfAnyBytesIsReadOrRefused) {
    std::mt19937 random(3);
    const std::string whole =
        encode(Frame{FrameKind::roster, 7, 3, 12, {{RunCommand::rewind, Time{0.5}}}, "some body"});
    for (std::size_t size = 0; size < whole.size(); ++size) (void)decode(whole.substr(0, size));
    for (int i = 0; i < 20000; ++i) {
        std::string bytes = whole;
        for (int changes = 0; changes < 3; ++changes)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        if (const auto frame = decode(bytes)) {
            BodyReader reader(frame->body);
            (void)reader.text();
            (void)reader.texts();
        }
    }
    EXPECT_FALSE(decode(""));
    EXPECT_FALSE(decode("RUF1"));
}

} // namespace
} // namespace rubato::distributed
