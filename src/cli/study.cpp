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

/// Runs `work`, which counts finished items, with a progress bar; returns its result.
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

void add_adaptive_order_options(Command& command, StudyCommand& options) {
    command
        .add_option("--parameters", options.parameters,
                    "parameter sets, in columns m1, d1, c1, m2, d2, c2, dc, cc")
        ->option_text("FILE.csv")
        ->default_str("6561 sets, sampled as in the paper")
        ->group(group::experiment);
    command.add_option("--count", options.count, "number of parameter sets to draw from them")
        ->check(must_be_positive)
        ->option_text("N")
        ->default_str("all; of a network 200")
        ->group(group::experiment);
    command.add_option("--seed", options.seed, "seed of the random sampling")
        ->option_text("N")
        ->default_str(std::to_string(options.seed))
        ->group(group::experiment);
    CLI::Option* const estimator = command.add_option("--estimator", options.estimator,
                                                      "error estimator that chooses the order");
    estimator->option_text("WHICH")->default_str("both, one after the other");
    estimator->group(group::algorithm);
    command.restrict_to(estimator, {"input", "power"});
    CLI::Option* const first =
        command.add_option("--first", options.first, "unit that is stepped first at the start");
    first->option_text("UNIT")->default_str(options.first)->group(group::algorithm);
    command.restrict_to(first, {"msd1", "msd2"});
    command.add_flag("--inverted", options.inverted, "choose the worst order each time")
        ->group(group::algorithm);
    command.add_option("--threads", options.threads, "number of threads")
        ->check(must_be_positive)
        ->option_text("N")
        ->default_str("number of processors")
        ->group(group::algorithm);
    command
        .add_option("-o,--output", options.output,
                    "file for the scores; the figures are written to the same folder")
        ->option_text("FILE.csv")
        ->default_str(options.output.string())
        ->group(group::output);
}

void add_adaptive_order(Command& studies, int& exit_code) {
    auto options = std::make_shared<StudyCommand>();
    Command& command = studies.add_command(
        "adaptive-order", "Repeat the study of adaptive Gauss-Seidel orders (Inci et al. 2023)");
    add_adaptive_order_options(command, *options);
    CLI::Option* const network =
        command.add_option("--network", options->network,
                           "five masses instead of two, compared with all fixed orders");
    network->option_text("SHAPE")->group(group::experiment);
    command.restrict_to(network, {"chain", "ring"});
    for (const char* other :
         {"--parameters", "--estimator", "--first", "--inverted", "--output", "--threads"})
        network->excludes(command.get_option(other));
    command.manual.examples = {
        {"rubato study adaptive-order", "Run the whole study."},
        {"rubato study adaptive-order --parameters sets.csv --estimator input",
         "Run it for other parameter sets with one estimator."},
        {"rubato study adaptive-order --network ring --count 100",
         "Compare adaptive with fixed orders for five masses in a ring."}};
    command.callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace

void add_study(Command& program, int& exit_code) {
    Command& command = program.add_command("study", "Repeat a published study");
    command.require_subcommand(1);
    add_adaptive_order(command, exit_code);
    command.manual.examples = {
        {"rubato study adaptive-order", "Repeat the study of adaptive Gauss-Seidel orders."},
        {"rubato study adaptive-order --help", "Show its options."}};
}

} // namespace rubato::cli
