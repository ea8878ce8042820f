// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/result_writer.hpp>

#include <memory>
#include <span>
#include <vector>

namespace rubato::report {

class RowWriter;

/// Writes recorded values as HDF5: a dataset for each variable in the root group, in chunks,
/// compressed, with the attributes name, unit, description and type. It needs the module
/// rubato-hdf5.so.
///
/// Rows gather as those of CsvRecorder do. If the process is killed, the file holds what was there
/// at the last flush (Hdf5Sink), unless it is killed while the library writes.
class Hdf5Recorder final : public ResultWriter {
public:
    /// Throws Error where the module is missing.
    explicit Hdf5Recorder(std::filesystem::path file);
    ~Hdf5Recorder() override;

    void begin(std::span<const engine::Column> columns) override;
    void record(Time time) override;
    void end() override;

    const std::filesystem::path& file() const override { return file_; }
    std::optional<Time> last_written() const override;
    std::string_view flush_in_emergency() noexcept override;
    bool is_signal_safe() const noexcept override { return false; } // the library allocates

private:
    std::size_t text_bytes() const;

    std::filesystem::path file_;
    std::unique_ptr<RowWriter> writer_; ///< null before `begin`
    bool is_recording_ = false;
    std::vector<engine::Column> columns_;
    std::vector<const std::string*> texts_; ///< of those columns that are texts
    std::size_t fixed_bytes_ = 0;           ///< of a row, texts apart
};

} // namespace rubato::report
