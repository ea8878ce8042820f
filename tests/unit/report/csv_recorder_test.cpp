// SPDX-License-Identifier: Apache-2.0
#include "temporary_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/report/csv_recorder.hpp>
#include <rubato/report/table.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <limits>
#include <thread>

namespace rubato::report {
namespace {

using ::testing::AllOf;
using testing::content_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

engine::Column real(std::string name, const double& value) {
    return {std::move(name), "", ValueType::float64, &value};
}

TEST(CsvRecorder, WritesHeaderAndRows) {
    const TemporaryFolder folder;
    const std::array values = {0.1, -2.0};
    CsvRecorder recorder(folder / "a.csv");
    const std::array columns = {real("msd1.x1", values[0]), real("msd1.v1", values[1])};
    recorder.begin(columns);
    recorder.record({0});
    recorder.record({0.30000000000000004});
    recorder.end();
    EXPECT_EQ(content_of(folder / "a.csv"),
              "time,msd1.x1,msd1.v1\n0,0.1,-2\n0.30000000000000004,0.1,-2\n");
}

TEST(CsvRecorder, CreatesNothingBeforeItBegins) {
    const TemporaryFolder folder;
    { const CsvRecorder recorder(folder / "sub/a.csv"); }
    EXPECT_FALSE(std::filesystem::exists(folder / "sub"));
}

TEST(CsvRecorder, CreatesMissingFolders) {
    const TemporaryFolder folder;
    CsvRecorder recorder(folder / "deep/er/a.csv");
    recorder.begin({});
    recorder.record({1});
    recorder.end();
    EXPECT_EQ(content_of(folder / "deep/er/a.csv"), "time\n1\n");
}

TEST(CsvRecorder, WritesEveryTypeInItsOwnForm) {
    const TemporaryFolder folder;
    const double narrow = static_cast<double>(0.1f);
    const std::int64_t integer = -7;
    const std::int64_t natural = -1; // all bits set
    const bool flag = true;
    const std::string text = "say \"hi\", twice";
    const std::string bytes("\x00\xff", 2);
    const std::array<engine::Column, 6> columns = {{
        {"f32", "", ValueType::float32, &narrow},
        {"int", "", ValueType::int32, &integer},
        {"nat", "", ValueType::uint64, &natural},
        {"flag", "", ValueType::boolean, &flag},
        {"text", "", ValueType::string, &text},
        {"bytes", "", ValueType::binary, &bytes},
    }};
    CsvRecorder recorder(folder / "a.csv");
    recorder.begin(columns);
    recorder.record({0});
    recorder.end();
    EXPECT_EQ(content_of(folder / "a.csv"), "time,f32,int,nat,flag,text,bytes\n"
                                            "0,0.1,-7,18446744073709551615,1,"
                                            "\"say \"\"hi\"\", twice\",00ff\n");
}

TEST(CsvRecorder, QuotesNamesThatNeedIt) {
    const TemporaryFolder folder;
    const double value = 1;
    const std::array columns = {real("a.der(x,1)", value)};
    CsvRecorder recorder(folder / "a.csv");
    recorder.begin(columns);
    recorder.end();
    EXPECT_EQ(content_of(folder / "a.csv"), "time,\"a.der(x,1)\"\n");
}

TEST(CsvRecorder, ReadsBackBitForBit) {
    const TemporaryFolder folder;
    using Limits = std::numeric_limits<double>;
    std::array<double, 3> row{};
    const std::array columns = {real("u.a", row[0]), real("u.b", row[1]), real("u.c", row[2])};
    CsvRecorder recorder(folder / "a.csv");
    recorder.begin(columns);
    std::vector<std::array<double, 3>> rows;
    std::uint64_t bits = 88172645463325252ull;
    for (int i = 0; i < 20'000; ++i) {
        for (double& value : row) {
            bits ^= bits << 13u, bits ^= bits >> 7u, bits ^= bits << 17u;
            std::memcpy(&value, &bits, sizeof value);
            if (value != value) value = Limits::denorm_min();
        }
        rows.push_back(row);
        recorder.record({i * 0.1});
    }
    recorder.end();
    const Table table = read_csv(folder / "a.csv");
    ASSERT_EQ(table.row_count(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(table.columns()[0].values[i], static_cast<double>(i) * 0.1);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(table.columns()[k + 1].values[i], rows[i][k]);
    }
}

TEST(CsvRecorder, FollowsValuesThatAreNotNeighbours) {
    const TemporaryFolder folder;
    std::array values = {1.0, 2.0, 3.0, 4.0};
    const std::array columns = {real("d", values[3]), real("a", values[0]), real("b", values[1])};
    CsvRecorder recorder(folder / "a.csv");
    recorder.begin(columns);
    values = {10, 20, 30, 40};
    recorder.record({0});
    recorder.end();
    EXPECT_EQ(content_of(folder / "a.csv"), "time,d,a,b\n0,40,10,20\n");
}

/// Whatever whoever records does next.
TEST(CsvRecorder, ARowGetsToTheDiskByItself) {
    const TemporaryFolder folder;
    CsvRecorder recorder(folder / "a.csv");
    recorder.begin({});
    EXPECT_EQ(content_of(folder / "a.csv"), "time\n") << "the header is there from the start";
    recorder.record({1});
    while (content_of(folder / "a.csv") != "time\n1\n")
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    recorder.record({2});
    EXPECT_EQ(recorder.flush_in_emergency(), "2");
    EXPECT_EQ(content_of(folder / "a.csv"), "time\n1\n2\n");
    recorder.end();
    EXPECT_EQ(recorder.last_written()->seconds, 2);
}

/// What fits of the disk is whole rows, and the last of them is known.
TEST(CsvRecorder, KeepsWholeRowsWhenTheDiskGetsFull) {
    const TemporaryFolder folder;
    for (const bool has_text : {false, true}) {
        const std::string text = "two\nlines";
        const double value = 1.5;
        const std::array<engine::Column, 1> columns = {
            has_text ? engine::Column{"t", "", ValueType::string, &text} : real("t", value)};
        CsvRecorder recorder(folder / "a.csv");
        recorder.begin(columns);
        ::signal(SIGXFSZ, SIG_IGN);
        rlimit old{};
        ::getrlimit(RLIMIT_FSIZE, &old);
        const rlimit small{20'001, old.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
        int recorded = 0;
        EXPECT_THROW(
            {
                for (; recorded < 1'000'000; ++recorded) recorder.record({recorded * 1.0});
            },
            Error);
        recorder.end(); // has nothing more to say
        ::setrlimit(RLIMIT_FSIZE, &old);
        const std::string content = content_of(folder / "a.csv");
        EXPECT_GT(content.size(), 19'900u);
        const std::string last = std::to_string(static_cast<int>(recorder.last_written()->seconds));
        EXPECT_TRUE(content.ends_with("\n" + last + (has_text ? ",\"two\nlines\"\n" : ",1.5\n")));
    }
}

TEST(CsvRecorder, TakesTextLargerThanItsBuffer) {
    const TemporaryFolder folder;
    std::string text = "short";
    const std::array<engine::Column, 1> columns = {{{"t", "", ValueType::string, &text}}};
    CsvRecorder recorder(folder / "a.csv");
    recorder.begin(columns);
    recorder.record({0});
    text.assign(std::size_t{3} << 20, 'x');
    recorder.record({1});
    recorder.end();
    EXPECT_EQ(content_of(folder / "a.csv"), "time,t\n0,short\n1," + text + "\n");
}

TEST(CsvRecorder, SaysWhyAFileCannotBeCreated) {
    const TemporaryFolder folder;
    testing::write_file(folder / "file", "");
    CsvRecorder recorder(folder / "file/a.csv");
    try {
        recorder.begin({});
        FAIL() << "expected an Error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("file"), HasSubstr("Not a directory")));
    }
}

TEST(CsvRecorder, SaysWhenTheDiskIsFull) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
    CsvRecorder recorder("/dev/full");
    try {
        recorder.begin({});
        FAIL() << "expected an Error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
    }
}

} // namespace
} // namespace rubato::report
