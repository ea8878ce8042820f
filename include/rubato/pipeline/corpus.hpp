// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::pipeline {

/// Options of a reference run: lines such as `StopTime, 10.0`. Of others nothing is known.
struct ReferenceOptions {
    std::optional<double> start, stop, step, tolerance;
};

/// An FMU of a corpus and the files next to it, as in the FMI cross-check collection.
struct CorpusEntry {
    std::filesystem::path fmu;                      ///< winch.fmu
    std::optional<std::filesystem::path> reference; ///< winch_ref.csv
    std::optional<std::filesystem::path> input;     ///< winch_in.csv
    ReferenceOptions options;                       ///< winch_ref.opt
    std::optional<std::string> type;                ///< cs or me, if a folder above is called so
};

/// All FMUs in a folder and the folders within, sorted by path. Throws an InputError if there are
/// none. Options that cannot be read are as if not given.
std::vector<CorpusEntry> find_corpus(const std::filesystem::path& folder);

ReferenceOptions parse_reference_options(std::string_view text);

enum class CorpusVerdict : std::uint8_t { pass, mismatch, rejected, crash, timeout };
std::string_view to_string(CorpusVerdict verdict); ///< "PASS"

struct CorpusResult {
    CorpusVerdict verdict = CorpusVerdict::pass;
    std::string reason; ///< or what to know of a pass
};

/// What most rows of a reference are apart: FMUs whose results depend on the communication step
/// were run with it, where nothing else is said. nullopt: unknown.
std::optional<double> usual_interval(const std::filesystem::path& reference);

/// Compares the results of a run, a CSV file, with the reference of the entry.
CorpusResult judge_results(const CorpusEntry& entry, const std::filesystem::path& results);

} // namespace rubato::pipeline
