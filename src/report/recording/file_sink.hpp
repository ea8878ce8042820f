// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "row_format.hpp"
#include "row_sink.hpp"

#include <rubato/files/output_file.hpp>

#include <array>
#include <memory>

namespace rubato::report {

/// Rows of a file that are written one behind the other, at once. Where the disk gets full, what is
/// there of the last row is taken back.
class FileSink final : public RowSink {
public:
    /// Writes the header, behind which the rows follow.
    FileSink(std::unique_ptr<files::OutputFile> output, std::unique_ptr<RowFormat> format,
             std::string_view header);

    bool write(std::string_view rows) noexcept override;
    void close() override { output_->close(); }
    [[noreturn]] void fail() const override { output_->fail("write to", fault_); }
    std::string_view last_written() const noexcept override {
        return {last_time_.data(), last_time_size_};
    }
    bool is_signal_safe() const noexcept override { return true; }

private:
    void note_written(std::string_view whole_rows) noexcept;

    std::unique_ptr<files::OutputFile> output_;
    std::unique_ptr<RowFormat> format_;
    std::size_t position_; ///< in the file
    int fault_ = 0;        ///< errno
    std::array<char, 40> last_time_{};
    std::size_t last_time_size_ = 0;
};

} // namespace rubato::report
