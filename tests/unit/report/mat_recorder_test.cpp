// SPDX-License-Identifier: Apache-2.0
#include "recording/mat_matrix.hpp"
#include "tables/mat_reader.hpp"
#include "temporary_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/report/mat_recorder.hpp>
#include <rubato/report/result_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

namespace rubato::report {
namespace {

using testing::content_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// A trajectory made by hand, in parts that tests can change.
struct Trajectory {
    std::string layout = "binTrans";
    std::uint32_t rows = 3, columns = 2; ///< of data_2
    std::vector<std::int32_t> info = {0, 1, 0, -1, 2, 2, 0, -1, 2, -2, 0, -1, 1, 2, 0, 0};
    std::vector<float> data = {0, 10, 20, 1, 11, 21};
    std::vector<double> constants = {0, 7, 1, 7}; ///< data_1, two rows

    std::string bytes() const {
        std::string file;
        append_mat_header(file, "Aclass", mat_type::text, 4, 11);
        const std::array<std::string, 4> kind = {"Atrajectory", "1.1", "", layout};
        for (std::size_t c = 0; c < 11; ++c)
            for (const std::string& row : kind) file += c < row.size() ? row[c] : ' ';
        const bool is_transposed = layout == "binTrans";
        const std::array<std::string, 4> names = {"Time", std::string("x\0", 2), "minus_x", "k"};
        append_texts(file, "name", names, is_transposed);
        append_texts(file, "description", names, is_transposed);
        append_mat_header(file, "dataInfo", mat_type::int32, 4, 4);
        for (std::size_t i = 0; i < info.size(); ++i)
            append_bytes(file, info[is_transposed ? i : i % 4 * 4 + i / 4]);
        append_mat_header(file, "data_1", mat_type::float64, 2, 2);
        for (std::size_t i = 0; i < 4; ++i)
            append_bytes(file, constants[is_transposed ? i : i % 2 * 2 + i / 2]);
        append_mat_header(file, "data_2", 10, rows, columns);
        for (const float value : data) append_bytes(file, value);
        return file;
    }

private:
    static void append_texts(std::string& file, std::string_view name,
                             const std::array<std::string, 4>& texts, bool is_transposed) {
        constexpr std::uint32_t length = 8;
        append_mat_header(file, name, mat_type::text, is_transposed ? length : 4,
                          is_transposed ? 4 : length);
        std::array<std::string, 4> padded = texts;
        for (std::string& text : padded) text.resize(length, ' ');
        for (std::size_t i = 0; i < std::size_t{4} * length; ++i)
            file += is_transposed ? padded[i / length][i % length] : padded[i % 4][i / 4];
    }
};

std::string message_of(const std::string& bytes) {
    try {
        (void)read_mat(bytes, "a.mat");
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// The bytes that OpenModelica writes for this trajectory, descriptions apart.
TEST(MatRecorder, WritesTheMatricesOfModelicaTools) {
    const TemporaryFolder folder;
    const double x = 2.5;
    const bool flag = true;
    const std::array<engine::Column, 2> columns = {
        {{"tank.level", "m", ValueType::float64, &x, "height of the fluid"},
         {"tank.full", "", ValueType::boolean, &flag, ""}}};
    MatRecorder recorder(folder / "a.mat");
    recorder.begin(columns);
    recorder.record({0.5});
    recorder.record({1.5});
    recorder.end();
    std::string expected;
    append_mat_header(expected, "Aclass", 51, 4, 11);
    expected += "A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   ";
    append_mat_header(expected, "name", 51, 10, 3);
    expected += "time      tank.leveltank.full ";
    append_mat_header(expected, "description", 51, 23, 3);
    expected += "Simulation time [s]    height of the fluid [m]                       ";
    append_mat_header(expected, "dataInfo", 20, 4, 3);
    for (const std::int32_t entry : {0, 1, 0, -1, 2, 2, 0, -1, 2, 3, 0, -1})
        append_bytes(expected, entry);
    append_mat_header(expected, "data_1", 0, 1, 2);
    for (const double entry : {0.5, 1.5}) append_bytes(expected, entry);
    append_mat_header(expected, "data_2", 0, 3, 2);
    for (const double entry : {0.5, 2.5, 1.0, 1.5, 2.5, 1.0}) append_bytes(expected, entry);
    EXPECT_EQ(content_of(folder / "a.mat"), expected);
}

TEST(MatRecorder, LeavesOutTextsAndSaysSo) {
    const TemporaryFolder folder;
    const std::string text = "on";
    const double x = 1;
    const std::array<engine::Column, 3> columns = {{{"a.mode", "", ValueType::string, &text},
                                                    {"a.x", "", ValueType::float64, &x},
                                                    {"a.raw", "", ValueType::binary, &text}}};
    MatRecorder recorder(folder / "a.mat");
    recorder.begin(columns);
    recorder.record({0});
    recorder.end();
    EXPECT_THAT(recorder.left_out(), ElementsAre("a.mode", "a.raw"));
    const Table table = read_results(folder / "a.mat");
    ASSERT_EQ(table.columns().size(), 2u);
    EXPECT_THAT(table.values("a.x"), ElementsAre(1));
}

/// At any time the file is a whole one: the number of rows follows what is there.
TEST(MatRecorder, IsCompleteWhileTheRunIsUnderWay) {
    const TemporaryFolder folder;
    const double x = 3;
    const std::array<engine::Column, 1> columns = {{{"a.x", "", ValueType::float64, &x}}};
    MatRecorder recorder(folder / "a.mat");
    recorder.begin(columns);
    EXPECT_EQ(read_results(folder / "a.mat").row_count(), 0u);
    recorder.record({1});
    while (read_results(folder / "a.mat").row_count() != 1)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    recorder.record({2});
    EXPECT_EQ(recorder.flush_in_emergency(), "2");
    EXPECT_THAT(read_results(folder / "a.mat").values("time"), ElementsAre(1, 2));
    recorder.end();
    EXPECT_EQ(recorder.last_written()->seconds, 2);
}

TEST(MatRecorder, KeepsWholeRowsWhenTheDiskGetsFull) {
    const TemporaryFolder folder;
    const double x = 3;
    const std::array<engine::Column, 1> columns = {{{"a.x", "", ValueType::float64, &x}}};
    MatRecorder recorder(folder / "a.mat");
    recorder.begin(columns);
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    const rlimit small{20'001, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_THROW(
        {
            for (int i = 0; i < 1'000'000; ++i) recorder.record({i * 1.0});
        },
        Error);
    recorder.end();
    ::setrlimit(RLIMIT_FSIZE, &old);
    const Table table = read_results(folder / "a.mat");
    EXPECT_GT(table.row_count(), 1000u);
    EXPECT_EQ(table.values("time").back(), recorder.last_written()->seconds);
    EXPECT_TRUE(table.incomplete_row().empty());
}

TEST(MatReader, ReadsAliasesConstantsAndSinglePrecision) {
    for (const char* const layout : {"binTrans", "binNormal"}) {
        Trajectory trajectory;
        trajectory.layout = layout;
        if (trajectory.layout == "binNormal") {
            trajectory.rows = 2;
            trajectory.columns = 3;
            trajectory.data = {0, 1, 10, 11, 20, 21};
        }
        const Table table = read_mat(trajectory.bytes(), "a.mat");
        EXPECT_EQ(table.columns().front().name, "Time");
        EXPECT_THAT(table.values("Time"), ElementsAre(0, 1)) << layout;
        EXPECT_THAT(table.values("x"), ElementsAre(10, 11)) << layout;
        EXPECT_THAT(table.values("minus_x"), ElementsAre(-10, -11)) << layout;
        EXPECT_THAT(table.values("k"), ElementsAre(7, 7)) << layout;
    }
}

TEST(MatReader, LeavesOutWhatIsMissingAtTheEnd) {
    const std::string bytes = Trajectory().bytes();
    const Table table = read_mat(std::string_view(bytes).substr(0, bytes.size() - 1), "a.mat");
    EXPECT_THAT(table.values("Time"), ElementsAre(0));
    EXPECT_THAT(table.incomplete_row(), HasSubstr("after 1 of 2 rows"));
    EXPECT_THAT(read_mat(bytes + "half a row", "a.mat").values("Time"), ElementsAre(0, 1));
}

TEST(MatReader, SaysWhatIsWrong) {
    EXPECT_THAT(message_of("MATLAB 5.0 MAT-file"), HasSubstr("level 5"));
    EXPECT_THAT(message_of(""), HasSubstr("there is no matrix Aclass"));
    EXPECT_THAT(message_of(std::string(100, '\xff')), HasSubstr("type 4294967295"));
    Trajectory trajectory;
    trajectory.layout = "binOther";
    EXPECT_THAT(message_of(trajectory.bytes()), HasSubstr("binOther"));
    trajectory = {};
    trajectory.info[5] = 4;
    EXPECT_THAT(message_of(trajectory.bytes()), HasSubstr("\"x\" is in row 4"));
    trajectory = {};
    trajectory.info[5] = 0;
    EXPECT_THAT(message_of(trajectory.bytes()), HasSubstr("\"x\" is in row 0"));
}

/// No bytes make it crash, hang or take much memory.
TEST(MatReader, SurvivesEveryDamagedByte) {
    const std::string good = Trajectory().bytes();
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const char other : {'\0', '\x7f', '\xff'}) {
            std::string bad = good;
            bad[i] = other;
            (void)message_of(bad);
        }
        (void)message_of(good.substr(0, i));
    }
}

} // namespace
} // namespace rubato::report
