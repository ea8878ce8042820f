// SPDX-License-Identifier: Apache-2.0
#include "workers/worker.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/hash.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/sweep_results.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/overrides.hpp>
#include <rubato/scenario/yaml.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

namespace rubato::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr auto description_file = "sweep.yaml";
constexpr auto outcomes_file = "outcomes.csv";
constexpr auto trajectories_file = "trajectories.bin"; ///< until the sweep ends
constexpr std::array own_files = {description_file, outcomes_file,  trajectories_file,
                                  "statistics.csv", "ensemble.csv", "ensemble.svg"};

/// What must be the same for a sweep to be continued.
std::string description_of(const Sweep& sweep) {
    Hash hash(0xcbf29ce484222325U);
    hash.add(scenario::write_yaml(sweep.scenario()));
    for (const Variation& each : sweep.plan().variations())
        for (std::size_t run = 0; run < std::min<std::size_t>(sweep.plan().size(), 64); ++run)
            for (const Value& value : sweep.plan().values(run)) {
                hash.add(each.path);
                hash.add(scenario::to_yaml(value));
            }
    std::string text =
        format("# A sweep of rubato; rubato sweep --resume continues it.\n"
               "scenario: {}\nruns: {}\nvary:\n",
               scenario::to_yaml(Value(sweep.scenario().file.string())), sweep.plan().size());
    for (const Variation& each : sweep.plan().variations())
        text += format("  - {}\n", scenario::to_yaml(Value(each.text)));
    text += "outcomes:\n";
    for (const std::string& name : sweep.outcome_names())
        text += format("  - {}\n", scenario::to_yaml(Value(name)));
    return text + format("fingerprint: \"{:016x}\"\n", hash.value());
}

std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c == '\n' || c == '\r' ? ' ' : c;
    }
    return quoted + '"';
}

std::string cell(double value) { return std::isnan(value) ? "" : shortest(value); }

std::string cell(const Value& value) {
    if (const auto* real = std::get_if<double>(&value)) return shortest(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return cell(*text);
    return rubato::to_string(value);
}

std::optional<CaseEnd> end_of(const std::string& text) {
    for (const CaseEnd end : {CaseEnd::completed, CaseEnd::ended, CaseEnd::failed})
        if (to_string(end) == text) return end;
    return std::nullopt;
}

int open_file(const fs::path& file, int flags) {
    const int descriptor = ::open(file.c_str(), flags | O_CLOEXEC, 0644);
    if (descriptor < 0)
        throw Error(format("cannot write \"{}\": {}", file.string(), std::strerror(errno)));
    return descriptor;
}

bool is_empty_or_new(const fs::path& folder) {
    return !fs::exists(folder) || (fs::is_directory(folder) && fs::is_empty(folder));
}

} // namespace

SweepResults::SweepResults(const fs::path& folder, const Sweep& sweep, ExistingFolder existing)
    : folder_(fs::absolute(folder)), sweep_(sweep) {
    if (fs::exists(folder_) && !fs::is_directory(folder_))
        throw InputError(format("{} is a file", folder_.string()), "name a folder for the results");
    const bool is_sweep = fs::exists(folder_ / description_file);
    if (existing == ExistingFolder::resume) {
        if (!is_sweep)
            throw InputError(format("{} holds no sweep to continue", folder_.string()),
                             "start it without --resume");
        resume();
        return;
    }
    if (!is_empty_or_new(folder_) && (existing == ExistingFolder::refuse || !is_sweep))
        throw InputError(format("{} exists", folder_.string()),
                         is_sweep ? "continue that sweep with --resume, replace it with --force, "
                                    "or name another folder"
                                  : "name another folder");
    create();
}

SweepResults::~SweepResults() {
    for (const int descriptor : {journal_, trajectories_})
        if (descriptor >= 0) ::close(descriptor);
}

void SweepResults::create() {
    std::error_code fault;
    fs::create_directories(folder_, fault);
    if (fault) throw Error(format("cannot create \"{}\": {}", folder_.string(), fault.message()));
    for (const char* name : own_files) fs::remove(folder_ / name, fault);
    files::write_atomically(folder_ / outcomes_file, heading());
    files::write_atomically(folder_ / description_file, description_of(sweep_));
    journal_ = open_file(folder_ / outcomes_file, O_WRONLY | O_APPEND);
    trajectories_ = open_file(folder_ / trajectories_file, O_RDWR | O_CREAT | O_TRUNC);
}

void SweepResults::resume() {
    if (files::read_file(folder_ / description_file) != description_of(sweep_))
        throw InputError(format("{} holds another sweep", folder_.string()),
                         format("scenario, --vary, --samples, --seed and --outcome must be those "
                                "of {}",
                                (folder_ / description_file).string()));
    read_rows();
    // A sweep that has ended has removed them, and no row is missing; else all runs are made again.
    if (!fs::exists(folder_ / trajectories_file) && !missing().empty()) rows_.clear();
    conclude(); // without a row that was cut
    if (missing().empty()) return;
    trajectories_ = open_file(folder_ / trajectories_file, O_RDWR | O_CREAT);
    journal_ = open_file(folder_ / outcomes_file, O_WRONLY | O_APPEND);
}

