// SPDX-License-Identifier: Apache-2.0
#include "temporary_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/report/result_formats.hpp>
#include <rubato/report/run_recorder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

namespace rubato::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// Files that can be written here.
std::vector<std::string> names_of_files() {
    std::vector<std::string> names = {"a.csv", "a.mat"};
#ifdef RUBATO_HDF5_MODULE
    ::setenv("RUBATO_HDF5", RUBATO_HDF5_MODULE, 0);
    names.emplace_back("a.h5");
#endif
    return names;
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// Values of every type that a table of numbers has, under names that are hard to write.
struct Recorded {
    double real = 0;
    double narrow = 0;
    std::int64_t integer = 0;
    std::int64_t natural = 0;
    bool flag = false;
    std::int64_t choice = 0;

    std::vector<engine::Column> columns() const {
        return {
            {"winch.\"speed\", really", "m/s", ValueType::float64, &real, "Seil­geschwindigkeit"},
            {"drum." + std::string(200, 'x'), "", ValueType::float32, &narrow},
            {"A[2,1]", "", ValueType::int32, &integer},
            {"Größe.läuft", "K", ValueType::uint64, &natural},
            {"x.flag", "", ValueType::boolean, &flag},
            {"x.mode", "", ValueType::enumeration, &choice}};
    }
    void change(std::mt19937_64& random) {
        real = std::bit_cast<double>(random());
        narrow = static_cast<float>(random()) / 3.0F;
        integer = static_cast<std::int32_t>(random());
        natural = static_cast<std::int64_t>(random());
        flag = random() % 2 == 0;
        choice = static_cast<std::int64_t>(random() % 5);
    }
};

/// Each format gives the numbers of CSV back, bit by bit; two rows of an event are two rows.
TEST(ResultFormats, GiveTheSameTable) {
    const TemporaryFolder folder;
    std::vector<ResultsTarget> targets;
    for (const std::string& name : names_of_files()) targets.push_back({.file = folder / name});
    Recorded recorded;
    RunRecorder recorder(targets, {});
    recorder.begin(recorded.columns());
    std::mt19937_64 random(1);
    for (int i = 0; i < 5000; ++i) {
        recorded.change(random);
        if (i == 10) recorded.real = std::numeric_limits<double>::infinity();
        if (i == 11) recorded.real = -0.0;
        recorder.record({(i / 2) * 0.1});
    }
    recorder.end();
    const Table csv = read_results(folder / "a.csv");
    ASSERT_EQ(csv.row_count(), 5000u);
    for (const ResultsTarget& target : targets) {
        SCOPED_TRACE(target.file);
        const Table table = read_results(target.file);
        ASSERT_EQ(table.columns().size(), csv.columns().size());
        for (std::size_t c = 0; c < csv.columns().size(); ++c) {
            EXPECT_EQ(table.columns()[c].name, csv.columns()[c].name);
            const bool is_narrow = c == 2; // its text is that of a float, which is shorter
            const std::vector<double>& values = table.columns()[c].values;
            const std::vector<double>& expected = csv.columns()[c].values;
            ASSERT_EQ(values.size(), expected.size());
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (std::isnan(expected[i])) {
                    ASSERT_TRUE(std::isnan(values[i]));
                } else if (is_narrow) {
                    ASSERT_EQ(static_cast<float>(values[i]), static_cast<float>(expected[i]));
                } else {
                    ASSERT_EQ(bits(values[i]), bits(expected[i])) << c << ", " << i;
                }
            }
        }
    }
}

TEST(ResultFormats, ExtensionsNameThem) {
    EXPECT_NO_THROW(require_result_format("a.csv"));
    EXPECT_NO_THROW(require_result_format("a.MAT"));
    EXPECT_NO_THROW(require_result_format("results"));
    EXPECT_NO_THROW(require_result_format("/dev/null"));
    try {
        require_result_format("a.xlsx");
        FAIL() << "expected an InputError";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("a.xlsx"));
        EXPECT_THAT(error.what(), HasSubstr(".csv, .mat, .h5"));
    }
}

TEST(ResultFormats, AreRecognizedByContent) {
    const TemporaryFolder folder;
    const double x = 4;
    const std::array<engine::Column, 1> columns = {{{"a.x", "", ValueType::float64, &x}}};
    for (const std::string& name : names_of_files()) {
        const auto writer = make_result_writer(folder / name);
        writer->begin(columns);
        writer->record({1});
        writer->end();
        std::filesystem::rename(folder / name, folder / "renamed.dat");
        EXPECT_THAT(read_results(folder / "renamed.dat").values("a.x"), ElementsAre(4)) << name;
    }
}

TEST(ResultFormats, AFileThatIsNotWhatItSaysIsNamed) {
    const TemporaryFolder folder;
    testing::write_file(folder / "a.mat", "time,x\n0,1\n");
    try {
        (void)read_results(folder / "a.mat");
        FAIL() << "expected an InputError";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("a.mat"));
        EXPECT_THAT(error.what(), HasSubstr("not a trajectory"));
    }
}

} // namespace
} // namespace rubato::report
