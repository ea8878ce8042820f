// SPDX-License-Identifier: Apache-2.0
/// What it costs to write results in each format: rubato_bench_results [variables] [points]
/// [folder]. Trajectories are oscillations of different frequencies, so that no two values are
/// alike.
#include <rubato/core/diagnostics.hpp>
#include <rubato/report/result_formats.hpp>

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace rubato {
namespace {

double processor_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Oscillators, each advanced by a rotation.
class Trajectories {
public:
    explicit Trajectories(std::size_t count) : x_(count, 1.0), y_(count), c_(count), s_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            const double angle = 1e-4 * static_cast<double>(i + 1);
            c_[i] = std::cos(angle);
            s_[i] = std::sin(angle);
        }
    }
    std::vector<engine::Column> columns() const {
        std::vector<engine::Column> all;
        for (std::size_t i = 0; i < x_.size(); ++i)
            all.push_back({"unit" + std::to_string(i / 10) + ".x" + std::to_string(i % 10), "m",
                           ValueType::float64, &x_[i]});
        return all;
    }
    void advance() {
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const double x = c_[i] * x_[i] - s_[i] * y_[i];
            y_[i] = s_[i] * x_[i] + c_[i] * y_[i];
            x_[i] = x;
        }
    }

private:
    std::vector<double> x_, y_, c_, s_;
};

void measure(const std::filesystem::path& file, std::size_t variables, std::size_t points) {
    Trajectories trajectories(variables);
    const auto writer = file.empty() ? nullptr : report::make_result_writer(file);
    const double processor = processor_seconds();
    const auto begun = std::chrono::steady_clock::now();
    if (writer) writer->begin(trajectories.columns());
    for (std::size_t i = 0; i < points; ++i) {
        if (writer) writer->record({1e-3 * static_cast<double>(i)});
        trajectories.advance();
    }
    if (writer) writer->end();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
    std::printf("%-8s %8.2f s %8.2f s", writer ? file.extension().c_str() : "nothing", wall.count(),
                processor_seconds() - processor);
    if (writer) {
        std::printf(" %10.1f MB", static_cast<double>(std::filesystem::file_size(file)) / 1e6);
        std::filesystem::remove(file);
    }
    std::printf("\n");
    std::fflush(stdout);
}

int run(int argc, char** argv) {
    const std::size_t variables = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
    const std::size_t points = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100'000;
    const std::filesystem::path folder =
        argc > 3 ? std::filesystem::path(argv[3]) : std::filesystem::temp_directory_path();
    std::printf("%zu variables, %zu points\n%-8s %10s %10s %13s\n", variables, points, "format",
                "wall", "processor", "size");
    measure({}, variables, points);
    for (const char* const name : {"rubato-bench.csv", "rubato-bench.mat", "rubato-bench.h5"}) {
        try {
            measure(folder / name, variables, points);
        } catch (const Error& error) {
            std::printf("%s\n", error.what());
        }
    }
    return 0;
}

} // namespace
} // namespace rubato

int main(int argc, char** argv) { return rubato::run(argc, argv); }
