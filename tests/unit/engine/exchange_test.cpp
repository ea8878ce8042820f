// SPDX-License-Identifier: Apache-2.0
// Values that are not reals cross like reals do.
#include "support/system_builder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gtest/gtest.h>

#include <array>

namespace rubato::engine {
namespace {

constexpr std::array types = {ValueType::float32, ValueType::int16, ValueType::enumeration,
                              ValueType::boolean, ValueType::string};

/// One input (reference n) and one output (reference n + 10) of each type; an output repeats its
/// input with the step counted in: +1, negated, or a letter more.
class Relay final : public unit::Unit {
public:
    explicit Relay(std::string name) : Unit(std::move(name), describe()) {}

private:
    static const scenario::UnitDescription& describe() {
        static const scenario::UnitDescription description = [] {
            scenario::UnitDescription result;
            for (const ValueRef first : {0u, 10u}) {
                for (ValueRef n = 0; n < types.size(); ++n) {
                    scenario::Variable variable;
                    variable.type = types[n];
                    variable.reference = first + n;
                    result.variables.push_back(variable);
                }
            }
            return result;
        }();
        return description;
    }

    void do_enter_initialization(const unit::Horizon&) override {}
    void do_exit_initialization() override {}
    void do_terminate() override {}
    void do_set(const Bulk& bulk) override {
        for (std::size_t i = 0; i < bulk.count; ++i) {
            switch (storage_of(bulk.type)) {
            case Storage::real: real_ = bulk.reals()[i]; break;
            case Storage::integer: integers_.at(bulk.references[i]) = bulk.integers()[i]; break;
            case Storage::boolean: boolean_ = bulk.booleans()[i]; break;
            case Storage::string: text_ = bulk.strings()[i]; break;
            }
        }
    }
    void do_get(const Bulk& bulk) override {
        for (std::size_t i = 0; i < bulk.count; ++i) {
            switch (storage_of(bulk.type)) {
            case Storage::real: bulk.reals()[i] = real_ + 0.5; break;
            case Storage::integer:
                bulk.integers()[i] = integers_.at(bulk.references[i] - 10) + 1;
                break;
            case Storage::boolean: bulk.booleans()[i] = !boolean_; break;
            case Storage::string: bulk.strings()[i] = text_ + "x"; break;
            }
        }
    }
    unit::StepResult do_step(Time from, Duration by) override { return {from + by}; }

    double real_ = 0;
    std::array<std::int64_t, 3> integers_{};
    bool boolean_ = false;
    std::string text_;
};

/// a feeds b and b feeds a, every type.
scenario::System ring() {
    test::SystemBuilder builder;
    for (const std::string unit : {"a", "b"}) {
        builder.unit(unit);
        for (std::uint32_t n = 0; n < types.size(); ++n) {
            builder.input("i" + std::to_string(n)).reference_last(n);
        }
        for (std::uint32_t n = 0; n < types.size(); ++n) {
            builder.output("o" + std::to_string(n)).reference_last(10 + n);
        }
    }
    for (std::uint32_t n = 0; n < types.size(); ++n) {
        const std::string number = std::to_string(n);
        builder.link("a.o" + number, "b.i" + number).link("b.o" + number, "a.i" + number);
    }
    scenario::System system = builder.build();
    for (scenario::Port& port : system.ports) {
        port.type = types.at(port.reference % 10);
        port.variable = port.reference % 10 + (port.reference < 10 ? 0 : 5);
    }
    for (std::uint32_t n = 0; n < types.size(); ++n) system.observed.push_back({UnitId{1}, 5 + n});
    return system;
}

struct Last final : Recorder {
    void begin(std::span<const Column> all) override { columns = {all.begin(), all.end()}; }
    void record(Time) override {}
    void end() override {}
    template <class T>
    const T& value(std::size_t n) const {
        return *static_cast<const T*>(columns.at(n).value);
    }
    std::vector<Column> columns;
};

TEST(Exchange, EveryTypeCrossesAtInitializationAndInEveryStep) {
    Diagnostics diagnostics;
    scenario::System system = ring();
    system.links[2].factor = 2; // a.o1 -> b.i1, an integer
    const auto result = synthesis::orchestrate(
        system, {.recipe = scenario::Recipe::gauss_seidel, .order = {"a", "b"}}, diagnostics);
    diagnostics.throw_if_errors();
    std::vector<std::unique_ptr<unit::Unit>> units;
    units.push_back(std::make_unique<Relay>("a"));
    units.push_back(std::make_unique<Relay>("b"));
    Simulation simulation(result.system, result.algorithm, std::move(units),
                          {.start = 0, .stop = 2, .step = 1}, silent_log());
    Last last;
    (void)simulation.run({.recorder = &last});
    // At initialization both give what they give before anything is set (0.5, 1, 1, true, "x"), to
    // each other. Then twice: a gives input + 1, b takes it (the integer doubled), gives it + 1.
    EXPECT_EQ(last.value<double>(0), 2.5);      // 0.5 → a 1.0 → b 1.5 → a 2.0 → b 2.5
    EXPECT_EQ(last.value<std::int64_t>(1), 13); // 1 → a 2 → b 2·2+1 = 5 → a 6 → b 13
    EXPECT_EQ(last.value<std::int64_t>(2), 5);
    EXPECT_EQ(last.value<bool>(3), true);
    EXPECT_EQ(last.value<std::string>(4), "xxxxx");
}

} // namespace
} // namespace rubato::engine
