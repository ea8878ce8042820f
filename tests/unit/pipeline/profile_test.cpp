// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/profile.hpp>

#include <gtest/gtest.h>

namespace rubato::pipeline {
namespace {

/// A unit that does nothing.
class Idle final : public unit::Unit {
public:
    explicit Idle(std::string name) : Unit(std::move(name), empty()) {}
    unit::Abilities abilities() noexcept override { return unit::Abilities::none(); }

private:
    static const scenario::UnitDescription& empty() {
        static const scenario::UnitDescription none;
        return none;
    }
    void do_enter_initialization(const unit::Horizon&) override {}
    void do_exit_initialization() override {}
    void do_set(const Bulk&) override {}
    void do_get(const Bulk&) override {}
    unit::StepResult do_step(Time from, Duration by) override { return {.reached = from + by}; }
    void do_terminate() override {}
};

TEST(Profile, CountsCallsAndSteps) {
    Profile profile;
    const auto unit = profile.measured(std::make_unique<Idle>("a"));
    unit->enter_initialization({});
    unit->exit_initialization();
    for (int i = 0; i < 3; ++i) (void)unit->step({i * 1.0}, {1});
    const auto entries = profile.entries();
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].unit, "a");
    EXPECT_EQ(entries[0].time.calls, 5u);
    EXPECT_EQ(entries[0].time.steps, 3u);
    EXPECT_GE(entries[0].time.seconds, 0);
}

TEST(Profile, UnitsWithinAUnitFollowIt) {
    Profile profile;
    std::vector<std::unique_ptr<unit::Unit>> units;
    for (const char* const name : {"b", "a.x.y", "a", "a.x", "ab"})
        units.push_back(profile.measured(std::make_unique<Idle>(name)));
    std::string order;
    for (const auto& entry : profile.entries())
        order += entry.unit + ":" + std::to_string(entry.level) + " ";
    EXPECT_EQ(order, "a:0 a.x:1 a.x.y:2 ab:0 b:0 ") << "equal times: by name";
}

} // namespace
} // namespace rubato::pipeline
