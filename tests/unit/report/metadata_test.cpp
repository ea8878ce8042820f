// SPDX-License-Identifier: Apache-2.0
#include "temporary_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/report/run_recorder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>

namespace rubato::report {
namespace {

using testing::content_of;
using testing::TemporaryFolder;

Metadata example() {
    Metadata metadata;
    metadata.rubato_version = "1.2.3";
    metadata.scenario = "crane";
    metadata.scenario_file = "crane.yaml";
    metadata.recipe = "jacobi";
    metadata.algorithm = "step a\nstep b";
    metadata.stop = 20;
    metadata.step = 0.1;
    return metadata;
}

TEST(Metadata, SaysRunningUntilTheRunIsConcluded) {
    const TemporaryFolder folder;
    const double value = 1;
    const std::array<engine::Column, 1> columns = {{{"a.x", "m", ValueType::float64, &value}}};
    RunRecorder recorder(folder / "r.csv", example());
    recorder.begin(columns);
    EXPECT_EQ(find_metadata(folder / "r.csv")->status, RunStatus::running);
    recorder.record({0});
    recorder.record({0.4});
    recorder.end();
    recorder.conclude(RunStatus::failed, "unit \"a\" failed");

    const std::optional<Metadata> read = find_metadata(folder / "r.csv");
    EXPECT_EQ(read->status, RunStatus::failed);
    EXPECT_EQ(read->reached, 0.4);
    EXPECT_EQ(read->message, "unit \"a\" failed");
    EXPECT_EQ(read->scenario, "crane");
    EXPECT_EQ(read->algorithm, "step a\nstep b");
    ASSERT_EQ(read->columns.size(), 1u);
    EXPECT_EQ(read->columns[0].name, "a.x");
    EXPECT_EQ(read->columns[0].unit, "m");
    EXPECT_EQ(read->columns[0].type, "float64");
}

/// As a signal handler does it.
TEST(Metadata, AnEmergencyIsToldInPlace) {
    const TemporaryFolder folder;
    RunRecorder recorder(folder / "r.csv", example());
    recorder.begin({});
    recorder.record({0.25});
    const std::string long_message(5000, 'x');
    for (const std::string& message :
         {std::string("unit \"a\\b\" \n crashed – alas"), long_message}) {
        EXPECT_EQ(recorder.conclude_in_emergency(RunStatus::failed, message), "0.25");
        const std::optional<Metadata> read = find_metadata(folder / "r.csv");
        EXPECT_EQ(read->status, RunStatus::failed);
        EXPECT_EQ(read->reached, 0.25);
        EXPECT_EQ(read->algorithm, "step a\nstep b");
        if (message == long_message)
            EXPECT_THAT(message, ::testing::StartsWith(read->message));
        else
            EXPECT_EQ(read->message, "unit \"a\\b\"   crashed – alas");
    }
    EXPECT_EQ(content_of(folder / "r.csv"), "time\n0.25\n");
}

TEST(Metadata, KeepsOtherRunsFromTheSameFile) {
    const TemporaryFolder folder;
    RunRecorder first(folder / "r.csv", example());
    first.begin({});
    first.record({1});
    RunRecorder second(folder / "r.csv", example());
    EXPECT_THROW(second.begin({}), InputError);
    first.end();
    EXPECT_THROW(second.begin({}), InputError) << "until it has concluded";
    EXPECT_EQ(content_of(folder / "r.csv"), "time\n1\n");
}

TEST(Metadata, DescribesEveryColumnOfTheFile) {
    const TemporaryFolder folder;
    Metadata metadata = example();
    metadata.columns = {{"a.x", "m", "float64"}};
    write_metadata(metadata, folder / "r.csv");
    const auto json = nlohmann::json::parse(content_of(folder / "r.csv.json"));
    ASSERT_EQ(json["columns"].size(), 2u);
    EXPECT_EQ(json["columns"][0]["name"], "time");
    EXPECT_EQ(json["columns"][0]["unit"], "s");
    EXPECT_EQ(json["columns"][1]["name"], "a.x");
}

TEST(Metadata, LeavesNoTemporaryFile) {
    const TemporaryFolder folder;
    write_metadata(example(), folder / "r.csv");
    write_metadata(example(), folder / "r.csv");
    const std::filesystem::directory_iterator files(folder.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Metadata, ARunThatNeverBeganLeavesNothing) {
    const TemporaryFolder folder;
    RunRecorder recorder(folder / "r.csv", example());
    recorder.conclude(RunStatus::failed, "no");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Metadata, IsNothingWhereThereIsNoFileAndAFaultWhereItIsAnother) {
    const TemporaryFolder folder;
    EXPECT_FALSE(find_metadata(folder / "r.csv"));
    testing::write_file(folder / "r.csv.json", "{\"columns\": 3}");
    EXPECT_THROW(find_metadata(folder / "r.csv"), InputError);
    testing::write_file(folder / "r.csv.json", "not json");
    EXPECT_THROW(find_metadata(folder / "r.csv"), InputError);
}

TEST(Metadata, TextThatIsNotUtf8DoesNotSpoilTheFile) {
    const TemporaryFolder folder;
    Metadata metadata = example();
    metadata.message = "caf\xe9";
    write_metadata(metadata, folder / "r.csv");
    EXPECT_TRUE(find_metadata(folder / "r.csv"));
}

} // namespace
} // namespace rubato::report
