// SPDX-License-Identifier: Apache-2.0
#include "simulate_corpus.hpp"

#include "child_process.hpp"
#include "crash_guard.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/pipeline/corpus.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

namespace rubato::cli {

namespace fs = std::filesystem;
using pipeline::CorpusEntry;
using pipeline::CorpusResult;
using pipeline::CorpusVerdict;
using report::human_number;

namespace {

/// A temporary folder for each FMU, removed by the destructor.
class Scratch {
public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "rubato-corpus-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw Error(
                format("cannot make a temporary folder in {}", fs::temp_directory_path().string()));
        path_ = name;
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    fs::path results() const { return path_ / "results.csv"; }
    fs::path log() const { return path_ / "log.txt"; }
    fs::path held_input() const { return path_ / "held.csv"; }
    /// Working directory of the FMU, which may write files there.
    fs::path folder() const { return path_; }

private:
    fs::path path_;
};

/// The end of a file, which may be very long if the FMU logs much.
std::string last_part(const fs::path& file) {
    constexpr std::streamoff most = 1 << 16;
    std::ifstream stream(file, std::ios::binary | std::ios::ate);
    if (!stream) return "";
    stream.seekg(-std::min<std::streamoff>(stream.tellg(), most), std::ios::cur);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Rubato's error message as one line; empty if there is none.
std::string complaint_in(std::string text) {
    constexpr std::string_view mark = "rubato: ";
    constexpr std::size_t most = 240;
    const std::size_t at = text.rfind(mark);
    if (at == std::string::npos) return "";
    text.erase(0, at + mark.size());
    std::istringstream lines(text);
    std::string joined;
    for (std::string line; std::getline(lines, line) && joined.size() < most;)
        joined += (joined.empty() ? "" : "; ") + std::string(files::trimmed(line));
    return joined;
}

/// nullopt: what the FMU suggests.
std::optional<double> step_of(const CorpusEntry& entry) {
    const bool is_known = entry.options.step || !entry.reference;
    return is_known ? entry.options.step : pipeline::usual_interval(*entry.reference);
}

/// How an FMU is run.
struct Manner {
    std::optional<double> step;
    bool holds_inputs = false; ///< between the rows of the table
};

/// Each row once more at the time of the next one: a jump.
void write_held(const fs::path& input, const fs::path& held) {
    std::ifstream from(input);
    std::ofstream to(held);
    std::string line, before;
    std::getline(from, line);
    to << line << "\n";
    while (std::getline(from, line)) {
        if (line.find(',') == std::string::npos) continue;
        if (!before.empty())
            to << line.substr(0, line.find(',')) << before.substr(before.find(',')) << "\n";
        if (line.ends_with('\r')) line.pop_back();
        to << line << "\n";
        before = line;
    }
}

std::vector<std::string> arguments_for(const CorpusEntry& entry, const Manner& manner,
                                       const Scratch& scratch) {
    std::vector<std::string> arguments = {"simulate", fs::absolute(entry.fmu).string(), "--quiet",
                                          "--output", scratch.results().string()};
    const auto add = [&](const char* option, std::optional<double> value) {
        if (value) arguments.insert(arguments.end(), {option, shortest(*value)});
    };
    add("--start", entry.options.start);
    add("--stop", entry.options.stop);
    add("--step", manner.step);
    add("--tolerance", entry.options.tolerance);
    // The collection's rules: a reference with a step size was made with fixed-step Euler.
    if (entry.options.step) arguments.insert(arguments.end(), {"--solver", "euler"});
    if (entry.type) arguments.insert(arguments.end(), {"--type", *entry.type});
    if (entry.input)
        arguments.insert(arguments.end(),
                         {"--input", manner.holds_inputs ? scratch.held_input().string()
                                                         : fs::absolute(*entry.input).string()});
    if (entry.reference)
        arguments.insert(arguments.end(),
                         {"--record-columns-of", fs::absolute(*entry.reference).string()});
    return arguments;
}

/// An FMU may end the process itself; then the message or the results are missing.
CorpusResult judge_exit(int code, const CorpusEntry& entry, const Scratch& scratch) {
    const std::string complaint = complaint_in(last_part(scratch.log()));
    if (code == exit_code::success && fs::exists(scratch.results()))
        return judge_results(entry, scratch.results());
    if (complaint.find(ended_the_program) != std::string::npos)
        return {CorpusVerdict::crash, complaint.substr(0, complaint.find(';'))};
    const bool is_ours = code == exit_code::run_failed || code == exit_code::bad_input;
    if (is_ours && !complaint.empty()) return {CorpusVerdict::rejected, complaint};
    if (code == exit_code::internal_error && !complaint.empty())
        return {CorpusVerdict::crash, complaint};
    return {CorpusVerdict::crash, format("ended the process with exit code {}", code)};
}

struct Judge {
    const CorpusEntry& entry;
    const Scratch& scratch;
    double limit;

    std::optional<CorpusResult> operator()(Exited end) const {
        try {
            return judge_exit(end.code, entry, scratch);
        } catch (const Error& fault) { // of reading the reference
            return CorpusResult{CorpusVerdict::mismatch, fault.what()};
        }
    }
    std::optional<CorpusResult> operator()(Killed end) const {
        return CorpusResult{CorpusVerdict::crash, signal_name(end.signal)};
    }
    std::optional<CorpusResult> operator()(TimedOut) const {
        return CorpusResult{CorpusVerdict::timeout,
                            format("not done after {} s", human_number(limit))};
    }
    std::optional<CorpusResult> operator()(Stopped) const { return std::nullopt; }
};

/// nullopt: the user asked to stop.
std::optional<CorpusResult> run_entry(const CorpusEntry& entry, const Manner& manner, double limit,
                                      const Interrupt& interrupt) {
    const Scratch scratch;
    if (manner.holds_inputs) write_held(*entry.input, scratch.held_input());
    const ChildEnd end = run_child({.program = fs::read_symlink("/proc/self/exe"),
                                    .arguments = arguments_for(entry, manner, scratch),
                                    .folder = scratch.folder(),
                                    .output = scratch.log(),
                                    .limit = std::chrono::duration<double>(limit)},
                                   interrupt.requested());
    return std::visit(Judge{entry, scratch, limit}, end);
}

std::string text_of(const Manner& manner, const Manner& first) {
    const std::string held = manner.holds_inputs ? "with inputs held between rows" : "";
    if (manner.step == first.step) return held;
    const std::string steps = format("with steps of {} s", human_number(*manner.step));
    return held.empty() ? steps : held + " and " + steps.substr(std::string_view("with ").size());
}

/// References do not say all of how they were made. Some FMUs for co-simulation solve with the
/// communication step, while their references are the limit of short steps; some references hold
/// inputs between the rows of the table.
std::vector<Manner> other_manners(const CorpusEntry& entry, const Manner& first) {
    std::vector<Manner> others;
    if (entry.input) others.push_back({first.step, true});
    if (!first.step || entry.type == "me") return others;
    for (const bool holds_inputs : {false, true})
        for (const double part : {10.0, 100.0})
            if (entry.input || !holds_inputs) others.push_back({*first.step / part, holds_inputs});
    return others;
}

/// As it is most likely meant, and where the results do not match in other ways.
std::optional<CorpusResult> run_until_it_matches(const CorpusEntry& entry, double limit,
                                                 const Interrupt& interrupt) {
    const Manner manner{step_of(entry)};
    const auto first = run_entry(entry, manner, limit, interrupt);
    if (!first || first->verdict != CorpusVerdict::mismatch) return first;
    for (const Manner& other : other_manners(entry, manner)) {
        auto result = run_entry(entry, other, limit, interrupt);
        if (!result) return std::nullopt;
        if (result->verdict != CorpusVerdict::pass) continue;
        const std::string more = result->reason.empty() ? "" : "; " + result->reason;
        result->reason = format("{}; otherwise {}{}", text_of(other, manner), first->reason, more);
        return result;
    }
    return first;
}

/// Runs the entries in their order, several at the same time.
class Judging {
public:
    Judging(const std::vector<CorpusEntry>& corpus, const CorpusOptions& options,
            const Interrupt& interrupt)
        : corpus_(corpus), limit_(options.time_limit), interrupt_(interrupt),
          results_(corpus.size()) {
        for (unsigned i = 0; i < options.threads; ++i) threads_.emplace_back([this] { work(); });
    }

    ~Judging() { next_ = corpus_.size(); }
    Judging(const Judging&) = delete;
    Judging& operator=(const Judging&) = delete;

    /// nullopt: the user asked to stop.
    std::optional<CorpusResult> wait_for(std::size_t index) {
        std::unique_lock lock(mutex_);
        is_done_.wait(lock, [&] { return results_[index].is_done || fault_; });
        if (fault_) std::rethrow_exception(fault_);
        return results_[index].result;
    }

private:
    struct Slot {
        bool is_done = false;
        std::optional<CorpusResult> result;
    };

    void work() {
        for (std::size_t i = next_++; i < corpus_.size(); i = next_++) {
            std::optional<CorpusResult> result;
            try {
                if (!interrupt_.requested())
                    result = run_until_it_matches(corpus_[i], limit_, interrupt_);
            } catch (...) { // rethrown by wait_for
                const std::lock_guard lock(mutex_);
                fault_ = std::current_exception();
            }
            const std::lock_guard lock(mutex_);
            results_[i] = {true, std::move(result)};
            is_done_.notify_all();
        }
    }

    const std::vector<CorpusEntry>& corpus_;
    double limit_;
    const Interrupt& interrupt_;
    std::mutex mutex_;
    std::condition_variable is_done_;
    std::vector<Slot> results_;
    std::exception_ptr fault_;
    std::atomic<std::size_t> next_ = 0;
    std::vector<std::jthread> threads_; ///< last: they use all of the above
};

void print_result(const std::string& name, std::size_t width, const CorpusResult& result) {
    const Style style(stdout);
    const std::string verdict = format("{:<8}", to_string(result.verdict));
    const bool is_pass = result.verdict == CorpusVerdict::pass;
    std::string line = is_pass ? style.green(verdict) : style.red(verdict);
    line += "  " + name;
    if (!result.reason.empty())
        line += std::string(width - report::display_width(name), ' ') + "  " + result.reason;
    print(stdout, line + "\n");
    std::fflush(stdout);
}

std::string totals_text(const std::map<CorpusVerdict, std::size_t>& totals, std::size_t count) {
    std::string text = format("\n{}:", report::plural(count, "FMU"));
    for (const auto& [verdict, number] : totals)
        text += format(" {} {}", number, to_string(verdict));
    return text + "\n";
}

} // namespace

int simulate_corpus(const CorpusOptions& options) {
    const std::vector<CorpusEntry> corpus = pipeline::find_corpus(options.folder);
    const auto name_of = [&](const CorpusEntry& entry) {
        return fs::relative(entry.fmu, options.folder).string();
    };
    std::size_t width = 0;
    for (const CorpusEntry& entry : corpus)
        width = std::max(width, report::display_width(name_of(entry)));
    const Interrupt interrupt;
    std::map<CorpusVerdict, std::size_t> totals;
    Judging judging(corpus, options, interrupt);
    for (std::size_t i = 0; i < corpus.size(); ++i) {
        const auto result = judging.wait_for(i);
        if (!result) break;
        print_result(name_of(corpus[i]), width, *result);
        ++totals[result->verdict];
    }
    print(stdout, totals_text(totals, corpus.size()));
    if (interrupt.requested()) return exit_code::interrupted;
    return totals[CorpusVerdict::pass] == corpus.size() ? exit_code::success
                                                        : exit_code::run_failed;
}

} // namespace rubato::cli
