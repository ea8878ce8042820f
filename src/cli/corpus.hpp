// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rubato::cli {

/// Options of a reference run: lines such as `StopTime, 10.0`. Of others nothing is known.
struct ReferenceOptions {
    std::optional<double> start, stop, step, tolerance;
};

/// An FMU of a corpus and what lies beside it, as in the FMI cross-check collection.
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

} // namespace rubato::cli
