// SPDX-License-Identifier: Apache-2.0
#include "results_file.hpp"

#include <utility>

namespace rubato::report {

ResultsFile::ResultsFile(std::unique_ptr<ResultWriter> writer, std::filesystem::path shown,
                         bool is_file)
    : writer_(std::move(writer)), shown_(std::move(shown)), is_file_(is_file),
      events_(events_file_of(writer_->file())) {}

void ResultsFile::begin(std::span<const engine::Column> columns, const Metadata& metadata) {
    if (is_file_) lock_ = std::make_unique<ResultsLock>(writer_->file());
    writer_->begin(columns);
    if (!is_file_) return;
    events_.begin();
    running_ = std::make_unique<RunningMetadata>(metadata, writer_->file());
}

void ResultsFile::end() {
    writer_->end();
    events_.end();
}

void ResultsFile::conclude(Metadata metadata) {
    if (!running_) return;
    if (const auto last = writer_->last_written()) metadata.reached = last->seconds;
    try {
        write_metadata(metadata, writer_->file());
    } catch (const Error&) { // a full disk, for example
        const std::string_view reached = writer_->flush_in_emergency();
        if (!running_->conclude_in_place(metadata.status, reached, metadata.message)) throw;
    }
    running_.reset();
}

std::string_view ResultsFile::conclude_in_emergency(RunStatus status,
                                                    std::string_view message) noexcept {
    const std::string_view reached = writer_->flush_in_emergency();
    if (running_) running_->conclude_in_place(status, reached, message);
    return reached;
}

} // namespace rubato::report
