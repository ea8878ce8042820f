// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/pipeline/corpus.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/compare.hpp>
#include <rubato/report/result_formats.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace rubato::pipeline {

namespace fs = std::filesystem;
using report::human_number;

namespace {

std::optional<fs::path> find_beside(const fs::path& fmu, std::string_view ending) {
    const fs::path file = fmu.parent_path() / (fmu.stem().string() + std::string(ending));
    std::error_code absent;
    return fs::is_regular_file(file, absent) ? std::optional(file) : std::nullopt;
}

ReferenceOptions read_options(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return parse_reference_options(text);
}

/// The collection keeps co-simulation and model exchange apart: fmi/2.0/me/linux64/….
std::optional<std::string> type_by_folder(const fs::path& fmu) {
    std::optional<std::string> type;
    for (const fs::path& folder : fmu.parent_path())
        if (folder == "cs" || folder == "me") type = folder.string();
    return type;
}

CorpusEntry entry_of(const fs::path& fmu) {
    CorpusEntry entry;
    entry.fmu = fmu;
    entry.type = type_by_folder(fmu);
    entry.reference = find_beside(fmu, "_ref.csv");
    entry.input = find_beside(fmu, "_in.csv");
    if (const auto options = find_beside(fmu, "_ref.opt")) entry.options = read_options(*options);
    return entry;
}

} // namespace

ReferenceOptions parse_reference_options(std::string_view text) {
    ReferenceOptions options;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t comma = line.find(',');
        if (comma == std::string::npos) continue;
        std::string value = line.substr(comma + 1);
        if (value.ends_with('\r')) value.pop_back();
        const auto number = files::parse_real(value);
        const std::string key(files::trimmed(std::string_view(line).substr(0, comma)));
        if (key == "StartTime") options.start = number;
        if (key == "StopTime") options.stop = number;
        if (key == "StepSize" && number > 0.0) options.step = number; // 0: any
        if (key == "RelTol" && number > 0.0) options.tolerance = number;
    }
    return options;
}

std::vector<CorpusEntry> find_corpus(const fs::path& folder) {
    std::error_code fault;
    std::vector<fs::path> fmus;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, options, fault), end; !fault && at != end;
         at.increment(fault)) {
        std::error_code unreadable;
        if (at->path().extension() == ".fmu" && at->is_regular_file(unreadable))
            fmus.push_back(at->path());
    }
    if (fault)
        throw InputError(format("cannot read the folder {}: {}", folder.string(), fault.message()));
    if (fmus.empty())
        throw InputError(
            format("there is no FMU in {}", folder.string()),
            "a corpus has winch.fmu and, in the same folder, winch_ref.csv, winch_in.csv and "
            "winch_ref.opt, in any folders");
    std::ranges::sort(fmus);
    std::vector<CorpusEntry> corpus;
    for (const fs::path& fmu : fmus) corpus.push_back(entry_of(fmu));
    return corpus;
}

std::string_view to_string(CorpusVerdict verdict) {
    switch (verdict) {
    case CorpusVerdict::pass: return "PASS";
    case CorpusVerdict::mismatch: return "MISMATCH";
    case CorpusVerdict::rejected: return "REJECTED";
    case CorpusVerdict::crash: return "CRASH";
    case CorpusVerdict::timeout: return "TIMEOUT";
    }
    return "";
}

std::optional<double> usual_interval(const std::filesystem::path& reference) {
    try {
        const report::Table table = report::read_results(reference);
        if (table.columns().empty()) return std::nullopt;
        const std::vector<double>& times = table.values(table.columns().front().name);
        std::vector<double> intervals;
        for (std::size_t i = 1; i < times.size(); ++i)
            if (times[i] > times[i - 1]) intervals.push_back(times[i] - times[i - 1]);
        if (intervals.empty()) return std::nullopt;
        const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
        std::ranges::nth_element(intervals, middle);
        return *middle;
    } catch (const InputError&) { // is reported where results are compared with it
        return std::nullopt;
    }
}

namespace {

std::string text_of(const report::Mismatch& found) {
    return format("{} at t = {} s is {}, in the reference {}", found.variable,
                  human_number(found.time), human_number(found.value),
                  human_number(found.expected));
}

/// What to know of results that match; empty: nothing.
std::string remark_on(const report::Comparison& comparison, const report::Table& reference) {
    const std::size_t known = reference.columns().size() - 1;
    if (comparison.compared.size() != known)
        return format("{} of {} variables of the reference could be compared",
                      comparison.compared.size(), known);
    if (comparison.differs_at_start)
        return "but for the first row: " + text_of(*comparison.differs_at_start);
    return reference.incomplete_row();
}

} // namespace

CorpusResult judge_results(const CorpusEntry& entry, const std::filesystem::path& results) {
    if (!entry.reference) return {CorpusVerdict::pass, "ran; there is no reference"};
    const report::Table reference = report::read_results(*entry.reference);
    const auto comparison = report::compare(report::read_results(results), reference);
    if (comparison.compared.empty())
        return {CorpusVerdict::mismatch, "the reference has no variable that can be compared"};
    if (comparison.mismatch) return {CorpusVerdict::mismatch, text_of(*comparison.mismatch)};
    const auto& end = comparison.ends_too_soon;
    const bool has_reached_stop = end && entry.options.stop && *end >= *entry.options.stop;
    if (end && !has_reached_stop)
        return {CorpusVerdict::mismatch,
                format("ended at t = {} s, before the reference", human_number(*end))};
    return {CorpusVerdict::pass, remark_on(comparison, reference)};
}

} // namespace rubato::pipeline
