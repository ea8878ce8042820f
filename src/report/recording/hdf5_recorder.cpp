// SPDX-License-Identifier: Apache-2.0
#include "hdf5_recorder.hpp"

#include "hdf5/load.hpp"
#include "hdf5_sink.hpp"
#include "row_writer.hpp"

#include <rubato/files/output_file.hpp>

#include <cstring>
#include <utility>

namespace rubato::report {
namespace {

template <class Number>
char* put_cell_of(char* out, Number number) {
    static_assert(sizeof number == 8);
    std::memcpy(out, &number, sizeof number);
    return out + sizeof number;
}

char* put_value(char* out, const engine::Column& column) {
    switch (storage_of(column.type)) {
    case Storage::real: return put_cell_of(out, *static_cast<const double*>(column.value));
    case Storage::integer: return put_cell_of(out, *static_cast<const std::int64_t*>(column.value));
    case Storage::boolean:
        return put_cell_of(out, std::int64_t{*static_cast<const bool*>(column.value)});
    case Storage::string: break;
    }
    return put_cell_of(out, std::uint64_t{static_cast<const std::string*>(column.value)->size()});
}

} // namespace

Hdf5Recorder::Hdf5Recorder(std::filesystem::path file) : file_(std::move(file)) {
    hdf5::require_module();
}
Hdf5Recorder::~Hdf5Recorder() = default;

void Hdf5Recorder::begin(std::span<const engine::Column> columns) {
    columns_.assign(columns.begin(), columns.end());
    texts_.clear();
    for (const engine::Column& column : columns_)
        if (storage_of(column.type) == Storage::string)
            texts_.push_back(static_cast<const std::string*>(column.value));
    fixed_bytes_ = sizeof(double) * (1 + columns_.size());
    files::create_folder_of(file_);
    auto sink = std::make_unique<Hdf5Sink>(file_, columns);
    const std::size_t rows = sink->chunk() / 4;
    writer_ = std::make_unique<RowWriter>(std::move(sink), fixed_bytes_, rows);
    is_recording_ = true;
}

std::size_t Hdf5Recorder::text_bytes() const {
    std::size_t bytes = 0;
    for (const std::string* const text : texts_) bytes += text->size();
    return bytes;
}

void Hdf5Recorder::record(Time time) {
    char* out = writer_->reserve(fixed_bytes_ + text_bytes());
    out = put_cell_of(out, time.seconds);
    for (const engine::Column& column : columns_) out = put_value(out, column);
    for (const std::string* const text : texts_) {
        std::memcpy(out, text->data(), text->size());
        out += text->size();
    }
    writer_->commit(out);
}

void Hdf5Recorder::end() {
    if (!std::exchange(is_recording_, false)) return;
    writer_->close();
}

std::optional<Time> Hdf5Recorder::last_written() const {
    return writer_ ? writer_->last_time() : std::nullopt;
}

std::string_view Hdf5Recorder::flush_in_emergency() noexcept {
    if (!writer_) return {};
    writer_->flush_in_emergency();
    return writer_->last_written();
}

} // namespace rubato::report
