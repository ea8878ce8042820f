// SPDX-License-Identifier: Apache-2.0

/// What is exchanged with federates of other tools, without an RTI: threads stand for federates.

#include "support/memory_link.hpp"

#include <rubato/distributed/encoding.hpp>
#include <rubato/distributed/fom.hpp>
#include <rubato/distributed/foreign.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>
#include <thread>

namespace rubato::distributed {
namespace {

using scenario::HlaEncoding;
using ::testing::HasSubstr;

// -- encodings ------------------------------------------------------------------------------------

std::string hex(HlaEncoding encoding, const Value& value) {
    const auto bytes = encode_value(encoding, value);
    if (!bytes) return "none";
    std::string text;
    for (const char byte : *bytes) {
        constexpr std::string_view digits = "0123456789abcdef";
        text += digits[static_cast<unsigned char>(byte) >> 4U];
        text += digits[static_cast<unsigned char>(byte) & 15U];
    }
    return text;
}

Value whole(std::int64_t value) { return value; }

TEST(Encoding, HasTheBytesOfTheStandard) {
    EXPECT_EQ(hex(HlaEncoding::float64_be, -1.5), "bff8000000000000");
    EXPECT_EQ(hex(HlaEncoding::float64_le, -1.5), "000000000000f8bf");
    EXPECT_EQ(hex(HlaEncoding::float32_be, -1.5), "bfc00000");
    EXPECT_EQ(hex(HlaEncoding::float32_le, -1.5), "0000c0bf");
    EXPECT_EQ(hex(HlaEncoding::integer64_be, whole(-2)), "fffffffffffffffe");
    EXPECT_EQ(hex(HlaEncoding::integer64_le, whole(258)), "0201000000000000");
    EXPECT_EQ(hex(HlaEncoding::integer32_be, whole(258)), "00000102");
    EXPECT_EQ(hex(HlaEncoding::integer32_le, whole(-2)), "feffffff");
    EXPECT_EQ(hex(HlaEncoding::integer16_be, whole(-2)), "fffe");
    EXPECT_EQ(hex(HlaEncoding::integer16_le, whole(258)), "0201");
    EXPECT_EQ(hex(HlaEncoding::boolean, true), "00000001");
    EXPECT_EQ(hex(HlaEncoding::boolean, false), "00000000");
    EXPECT_EQ(hex(HlaEncoding::unicode_string, std::string("aé€😀")), "00000005"
                                                                     "006100e920acd83dde00");
    EXPECT_EQ(hex(HlaEncoding::unicode_string, std::string()), "00000000");
}

TEST(Encoding, RefusesValuesThatItCannotHold) {
    EXPECT_EQ(hex(HlaEncoding::integer16_be, whole(32768)), "none");
    EXPECT_EQ(hex(HlaEncoding::integer16_be, whole(-32769)), "none");
    EXPECT_EQ(hex(HlaEncoding::integer32_le, whole(std::int64_t{1} << 31)), "none");
    EXPECT_EQ(hex(HlaEncoding::float32_be, 1e39), "none");
    EXPECT_EQ(hex(HlaEncoding::unicode_string, std::string("\xff")), "none");
    EXPECT_EQ(hex(HlaEncoding::unicode_string, std::string("\xc0\x80")), "none");     // too long
    EXPECT_EQ(hex(HlaEncoding::unicode_string, std::string("\xed\xa0\x80")), "none"); // surrogate
    EXPECT_EQ(hex(HlaEncoding::unicode_string, std::string("\xe2\x82")), "none");     // cut
}

constexpr std::array all_encodings = {
    HlaEncoding::float64_be,   HlaEncoding::float64_le,   HlaEncoding::float32_be,
    HlaEncoding::float32_le,   HlaEncoding::integer64_be, HlaEncoding::integer64_le,
    HlaEncoding::integer32_be, HlaEncoding::integer32_le, HlaEncoding::integer16_be,
    HlaEncoding::integer16_le, HlaEncoding::boolean,      HlaEncoding::unicode_string};

/// Bytes that are decoded are encoded to the same ones; others are refused, whatever they are.
TEST(Encoding, ReadsBackWhatItWritesAndSurvivesAnyBytes) {
    std::mt19937 random(3);
    int decoded = 0;
    for (int i = 0; i < 20000; ++i) {
        const HlaEncoding encoding = all_encodings.at(random() % all_encodings.size());
        std::string bytes(random() % 13, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random() % 4 == 0 ? random() : 0);
        const auto value = decode_value(encoding, bytes);
        if (!value) continue;
        ++decoded;
        const bool is_real = std::holds_alternative<double>(*value);
        if (is_real && std::isnan(std::get<double>(*value))) continue;
        EXPECT_EQ(encode_value(encoding, *value), bytes);
    }
    EXPECT_GT(decoded, 500);
}

// -- runs -----------------------------------------------------------------------------------------

class NoRefusals final : public RefusalReport {
public:
    void refused(const std::string& message) override { ADD_FAILURE() << message; }
};

class Rows final : public engine::Recorder {
public:
    void begin(std::span<const engine::Column> columns) override {
        columns_ = {columns.begin(), columns.end()};
    }
    void record(Time time) override {
        all.push_back({time.seconds});
        for (const engine::Column& column : columns_)
            all.back().push_back(*static_cast<const double*>(column.value));
    }
    void end() override {}
    std::vector<std::vector<double>> all;

private:
    std::vector<engine::Column> columns_;
};

class Hooks final : public pipeline::RunHooks {
public:
    explicit Hooks(ForeignExchange& foreign) : foreign_(foreign) {}
    engine::Summary execute(engine::Simulation& simulation, const engine::Observation& observation,
                            report::RunRecorder*) override {
        foreign_.attach(simulation);
        return simulation.run(observation);
    }

private:
    ForeignExchange& foreign_;
};

struct Federate {
    std::vector<std::string> units;
    Rows rows = {};
    std::string error = {};
};

/// Units of tests/distributed/controlled.yaml as federates: the master is the first.
void run(test::MemoryHub& hub, std::vector<Federate>& federates, std::size_t which,
         const std::string& file, std::chrono::milliseconds limit) {
    Federate& self = federates[which];
    try {
        const FederationSettings settings{
            .federation = "controlled", .units = self.units, .address = {}, .time_limit = limit};
        NoRefusals report;
        const auto federation =
            which == 0 ? lead_federation(hub.open(), settings, {"plant", "follower"}, "", report)
                       : follow_federation(hub.open(), settings);
        try {
            unit::Library library(silent_log());
            pipeline::add_native_models(library);
            Diagnostics diagnostics;
            const pipeline::Assembly assembly =
                pipeline::assemble(pipeline::read(file, diagnostics), library, diagnostics);
            diagnostics.throw_if_errors();
            std::vector<std::uint32_t> owners;
            for (const auto& unit : assembly.scenario.units)
                for (std::uint32_t f = 0; f < federates.size(); ++f)
                    if (std::ranges::count(federates[f].units, unit.name) > 0) owners.push_back(f);
            ForeignExchange foreign(*federation, assembly.orchestration.system, owners,
                                    silent_log());
            Hooks hooks(foreign);
            (void)pipeline::run(
                assembly, library,
                {.recorder = &self.rows, .processes = federation.get(), .placement = owners}, hooks,
                silent_log());
        } catch (...) {
            federation->fail(std::current_exception());
        }
    } catch (const std::exception& fault) {
        self.error = fault.what();
    }
}

/// With a federate of another tool, which has a link to itself.
void run_all(std::vector<Federate>& federates, const std::function<void(Link&)>& other,
             const std::string& file = CONTROLLED,
             std::chrono::milliseconds limit = std::chrono::seconds(60)) {
    test::MemoryHub hub;
    const auto link = hub.open();
    std::vector<std::thread> threads;
    for (std::size_t f = 0; f < federates.size(); ++f)
        threads.emplace_back([&, f] { run(hub, federates, f, file, limit); });
    other(*link);
    link->leave();
    for (std::thread& thread : threads) thread.join();
}

const std::vector<LinkAttribute> seen = {{"Plant", "plant", "position"},
                                         {"Plant", "plant", "speed"}};
const std::vector<LinkAttribute> given = {{"Controller", "controller", "force"}};
constexpr double step = 0.125;
constexpr int steps = 40;

void advance(Link& link, double time) {
    link.request(time, Advance::complete);
    while (link.is_advancing()) link.wait(0.01);
}

void begin(Link& link) {
    link.subscribe(seen);
    link.publish(given);
    while (!link.missing_instance().empty()) link.wait(0.01);
}

/// Samples the position at each communication point, and answers for the next one: F = 2 - 3 x.
TEST(Foreign, SeesOutputsAtItsTimesAndFeedsInputs) {
    for (const bool is_split : {false, true}) {
        std::vector<Federate> federates(is_split ? 2 : 1);
        federates[0].units = {"follower"};
        federates[is_split ? 1 : 0].units.emplace_back("plant");
        std::vector<double> positions, speeds;
        run_all(federates, [&](Link& link) {
            begin(link);
            for (int n = 0; n <= steps; ++n) {
                advance(link, n * step);
                LinkUpdate update;
                int updates = 0;
                while (link.take_update(update)) {
                    const bool is_speed = update.value.attribute == 1;
                    const auto encoding =
                        is_speed ? HlaEncoding::float32_le : HlaEncoding::float64_be;
                    const auto value = decode_value(encoding, update.value.bytes);
                    ASSERT_TRUE(value);
                    (is_speed ? speeds : positions).push_back(std::get<double>(*value));
                    ++updates;
                }
                EXPECT_EQ(updates, 2) << n;
                if (n == steps) break;
                const double force = 2 - 3 * positions.back();
                link.update((n + 1) * step, {{0, *encode_value(HlaEncoding::float64_be, force)}});
            }
        });
        for (const Federate& each : federates) EXPECT_EQ(each.error, "");
        const auto& rows = federates[0].rows.all;
        ASSERT_EQ(rows.size(), std::size_t{steps} + 1);
        double x = 1, v = 0, force = 0;
        for (std::size_t n = 0; n < rows.size(); ++n) {
            EXPECT_NEAR(rows[n][1], x, 1e-12) << n;
            EXPECT_NEAR(rows[n][2], v, 1e-12) << n;
            EXPECT_EQ(positions.at(n), rows[n][1]);
            EXPECT_EQ(speeds.at(n), static_cast<double>(static_cast<float>(rows[n][2])));
            if (n > 0) force = 2 - 3 * rows[n - 1][1];
            const double next = x + step * v;
            v += step * (force - x - v);
            x = next;
        }
    }
}

TEST(Foreign, EndsTheRunWithBytesThatAreNoValue) {
    std::vector<Federate> federates = {{{"follower"}}, {{"plant"}}};
    run_all(federates, [](Link& link) {
        begin(link);
        link.update(0, {{0, "abc"}});
        advance(link, 1);
    });
    for (const Federate& each : federates)
        EXPECT_THAT(each.error, HasSubstr("attribute force of object instance \"controller\": 3 "
                                          "bytes are no HLAfloat64BE"));
}

TEST(Foreign, EndsTheRunWithAValueThatIsNotFinite) {
    std::vector<Federate> federates = {{{"follower", "plant"}}};
    run_all(federates, [](Link& link) {
        begin(link);
        const double infinite = std::numeric_limits<double>::infinity();
        link.update(0, {{0, *encode_value(HlaEncoding::float64_be, infinite)}});
        advance(link, 1);
    });
    EXPECT_THAT(federates[0].error, HasSubstr("is inf, which input plant.Fc cannot be"));
}

TEST(Foreign, IsWaitedForUntilTheTimeLimit) {
    std::vector<Federate> federates = {{{"follower"}}, {{"plant"}}};
    run_all(
        federates, [](Link&) {}, CONTROLLED, std::chrono::milliseconds(500));
    for (const Federate& each : federates)
        EXPECT_THAT(each.error, HasSubstr("no federate has registered the object instance "
                                          "\"controller\" within 0.5 s"));
}

TEST(Foreign, IsRefusedAnInstanceOfSeveralFederates) {
    std::vector<Federate> federates = {{{"follower"}}, {{"plant"}}};
    run_all(
        federates, [](Link&) {}, CONTROLLED_SPLIT);
    for (const Federate& each : federates)
        EXPECT_THAT(each.error, HasSubstr("object instance \"both\" has attributes of plant.x1, "
                                          "which federate \"plant\" on "));
}

// -- the FOM --------------------------------------------------------------------------------------

TEST(Fom, HasTheClassesAndAttributesOfTheScenario) {
    scenario::System system;
    system.hla_outputs = {
        {{}, "Vehicle.Car", "car", "height", HlaEncoding::float32_le},
        {{}, "Vehicle", "truck", "name", HlaEncoding::unicode_string},
    };
    system.hla_inputs = {{{}, "Vehicle.Car", "other", "gear", HlaEncoding::integer16_be}};
    const std::string fom = federation_fom("a<b", system);
    EXPECT_THAT(fom, HasSubstr("<name>a&lt;b</name>"));
    EXPECT_THAT(fom, HasSubstr("<name>RubatoFederate</name>"));
    EXPECT_LT(fom.find("<name>Vehicle</name>"), fom.find("<name>Car</name>"));
    EXPECT_EQ(fom.find("<name>Vehicle</name>"), fom.rfind("<name>Vehicle</name>"));
    EXPECT_THAT(fom, HasSubstr("<dataType>RubatoFloat32LE</dataType>"));
    EXPECT_THAT(fom, HasSubstr("<dataType>RubatoInteger16BE</dataType>"));
    EXPECT_THAT(fom, HasSubstr("<dataType>HLAunicodeString</dataType>"));
    EXPECT_THAT(fom, HasSubstr("<representation>HLAinteger16BE</representation>"));
}

} // namespace
} // namespace rubato::distributed
