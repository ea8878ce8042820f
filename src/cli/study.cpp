// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "exit_code.hpp"
#include "progress_bar.hpp"
#include "terminal.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <adaptive-order/figures.hpp>
#include <adaptive-order/sampling.hpp>
#include <adaptive-order/write_up.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

namespace rubato::cli {
namespace {

namespace study = studies::adaptive_order;
using scenario::OrderEstimator;

unsigned processors() { return std::max(1u, std::thread::hardware_concurrency()); }

struct StudyCommand {
    std::optional<std::filesystem::path> parameters;
    std::filesystem::path output = "results/adaptive-order.csv";
    std::string estimator, first = "msd1", network;
    bool inverted = false;
    unsigned threads = processors();
    std::uint64_t seed = 1;
    std::optional<std::size_t> count;
};

std::vector<study::Parameters> parameter_sets(const StudyCommand& command) {
    auto sets = command.parameters ? study::read_parameters(*command.parameters)
                                   : study::sample_parameters(command.seed);
    if (!command.count || *command.count >= sets.size()) return sets;
    return study::draw(sets, *command.count, command.seed);
}

std::vector<OrderEstimator> estimators(const std::string& name) {
    if (name == "input") return {OrderEstimator::input};
    if (name == "power") return {OrderEstimator::power};
    return {OrderEstimator::input, OrderEstimator::power};
}

/// Runs something that counts what it has done, with a progress bar, and returns what it gives.
template <class Work>
auto with_progress(std::size_t total, Work&& work) {
    std::atomic<std::size_t> done = 0;
    const ProgressBar bar(
        [&] { return static_cast<double>(done.load()) / static_cast<double>(total); });
    return work(done);
}

/// `scores.csv` has figures `scores-figure-5.svg`, …
void write_figure(const study::NamedFigure& figure, const std::filesystem::path& output) {
    const auto file = output.parent_path() / format("{}-{}", output.stem().string(), figure.file);
    report::write_svg(figure.figure, file);
    print(stderr, format("wrote {}\n", file.string()));
}

int run_network(const StudyCommand& command) {
    constexpr std::size_t enough = 200;
    const std::size_t sets = command.count.value_or(enough);
    const auto network = command.network == "ring" ? study::Network::ring : study::Network::chain;
    print(stdout, study::to_text(with_progress(sets, [&](auto& done) {
              return study::run_network(network, sets, command.seed, done);
          })));
    return exit_code::success;
}

int run(const StudyCommand& command) {
    if (!command.network.empty()) return run_network(command);
    const study::StudyOptions options{.sets = parameter_sets(command),
                                      .estimators = estimators(command.estimator),
                                      .first = command.first == "msd2" ? study::First::msd2
                                                                       : study::First::msd1,
                                      .inverted = command.inverted,
                                      .threads = std::min(command.threads, processors())};
    const auto started = std::chrono::steady_clock::now();
    const study::StudyResult result = with_progress(
        options.sets.size(), [&](auto& done) { return study::run_study(options, done); });
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    study::write_scores(options, result, command.output);
    print(stdout, study::to_text(options, result));
    print(stdout,
          format("  {} co-simulations in {} on {}\n\n", report::human_count(result.co_simulations),
                 report::human_duration(elapsed.count()),
                 report::plural(options.threads, "thread")));
    constexpr std::size_t enough = 40;
    print(stdout, study::to_text(study::measure_overhead(
                      study::draw(options.sets, std::min(enough, options.sets.size()), 1))));
    print(stderr, format("wrote {}\n", command.output.string()));
    for (const study::NamedFigure& figure : study::figures_of_selected_sets())
        write_figure(figure, command.output);
    write_figure(study::figure_of_shares(options, result), command.output);
    return exit_code::success;
}

void add_adaptive_order(CLI::App& studies, int& exit_code) {
    auto options = std::make_shared<StudyCommand>();
    CLI::App& command = *studies.add_subcommand(
        "adaptive-order", "Which of two units should go first, and when? (Inci et al. 2023)");
    command
        .add_option("--parameters", options->parameters,
                    "sets to run, in columns m1, d1, c1, m2, d2, c2, dc, cc; default: 6561, "
                    "sampled as the paper says")
        ->option_text("FILE.csv");
    command.add_option("--estimator", options->estimator, "choose the order by one of them only")
        ->check(CLI::IsMember({"input", "power"}))
        ->option_text("input|power");
    command.add_option("--first", options->first, "the unit that goes first in the beginning")
        ->check(CLI::IsMember({"msd1", "msd2"}))
        ->option_text("msd1|msd2");
    command.add_flag("--inverted", options->inverted, "choose the worst order each time");
    CLI::Option& network = *command.add_option(
        "--network", options->network, "five masses instead of two, against all static orders");
    network.check(CLI::IsMember({"chain", "ring"}))->option_text("chain|ring");
    command
        .add_option("-o,--output", options->output,
                    "where the scores go; figures are written beside it; default: "
                    "results/adaptive-order.csv")
        ->option_text("FILE.csv");
    command.add_option("--count", options->count, "run so many of the sets only")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command.add_option("--seed", options->seed, "what sampling starts from; default: 1")
        ->option_text("N");
    command.add_option("--threads", options->threads, "default: as many as there are cores")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    for (const char* other :
         {"--parameters", "--estimator", "--first", "--inverted", "--output", "--threads"})
        network.excludes(command.get_option(other));
    command.footer("Examples:\n"
                   "  rubato study adaptive-order\n"
                   "  rubato study adaptive-order --parameters sets.csv --estimator input\n"
                   "  rubato study adaptive-order --network ring --count 100");
    command.callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace

void add_study(CLI::App& app, int& exit_code) {
    CLI::App& command = *app.add_subcommand("study", "Run a published study again");
    command.require_subcommand(1);
    add_adaptive_order(command, exit_code);
}

} // namespace rubato::cli
