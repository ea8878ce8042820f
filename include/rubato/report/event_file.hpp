// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/recorder.hpp>

#include <filesystem>
#include <memory>
#include <vector>

namespace rubato::files {
class OutputFile;
}

namespace rubato::report {

/// `run.csv.events.csv`, next to `run.csv`
std::filesystem::path events_file_of(const std::filesystem::path& results);

/// The events of a run as CSV: `time,microstep,unit,variable,before,after`, a row per change. There
/// is no file as long as nothing happens.
class EventFile {
public:
    explicit EventFile(std::filesystem::path file);
    ~EventFile();

    /// Removes what a former run has left.
    void begin();
    void note(const engine::EventNote& note);
    void end();

private:
    std::filesystem::path file_;
    std::unique_ptr<files::OutputFile> output_; ///< null: nothing has happened yet
};

/// When something happened; empty: nothing did, or nobody looked.
std::vector<double> find_event_times(const std::filesystem::path& results);

} // namespace rubato::report
