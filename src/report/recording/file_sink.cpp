// SPDX-License-Identifier: Apache-2.0
#include "file_sink.hpp"

#include <utility>

namespace rubato::report {

FileSink::FileSink(std::unique_ptr<files::OutputFile> output, std::unique_ptr<RowFormat> format,
                   std::string_view header)
    : output_(std::move(output)), format_(std::move(format)), position_(header.size()) {
    output_->write(header);
}

bool FileSink::write(std::string_view rows) noexcept {
    if (fault_ != 0) return false;
    std::size_t whole = 0;
    while (whole < rows.size()) {
        const std::string_view rest = rows.substr(whole);
        const std::string_view piece = rest.substr(0, format_->next_piece(rest, position_));
        const files::OutputFile::Written done = output_->try_write(piece);
        if (done.fault == 0) {
            whole += piece.size();
            position_ += piece.size();
            continue;
        }
        const std::size_t good = format_->last_row(piece.substr(0, done.bytes)).end;
        output_->take_back(done.bytes - good);
        whole += good;
        fault_ = done.fault;
        break;
    }
    note_written(rows.substr(0, whole));
    return fault_ == 0;
}

void FileSink::note_written(std::string_view whole_rows) noexcept {
    if (whole_rows.empty()) return;
    const auto [begin, end] = format_->last_row(whole_rows);
    const int fault = format_->rows_written(whole_rows.substr(0, end), *output_);
    if (fault != 0) {
        if (fault_ == 0) fault_ = fault;
        return;
    }
    last_time_size_ = format_->put_time(whole_rows.substr(begin, end - begin), last_time_.data(),
                                        last_time_.size());
}

} // namespace rubato::report
