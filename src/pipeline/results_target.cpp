// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/results_target.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/event_file.hpp>
#include <rubato/report/metadata.hpp>
#include <rubato/report/result_formats.hpp>
#include <rubato/report/run_recorder.hpp>

#include <algorithm>
#include <array>
#include <system_error>

namespace rubato::pipeline {
namespace {

namespace fs = std::filesystem;

bool is_same_file(const fs::path& one, const fs::path& other) {
    std::error_code absent;
    return fs::equivalent(one, other, absent) && !absent;
}

bool holds_nothing(const fs::path& file) {
    std::error_code unknown;
    return fs::file_size(file, unknown) == 0 && !unknown;
}

bool holds_earlier_results(const fs::path& results, const scenario::Scenario& scenario) {
    try {
        const auto metadata = report::find_metadata(results);
        if (!metadata) return false;
        return metadata->scenario == scenario.name ||
               (!scenario.file.empty() && is_same_file(metadata->scenario_file, scenario.file));
    } catch (const InputError&) {
        return false;
    }
}

} // namespace

bool is_standard_output(const fs::path& file) {
    constexpr std::array names = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    return std::ranges::find(names, file.string()) != names.end();
}

std::vector<fs::path> files_of_results(const fs::path& results) {
    return {results, report::metadata_file_of(results), report::events_file_of(results)};
}

namespace {

void check_not_read(const fs::path& results, std::span<const fs::path> inputs) {
    for (const fs::path& file : files_of_results(results)) {
        const auto input = std::ranges::find_if(
            inputs, [&](const fs::path& each) { return is_same_file(file, each); });
        if (input == inputs.end()) continue;
        throw InputError(
            format("results would overwrite \"{}\", which the run reads", input->string()),
            "name another file by -o FILE.csv (record.file)");
    }
}

void check_replaced(const fs::path& results, const scenario::Scenario& scenario) {
    std::error_code unknown;
    if (!fs::is_regular_file(results, unknown) || holds_nothing(results) ||
        holds_earlier_results(results, scenario))
        return;
    throw InputError(format("\"{}\" exists, and is not known to hold earlier results of \"{}\"",
                            results.string(), scenario.name),
                     "name another file by -o FILE.csv (record.file), or replace it by --force");
}

/// Two of them may also be links to one.
void check_distinct(std::span<const fs::path> results) {
    std::vector<fs::path> written;
    for (const fs::path& each : results)
        for (const fs::path& file : files_of_results(each)) {
            std::error_code unknown;
            const fs::path whole = fs::weakly_canonical(fs::absolute(file), unknown);
            if (std::ranges::find(written, whole) != written.end())
                throw InputError(format("results would be written to \"{}\" twice", file.string()),
                                 "give each -o a file of its own");
            written.push_back(whole);
        }
}

} // namespace

void check_results_targets(std::span<const fs::path> results, std::span<const fs::path> inputs,
                           const scenario::Scenario& scenario, Overwrite overwrite) {
    std::vector<fs::path> files;
    for (const fs::path& each : results)
        if (report::is_file_or_new(each)) files.push_back(each);
    for (const fs::path& file : files) check_not_read(file, inputs);
    for (const fs::path& each : results) report::require_result_format(each);
    check_distinct(files);
    if (overwrite == Overwrite::anything) return;
    for (const fs::path& file : files) check_replaced(file, scenario);
}

} // namespace rubato::pipeline
