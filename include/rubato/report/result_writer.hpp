// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/recorder.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is left of a run: files, tables, pictures.
namespace rubato::report {

/// Streams recorded values to a file of some format. It touches no file before `begin`, which
/// creates the file and its folder. A file that cannot be written is an Error that names the file
/// and the reason.
class ResultWriter : public engine::Recorder {
public:
    /// What messages call the file.
    virtual const std::filesystem::path& file() const = 0;
    /// When the last row was recorded that is in the file; none: no row is.
    virtual std::optional<Time> last_written() const = 0;
    /// For signal handlers, while `record` is not under way: writes what there is. Returns the text
    /// of the time of the last row.
    virtual std::string_view flush_in_emergency() noexcept = 0;
    /// Whether that needs no memory. If a crashed unit has damaged the heap, other writers crash.
    virtual bool is_signal_safe() const noexcept { return true; }
    /// Names of variables that the format cannot hold, and which are not in the file.
    virtual std::vector<std::string> left_out() const { return {}; }
};

} // namespace rubato::report
