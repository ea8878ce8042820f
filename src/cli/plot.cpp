// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "exit_code.hpp"
#include "terminal.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/results_target.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/event_file.hpp>
#include <rubato/report/result_formats.hpp>
#include <rubato/report/results_plot.hpp>
#include <rubato/report/run_recorder.hpp>
#include <rubato/report/text_table.hpp>

#include <charconv>
#include <memory>
#include <optional>

namespace rubato::cli {
namespace {

using report::Figure;
using report::Table;

constexpr std::size_t most_by_default = 12;
constexpr int smallest_size = 100;
constexpr int largest_size = 20'000;

struct PlotOptions {
    std::filesystem::path results;
    std::vector<std::string> names;
    std::filesystem::path output;
    std::string title;
    std::string size;
    std::optional<double> from, to;
    bool log_scale = false;
};

std::vector<std::string> plottable_names(const Table& table) {
    std::vector<std::string> names;
    for (std::size_t i = 1; i < table.columns().size(); ++i)
        if (table.columns()[i].why_not_numeric.empty()) names.push_back(table.columns()[i].name);
    return names;
}

std::vector<std::string> all_names(const Table& table) {
    std::vector<std::string> names;
    for (const Table::Column& column : table.columns()) names.push_back(column.name);
    return names;
}

std::vector<std::string> default_names(const Table& table, const std::filesystem::path& results) {
    std::vector<std::string> names = plottable_names(table);
    if (names.empty())
        throw InputError(format("{} has nothing to plot", results.string()),
                         "it needs a numeric column in addition to the first, which is time");
    if (names.size() > most_by_default) {
        print(stderr, format("showing the first {} of {} columns; name others to see them\n",
                             most_by_default, names.size()));
        names.resize(most_by_default);
    }
    return names;
}

int parse_extent(std::string_view text, const std::string& size) {
    int extent = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), extent);
    const bool is_number = fault == std::errc{} && end == text.data() + text.size();
    if (!is_number || extent < smallest_size || extent > largest_size)
        throw InputError(format("--size {} is not a size", size),
                         format("write width and height in pixels, {} to {} each: --size 960x500",
                                smallest_size, largest_size));
    return extent;
}

void apply_size(Figure& figure, const std::string& size) {
    if (size.empty()) return;
    const std::size_t cross = size.find('x');
    figure.width = parse_extent(std::string_view(size).substr(0, cross), size);
    figure.height = parse_extent(
        cross == std::string::npos ? "" : std::string_view(size).substr(cross + 1), size);
}

void apply_range(Figure& figure, const Table& table, const PlotOptions& options) {
    if (!options.from && !options.to) return;
    const std::vector<double>& time = table.values(table.columns()[0].name);
    if (time.empty()) return;
    const report::Range range{options.from.value_or(time.front()),
                              options.to.value_or(time.back())};
    if (!(range.low < range.high))
        throw InputError(format("there are no results between {} and {} s",
                                report::human_number(range.low), report::human_number(range.high)),
                         format("the results cover {} to {} s; choose --from less than --to",
                                report::human_number(time.front()),
                                report::human_number(time.back())));
    figure.x_range = range;
}

/// The file to write; checked before anything is read.
std::filesystem::path picture_file(const PlotOptions& options) {
    if (options.output.empty())
        return std::filesystem::path(options.results).replace_extension(".svg");
    const std::string ending = options.output.extension().string();
    if (pipeline::is_standard_output(options.output) || ending.empty() || ending == ".svg" ||
        !report::is_file_or_new(options.output))
        return options.output;
    throw InputError(
        format("cannot write \"{}\": plot writes SVG, not {}", options.output.string(), ending),
        "use a file name that ends in .svg; other programs convert SVG to other formats");
}

int plot(const PlotOptions& options) {
    const std::filesystem::path output = picture_file(options);
    const Table table = report::read_results(options.results);
    if (!table.incomplete_row().empty()) print(stderr, table.incomplete_row() + "\n");
    if (table.columns().front().values.empty())
        throw InputError(
            format("{} has no rows, so there is nothing to plot", options.results.string()));
    const auto metadata = report::find_metadata(options.results);
    const std::vector<std::string> names =
        options.names.empty() ? default_names(table, options.results)
                              : report::select_names(all_names(table), options.names);
    Figure figure = report::plot_results(table, metadata, names);
    figure.marks = report::find_event_times(options.results);
    if (figure.title.empty()) figure.title = options.results.stem().string();
    if (!options.title.empty()) figure.title = options.title;
    if (options.log_scale)
        for (report::Panel& panel : figure.panels) panel.y_scale = report::Scale::logarithmic;
    apply_size(figure, options.size);
    apply_range(figure, table, options);
    if (pipeline::is_standard_output(output)) {
        print(stdout, report::to_svg(figure));
        return exit_code::success;
    }
    report::write_svg(figure, output);
    print(stdout, format("{} over {} in {}\n", report::plural(names.size(), "curve"),
                         report::plural(table.row_count(), "point"), output.string()));
    return exit_code::success;
}

} // namespace

void add_plot(Command& program, int& exit_code) {
    auto options = std::make_shared<PlotOptions>();
    Command& command = program.add_command("plot", "Plot results as an SVG file");
    command
        .add_option("results", options->results,
                    format("results file: {}", report::result_extensions()))
        ->required()
        ->option_text("FILE");
    command
        .add_option("names", options->names,
                    "variables to plot: msd1.x1, x1 if that is unique, 'msd1.*'")
        ->option_text("NAME")
        ->default_str("all");
    command.add_option("-o,--output", options->output, "SVG file; - writes to standard output")
        ->option_text("FILE.svg")
        ->default_str("the name of the results file with .svg")
        ->group(group::output);
    command.add_option("--title", options->title, "title of the plot")
        ->option_text("TEXT")
        ->default_str("name of the scenario")
        ->group(group::output);
    command.add_option("--from", options->from, "first time to show [s]")
        ->option_text("T")
        ->default_str("start of the results")
        ->group(group::output);
    command.add_option("--to", options->to, "last time to show [s]")
        ->option_text("T")
        ->default_str("end of the results")
        ->group(group::output);
    command.add_option("--size", options->size, "width and height in pixels")
        ->option_text("WxH")
        ->default_str(format("{} pixels wide, height by the number of panels", Figure().width))
        ->group(group::output);
    command.add_flag("--log", options->log_scale, "logarithmic axis for the values")
        ->group(group::output);
    command.manual.examples = {
        {"rubato plot results/crane.csv", "Plot all variables to results/crane.svg."},
        {"rubato plot results/crane.csv load winch.speed -o crane.svg",
         "Plot two variables to another file."},
        {"rubato plot results/crane.csv 'winch.*' --from 2 --to 4 --size 1200x600",
         "Plot the variables of one unit between 2 s and 4 s."}};
    command.callback([options, &exit_code] { exit_code = plot(*options); });
}

} // namespace rubato::cli
