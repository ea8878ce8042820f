// SPDX-License-Identifier: Apache-2.0
#include "recording/hdf5_recorder.hpp"
#include "temporary_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/report/result_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace rubato::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

class Hdf5 : public ::testing::Test {
protected:
    void SetUp() override {
#ifdef RUBATO_HDF5_MODULE
        ::setenv("RUBATO_HDF5", RUBATO_HDF5_MODULE, 0);
#else
        GTEST_SKIP() << "this build has no HDF5: RESULTS AS HDF5 ARE NOT TESTED";
#endif
    }

    std::filesystem::path file() const { return folder_ / "a.h5"; }

    TemporaryFolder folder_;
    double x_ = 3;
    std::array<engine::Column, 1> columns_ = {{{"a.x", "m", ValueType::float64, &x_}}};
};

TEST_F(Hdf5, CanBeReadWhileTheRunIsUnderWay) {
    Hdf5Recorder recorder(file());
    recorder.begin(columns_);
    EXPECT_EQ(read_results(file()).row_count(), 0u);
    recorder.record({1});
    while (read_results(file()).row_count() != 1)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    recorder.record({2});
    EXPECT_EQ(recorder.flush_in_emergency(), "2");
    EXPECT_THAT(read_results(file()).values("time"), ElementsAre(1, 2));
    recorder.record({3});
    recorder.end();
    EXPECT_EQ(recorder.last_written()->seconds, 3);
    EXPECT_THAT(read_results(file()).values("a.x"), ElementsAre(3, 3, 3));
}

/// Parts of chunks that are written early do not change what follows.
TEST_F(Hdf5, FlushesAtAnyRowGiveTheSameValues) {
    Hdf5Recorder recorder(file());
    recorder.begin(columns_);
    constexpr int rows = 20'000;
    for (int i = 0; i < rows; ++i) {
        x_ = i * 0.5;
        recorder.record({i * 1.0});
        if (i % 7919 == 0) (void)recorder.flush_in_emergency();
    }
    recorder.end();
    const Table table = read_results(file());
    ASSERT_EQ(table.row_count(), std::size_t{rows});
    for (int i = 0; i < rows; ++i) {
        ASSERT_EQ(table.values("time")[static_cast<std::size_t>(i)], i);
        ASSERT_EQ(table.values("a.x")[static_cast<std::size_t>(i)], i * 0.5);
    }
}

TEST_F(Hdf5, HoldsTextsAndNamesOfAnyKind) {
    std::string text = "an";
    const std::string bytes("\0\xff", 2);
    const std::array<engine::Column, 5> columns = {{{"a/b", "", ValueType::float64, &x_},
                                                    {"a|b", "", ValueType::float64, &x_},
                                                    {".", "", ValueType::float64, &x_},
                                                    {"text", "", ValueType::string, &text},
                                                    {"bytes", "", ValueType::binary, &bytes}}};
    Hdf5Recorder recorder(file());
    recorder.begin(columns);
    for (int i = 0; i < 5000; ++i) {
        text += i % 1000 == 0 ? "other" : "";
        recorder.record({i * 1.0});
    }
    recorder.end();
    const Table table = read_results(file());
    EXPECT_EQ(table.row_count(), 5000u);
    std::vector<std::string> names;
    for (const Table::Column& column : table.columns()) names.push_back(column.name);
    EXPECT_THAT(names, ElementsAre("time", "a/b", "a|b", ".", "text", "bytes"));
    EXPECT_THROW((void)table.values("text"), InputError);
}

TEST_F(Hdf5, SaysWhatIsWrongWithAFile) {
    {
        Hdf5Recorder recorder(file());
        recorder.begin(columns_);
        for (int i = 0; i < 1000; ++i) recorder.record({i * 1.0});
        recorder.end();
    }
    std::filesystem::resize_file(file(), std::filesystem::file_size(file()) / 2);
    try {
        (void)read_results(file());
        FAIL() << "expected an InputError";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cannot read"));
        EXPECT_THAT(error.what(), HasSubstr("a.h5"));
    }
    testing::write_file(folder_ / "file", "");
    Hdf5Recorder recorder(folder_ / "file/a.h5");
    EXPECT_THROW(recorder.begin(columns_), Error);
}

} // namespace
} // namespace rubato::report
