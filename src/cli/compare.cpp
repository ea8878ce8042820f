// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "exit_code.hpp"
#include "terminal.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/compare.hpp>
#include <rubato/report/result_formats.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rubato::cli {
namespace {

using report::human_number;

struct CompareOptions {
    std::filesystem::path results, reference;
    std::string tube;
};

/// "0.01" or "0.01,0.002": parts of the range of each variable, and of the span of time.
report::Tube parse_tube(const std::string& text) {
    report::Tube tube{.spans_rows = false};
    if (text.empty()) return tube;
    const auto comma = text.find(',');
    const auto value = files::parse_real(text.substr(0, comma));
    const auto time = comma == std::string::npos ? std::optional(tube.time)
                                                 : files::parse_real(text.substr(comma + 1));
    const auto is_part = [](const std::optional<double>& part) {
        return part && std::isfinite(*part) && *part >= 0;
    };
    if (!is_part(value) || !is_part(time))
        throw InputError(format("--tube {} is not a tube", text),
                         "write parts of the range of each variable and of the span of time: "
                         "--tube 0.01,0.002");
    tube.value = *value;
    tube.time = *time;
    return tube;
}

std::string text_of(const report::Mismatch& found) {
    return format("{} at t = {} s is {}, in the reference {}", found.variable,
                  human_number(found.time), human_number(found.value),
                  human_number(found.expected));
}

/// The variables outside the tube, by the time at which they leave it.
std::string outside_text(std::vector<report::Mismatch> outside, std::size_t compared) {
    constexpr std::size_t most = 20;
    std::ranges::stable_sort(outside, {}, &report::Mismatch::time);
    report::TextTable table({{"outside the tube"},
                             {"from [s]", report::Align::right},
                             {"value", report::Align::right},
                             {"reference", report::Align::right}});
    for (const report::Mismatch& found : std::span(outside).first(std::min(most, outside.size())))
        table.add({found.variable, human_number(found.time), human_number(found.value),
                   human_number(found.expected)});
    std::string text = table.to_string();
    if (outside.size() > most) text += format("and {} more\n", outside.size() - most);
    return text + format("{} of {} outside the tube\n", outside.size(),
                         report::plural(compared, "variable"));
}

report::Table read_rows(const std::filesystem::path& file) {
    report::Table table = report::read_results(file);
    if (!table.incomplete_row().empty()) print(stderr, table.incomplete_row() + "\n");
    if (table.row_count() == 0)
        throw InputError(format("{} has no rows, so there is nothing to compare", file.string()));
    const report::Table::Column& time = table.columns().front();
    if (!time.why_not_numeric.empty())
        throw InputError(
            format("the first column of {} is not time: {}", file.string(), time.why_not_numeric));
    const auto is_after = [](double a, double b) { return !(a <= b); };
    const auto back = std::ranges::adjacent_find(time.values, is_after);
    if (back != time.values.end() || std::isnan(time.values.front()))
        throw InputError(format("the first column of {}, \"{}\", is not time: it decreases, or a "
                                "value is missing",
                                file.string(), time.name),
                         "results begin with a column of times, in order");
    return table;
}

/// Columns of the reference, but time, that were not compared.
std::vector<std::string> left_out(const report::Table& reference,
                                  const std::vector<std::string>& compared) {
    std::vector<std::string> names;
    for (std::size_t i = 1; i < reference.columns().size(); ++i) {
        const std::string& name = reference.columns()[i].name;
        if (std::ranges::find(compared, name) == compared.end()) names.push_back(name);
    }
    return names;
}

int compare_results(const CompareOptions& options) {
    const report::Tube tube = parse_tube(options.tube);
    const report::Table results = read_rows(options.results);
    const report::Table reference = read_rows(options.reference);
    const report::Comparison comparison = report::compare(results, reference, tube);
    if (comparison.compared.empty())
        throw InputError(format("{} and {} have no column of numbers in common",
                                options.results.string(), options.reference.string()),
                         "columns are compared by their names; the first one is time");
    std::string text;
    bool is_equal = comparison.outside.empty();
    if (!is_equal) text += outside_text(comparison.outside, comparison.compared.size());
    if (comparison.ends_too_soon) {
        is_equal = false;
        text += format("{} ends at t = {} s, before the reference\n", options.results.string(),
                       human_number(*comparison.ends_too_soon));
    }
    if (is_equal)
        text += format("{} within the tube: {} % of their ranges, {} % of the time\n",
                       report::plural(comparison.compared.size(), "variable"),
                       human_number(100 * tube.value), human_number(100 * tube.time));
    if (comparison.differs_at_start)
        text += format("but for the first row: {}\n", text_of(*comparison.differs_at_start));
    const std::vector<std::string> others = left_out(reference, comparison.compared);
    if (!others.empty()) text += format("not compared: {}\n", fmt::join(others, ", "));
    print(stdout, text);
    return is_equal ? exit_code::success : exit_code::mismatch;
}

} // namespace

void add_compare(Command& program, int& exit_code) {
    auto options = std::make_shared<CompareOptions>();
    Command& command = program.add_command("compare", "Compare results with a reference");
    command.add_option("results", options->results, "results of a run")
        ->required()
        ->option_text("RESULTS");
    command.add_option("reference", options->reference, "results to compare with")
        ->required()
        ->option_text("REFERENCE");
    command
        .add_option("--tube", options->tube,
                    "allowed deviation: part of the range of each variable, and part of the span "
                    "of time by which values may be early or late")
        ->option_text("VALUE[,TIME]")
        ->default_str("0.01,0.002");
    command.manual.description = {
        "Columns are compared by their names; the first column is time. Rows may be at different "
        "times: values between them are interpolated linearly. A value is within the tube if the "
        "other one takes a value near it at a time near it. Extremes of the reference between rows "
        "of the results may differ by twice the tube. The output names each variable that leaves "
        "the tube, with the first time at which it does."};
    command.manual.examples = {
        {"rubato compare results/crane.csv reference.csv",
         "Allow 1 % of the range of each variable."},
        {"rubato compare a.csv b.csv --tube 1e-6,0", "Allow 1e-6 of the range and no shift."}};
    command.manual.exit_codes = {{"0", "all values are within the tube"},
                                 {"1", "a value is outside the tube"}};
    command.callback([options, &exit_code] { exit_code = compare_results(*options); });
}

} // namespace rubato::cli
