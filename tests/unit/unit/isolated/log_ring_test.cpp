// SPDX-License-Identifier: Apache-2.0
#include "isolated/log_ring.hpp"
#include "support/collecting_log.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

namespace rubato::unit {
namespace {

using testing::SizeIs;
using Message = test::CollectingLog::Message;

class Ring : public testing::Test {
protected:
    std::unique_ptr<LogRing> ring_ = std::make_unique<LogRing>();
    Signal reader_;
    RingLog writer_{*ring_, reader_};
    test::CollectingLog log_;
};

TEST_F(Ring, HandsOnLevelSourceAndText) {
    writer_.write(LogLevel::warning, "pump", "it runs dry");
    writer_.write(LogLevel::debug, "", "");
    drain(*ring_, log_);
    EXPECT_THAT(log_.messages(),
                testing::ElementsAre(Message{LogLevel::warning, "pump", "it runs dry"},
                                     Message{LogLevel::debug, "", ""}));
}

TEST_F(Ring, WritersWaitWhileItIsFullAndNothingIsLost) {
    constexpr std::size_t count = 1000, size = 1000; // many times round
    std::atomic<bool> done = false;
    std::thread writer([&] {
        for (std::size_t i = 0; i < count; ++i)
            writer_.write(LogLevel::info, std::to_string(i), std::string(size, 'x'));
        done = true;
    });
    while (!done) drain(*ring_, log_);
    writer.join();
    drain(*ring_, log_);
    ASSERT_THAT(log_.messages(), SizeIs(count));
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(log_.messages()[i].source, std::to_string(i));
        EXPECT_EQ(log_.messages()[i].text, std::string(size, 'x'));
    }
}

TEST_F(Ring, CutsWhatIsLongerThanAQuarterOfIt) {
    writer_.write(LogLevel::info, "pump", std::string(10 * LogRing::capacity, 'x'));
    drain(*ring_, log_);
    ASSERT_THAT(log_.messages(), SizeIs(1));
    EXPECT_EQ(log_.messages()[0].text.size(), LogRing::capacity / 4);
}

TEST_F(Ring, ThatWasSpoiltGivesNothing) {
    writer_.write(LogLevel::info, "pump", "lost");
    ring_->bytes.fill(std::byte{0xff});
    drain(*ring_, log_);
    EXPECT_THAT(log_.messages(), SizeIs(0));
    ring_->written = ~std::uint64_t{0};
    drain(*ring_, log_);
    EXPECT_THAT(log_.messages(), SizeIs(0));
}

} // namespace
} // namespace rubato::unit