void SweepResults::read_rows() {
    const std::string text = files::read_file(folder_ / outcomes_file);
    files::CsvReader reader(text, (folder_ / outcomes_file).string());
    const std::size_t varied = sweep_.plan().variations().size();
    const std::size_t width = 3 + varied + sweep_.outcome_names().size();
    std::vector<std::string> cells;
    if (!reader.at_end()) reader.read_row(cells); // the heading
    while (!reader.at_end()) {
        try {
            reader.read_row(cells);
        } catch (const InputError&) {
            return; // the last row was cut within quotes
        }
        if (reader.is_unfinished() || cells.size() != width) continue;
        const auto run = files::parse_integer(cells[0]);
        const auto end = end_of(cells[varied + 1]);
        if (!run || *run < 1 || static_cast<std::size_t>(*run) > sweep_.plan().size() || !end)
            continue;
        Row& row = rows_[static_cast<std::size_t>(*run) - 1];
        row = {*end, cells[varied + 2], {}};
        for (std::size_t i = varied + 3; i < width; ++i)
            row.outcomes.push_back(
                files::parse_real(cells[i]).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
}

std::string SweepResults::heading() const {
    std::string text = "run";
    for (const Variation& each : sweep_.plan().variations()) text += "," + cell(each.path);
    text += ",end,reason";
    for (const std::string& name : sweep_.outcome_names()) text += "," + cell(name);
    return text + "\n";
}

std::string SweepResults::text_of(std::size_t run, const Row& row) const {
    std::string text = std::to_string(run + 1);
    for (const Value& value : sweep_.plan().values(run)) text += "," + cell(value);
    text += format(",{},{}", to_string(row.end), cell(row.reason));
    const std::size_t count = sweep_.outcome_names().size();
    for (std::size_t o = 0; o < count; ++o)
        text += "," + (o < row.outcomes.size() ? cell(row.outcomes[o]) : std::string());
    return text + "\n";
}

std::vector<std::size_t> SweepResults::missing() const {
    std::vector<std::size_t> runs;
    for (std::size_t run = 0; run < sweep_.plan().size(); ++run)
        if (!rows_.contains(run)) runs.push_back(run);
    return runs;
}

std::size_t SweepResults::failed() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        rows_, [](const auto& entry) { return entry.second.end == CaseEnd::failed; }));
}

void SweepResults::add(CaseResult&& result) {
    const std::size_t size = result.trajectory.size() * sizeof(float);
    const std::size_t record = sweep_.drawn().size() * sweep_.drawn_times().size() * sizeof(float);
    if (size > 0 && ::pwrite(trajectories_, result.trajectory.data(), size,
                             static_cast<off_t>(result.run * record)) != static_cast<ssize_t>(size))
        throw Error(format("cannot write \"{}\": {}", (folder_ / trajectories_file).string(),
                           std::strerror(errno)));
    Row& row = rows_[result.run];
    row = {result.end, std::move(result.reason), std::move(result.outcomes)};
    const std::string text = text_of(result.run, row);
    if (::write(journal_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw Error(format("cannot write \"{}\": {}", (folder_ / outcomes_file).string(),
                           std::strerror(errno)));
}

void SweepResults::conclude() {
    std::string text = heading();
    for (const auto& [run, row] : rows_) text += text_of(run, row);
    files::write_atomically(folder_ / outcomes_file, text);
    if (rows_.size() < sweep_.plan().size() || trajectories_ < 0) return;
    text = "outcome,runs,mean,standard deviation,min,5 %,median,95 %,max\n";
    for (const Statistics& one : statistics()) {
        text += format("{},{}", cell(one.name), one.count);
        for (const double value :
             {one.mean, one.deviation, one.min, one.low, one.median, one.high, one.max})
            text += "," + (one.count > 0 ? cell(value) : std::string());
        text += "\n";
    }
    files::write_atomically(folder_ / "statistics.csv", text);
    write_ensemble();
    std::error_code ignored;
    fs::remove(folder_ / trajectories_file, ignored);
}

std::vector<float> SweepResults::trajectories(std::size_t drawn) const {
    const std::size_t times = sweep_.drawn_times().size();
    std::vector<float> all;
    all.reserve(rows_.size() * times);
    std::vector<float> one(times);
    for (const auto& [run, row] : rows_) {
        if (row.end == CaseEnd::failed) continue;
        const std::size_t at = (run * sweep_.drawn().size() + drawn) * times * sizeof(float);
        const ssize_t size =
            ::pread(trajectories_, one.data(), times * sizeof(float), static_cast<off_t>(at));
        if (size == static_cast<ssize_t>(times * sizeof(float)))
            all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

} // namespace rubato::pipeline
