// SPDX-License-Identifier: Apache-2.0
#include "column_runs.hpp"
#include "csv_rows.hpp"
#include "csv_text.hpp"
#include "file_sink.hpp"
#include "row_writer.hpp"

#include <rubato/files/output_file.hpp>
#include <rubato/report/csv_recorder.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <utility>

namespace rubato::report {
namespace {

/// A separator and the longest number: -2.2250738585072014e-308 has 24 characters.
constexpr std::size_t longest_cell = 32;

template <class Number>
char* put_number(char* out, Number value) {
    return std::to_chars(out, out + longest_cell, value).ptr;
}

char* put_hex(char* out, std::string_view bytes) {
    constexpr char digits[] = "0123456789abcdef";
    for (const char byte : bytes) {
        const auto bits = static_cast<unsigned char>(byte);
        *out++ = digits[bits >> 4u];
        *out++ = digits[bits & 15u];
    }
    return out;
}

template <class T, class PutOne>
char* put_each(char* out, const void* first, std::size_t count, PutOne put_one) {
    const T* value = static_cast<const T*>(first);
    for (const T* const end = value + count; value != end; ++value) {
        *out++ = ',';
        out = put_one(out, *value);
    }
    return out;
}

std::string header_of(std::span<const engine::Column> columns) {
    std::size_t most = sizeof("time\n");
    for (const engine::Column& column : columns) most += 1 + quoted_size(column.name);
    std::string header(most, ' ');
    char* out = put_cell(header.data(), "time");
    for (const engine::Column& column : columns) {
        *out++ = ',';
        out = put_cell(out, column.name);
    }
    *out++ = '\n';
    header.resize(static_cast<std::size_t>(out - header.data()));
    return header;
}

} // namespace

char* put_cell(char* out, std::string_view text) {
    if (text.find_first_of("\",\r\n") == std::string_view::npos) {
        std::memcpy(out, text.data(), text.size());
        return out + text.size();
    }
    *out++ = '"';
    for (const char c : text) {
        if (c == '"') *out++ = '"';
        *out++ = c;
    }
    *out++ = '"';
    return out;
}

CsvRecorder::CsvRecorder(std::filesystem::path file) : file_(std::move(file)) {}

CsvRecorder::CsvRecorder(std::filesystem::path file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {}

CsvRecorder::~CsvRecorder() = default;

void CsvRecorder::begin(std::span<const engine::Column> columns) {
    runs_ = column_runs(columns);
    fixed_bytes_ = longest_cell * (columns.size() + 1) + 1;
    has_text_ =
        std::ranges::any_of(runs_, [](const ColumnRun& run) { return is_text(run.format); });
    auto output = descriptor_ ? std::make_unique<files::OutputFile>(file_, *descriptor_)
                              : std::make_unique<files::OutputFile>(file_);
    auto sink = std::make_unique<FileSink>(std::move(output), std::make_unique<CsvRows>(has_text_),
                                           header_of(columns));
    writer_ = std::make_unique<RowWriter>(std::move(sink), fixed_bytes_);
    is_recording_ = true;
}

char* CsvRecorder::put(char* out, const ColumnRun& run) {
    const auto text = [](char* at, const std::string& value) { return put_cell(at, value); };
    const auto hex = [](char* at, const std::string& value) { return put_hex(at, value); };
    const auto flag = [](char* at, bool value) { return *at = value ? '1' : '0', at + 1; };
    // A float32 is held as double: its own shortest text is the one that reads back the same.
    const auto narrow = [](char* at, double value) {
        return put_number(at, static_cast<float>(value));
    };
    switch (run.format) {
    case CellFormat::float64:
        return put_each<double>(out, run.first, run.count, put_number<double>);
    case CellFormat::float32: return put_each<double>(out, run.first, run.count, narrow);
    case CellFormat::integer:
        return put_each<std::int64_t>(out, run.first, run.count, put_number<std::int64_t>);
    case CellFormat::natural:
        return put_each<std::uint64_t>(out, run.first, run.count, put_number<std::uint64_t>);
    case CellFormat::boolean: return put_each<bool>(out, run.first, run.count, flag);
    case CellFormat::text: return put_each<std::string>(out, run.first, run.count, text);
    case CellFormat::bytes: return put_each<std::string>(out, run.first, run.count, hex);
    }
    return out;
}

std::size_t CsvRecorder::text_bytes() const {
    std::size_t bytes = 0;
    for (const ColumnRun& run : runs_) {
        if (!is_text(run.format)) continue;
        for (const auto& value : std::span(static_cast<const std::string*>(run.first), run.count))
            bytes += quoted_size(value);
    }
    return bytes;
}

void CsvRecorder::record(Time time) {
    char* out = writer_->reserve(has_text_ ? fixed_bytes_ + text_bytes() : fixed_bytes_);
    out = put_number(out, time.seconds);
    for (const ColumnRun& run : runs_) out = put(out, run);
    *out++ = '\n';
    writer_->commit(out);
}

void CsvRecorder::end() {
    if (!std::exchange(is_recording_, false)) return;
    writer_->close();
}

std::optional<Time> CsvRecorder::last_written() const {
    return writer_ ? writer_->last_time() : std::nullopt;
}

std::string_view CsvRecorder::flush_in_emergency() noexcept {
    if (!writer_) return {};
    writer_->flush_in_emergency();
    return writer_->last_written();
}

} // namespace rubato::report
