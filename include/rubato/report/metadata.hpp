// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/scenario/assumptions.hpp>
#include <rubato/scenario/scenario.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::report {

enum class RunStatus : std::uint8_t { running, completed, terminated, interrupted, failed };
std::string_view to_string(RunStatus status);

struct ColumnInfo {
    std::string name;
    std::string unit; ///< of measure; empty: none
    std::string type; ///< as `to_string(ValueType)` has it
};

/// What a CSV file cannot say of the run it comes from.
struct Metadata {
    std::string rubato_version;
    std::string scenario;                ///< its name
    std::filesystem::path scenario_file; ///< empty: made by a program
    std::string recipe;
    std::string algorithm; ///< its text
    double start = 0;
    double stop = 0;
    double step = 0;
    std::uint64_t record_every = 1;
    std::vector<ColumnInfo> columns; ///< without time
    RunStatus status = RunStatus::running;
    double reached = 0;                              ///< time up to which there are results
    std::string message;                             ///< why it failed or ended
    std::vector<scenario::DefaultedSetting> assumed; ///< of the experiment, as nobody gave it
};

/// What there is to say of a run of `scenario` before it has begun. `algorithm` is its text.
Metadata describe_run(const scenario::Scenario& scenario, std::string algorithm,
                      std::string rubato_version);

/// Next to the results: "results/crane.csv.json".
std::filesystem::path metadata_file_of(const std::filesystem::path& results);

/// Replaces the file as a whole: a reader never sees half of it. Throws Error.
void write_metadata(const Metadata& metadata, const std::filesystem::path& results);

/// Metadata of a run under way, with room to say in place how it ended: that needs neither space on
/// the disk nor memory.
class RunningMetadata {
public:
    /// Writes the file, as write_metadata does.
    RunningMetadata(const Metadata& metadata, const std::filesystem::path& results);
    ~RunningMetadata();
    RunningMetadata(const RunningMetadata&) = delete;
    RunningMetadata& operator=(const RunningMetadata&) = delete;

    /// Async-signal-safe. `reached` is a number as text, empty: no row has been written. A message
    /// that is too long is cut. False: it could not be written.
    bool conclude_in_place(RunStatus status, std::string_view reached,
                           std::string_view message) const noexcept;

private:
    /// Where in the file a value lies, with the room behind it.
    struct Slot {
        std::size_t at = 0, size = 0;
    };
    static Slot make_room(std::string& text, std::string_view key, std::size_t size);
    bool fill(const Slot& slot, std::string_view json) const noexcept;

    Slot status_, reached_, message_;
    int descriptor_ = -1; ///< -1: nothing can be said
};

/// nullopt where there is no such file; InputError where it cannot be understood.
std::optional<Metadata> find_metadata(const std::filesystem::path& results);

} // namespace rubato::report
