// SPDX-License-Identifier: Apache-2.0
#include "column_runs.hpp"
#include "file_sink.hpp"
#include "mat_matrix.hpp"
#include "row_writer.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/mat_recorder.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

namespace rubato::report {
namespace {

static_assert(std::endian::native == std::endian::little, "matrices are written as they are held");

constexpr std::uint32_t most_entries = std::numeric_limits<std::int32_t>::max();

/// Places in the header of the file that follow the rows.
struct Places {
    std::size_t row_count = 0;
    std::size_t times = 0; ///< the first and the last one
};

/// Rows of data_2: time and all values, as doubles.
class MatRows final : public RowFormat {
public:
    MatRows(std::size_t row_bytes, const Places& places) : row_bytes_(row_bytes), places_(places) {}

    Row last_row(std::string_view rows) const noexcept override {
        const std::size_t end = rows.size() / row_bytes_ * row_bytes_;
        return {end == 0 ? 0 : end - row_bytes_, end};
    }
    /// The header says how many rows there are: half a row at the end does no harm.
    std::size_t next_piece(std::string_view rows, std::size_t) const noexcept override {
        return rows.size();
    }
    std::size_t put_time(std::string_view row, char* out,
                         std::size_t room) const noexcept override {
        return static_cast<std::size_t>(std::to_chars(out, out + room, time_of(row)).ptr - out);
    }
    int rows_written(std::string_view rows, files::OutputFile& file) noexcept override {
        const bool is_first = count_ == 0;
        const std::uint64_t count = count_ + rows.size() / row_bytes_;
        if (count > most_entries) return EFBIG;
        count_ = static_cast<std::uint32_t>(count);
        if (is_first) times_[0] = time_of(rows);
        times_[1] = time_of(rows.substr(rows.size() - row_bytes_));
        if (const int fault = file.try_write_at(places_.times, bytes_of(times_))) return fault;
        return file.try_write_at(places_.row_count, bytes_of(count_));
    }

private:
    static double time_of(std::string_view row) {
        double time = 0;
        std::memcpy(&time, row.data(), sizeof time);
        return time;
    }
    template <class Number>
    static std::string_view bytes_of(const Number& number) {
        return {reinterpret_cast<const char*>(&number), sizeof number};
    }

    std::size_t row_bytes_;
    Places places_;
    std::uint32_t count_ = 0;
    std::array<double, 2> times_ = {};
};

/// "angle of the joint [rad]"
std::string described(const engine::Column& column) {
    std::string text = column.description;
    std::ranges::replace(text, '\n', ' ');
    if (!column.unit.empty()) text += format("{}[{}]", text.empty() ? "" : " ", column.unit);
    return text;
}

/// A matrix of texts, each a column, with blanks behind it.
void append_texts(std::string& file, std::string_view name, const std::vector<std::string>& texts) {
    std::size_t longest = 1;
    for (const std::string& text : texts) longest = std::max(longest, text.size());
    append_mat_header(file, name, mat_type::text, static_cast<std::uint32_t>(longest),
                      static_cast<std::uint32_t>(texts.size()));
    for (const std::string& text : texts) {
        file += text;
        file.append(longest - text.size(), ' ');
    }
}

/// By variable: the matrix that it is in, its row there, linear interpolation, not defined outside.
void append_data_info(std::string& file, std::size_t count) {
    constexpr std::int32_t time_axis = 0;
    constexpr std::int32_t data_2 = 2;
    constexpr std::int32_t linear = 0;
    constexpr std::int32_t undefined_outside = -1;
    append_mat_header(file, "dataInfo", mat_type::int32, 4, static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
        append_bytes(file, i == 0 ? time_axis : data_2);
        append_bytes(file, static_cast<std::int32_t>(i + 1));
        append_bytes(file, linear);
        append_bytes(file, undefined_outside);
    }
}

std::string header_of(std::span<const engine::Column> columns, Places& places) {
    std::vector<std::string> names = {"time"};
    std::vector<std::string> descriptions = {"Simulation time [s]"};
    for (const engine::Column& column : columns) {
        names.push_back(column.name);
        descriptions.push_back(described(column));
    }
    std::string file;
    append_mat_header(file, "Aclass", mat_type::text, trajectory_class_rows,
                      static_cast<std::uint32_t>(trajectory_class.size()) / trajectory_class_rows);
    file += trajectory_class;
    append_texts(file, "name", names);
    append_texts(file, "description", descriptions);
    append_data_info(file, names.size());
    append_mat_header(file, "data_1", mat_type::float64, 1, 2); // first and last time
    places.times = file.size();
    append_bytes(file, std::array<double, 2>{});
    places.row_count = append_mat_header(file, "data_2", mat_type::float64,
                                         static_cast<std::uint32_t>(names.size()), 0);
    return file;
}

template <class T>
char* put_each(char* out, const void* first, std::size_t count) {
    for (const T& value : std::span(static_cast<const T*>(first), count)) {
        const auto number = static_cast<double>(value);
        std::memcpy(out, &number, sizeof number);
        out += sizeof number;
    }
    return out;
}

} // namespace

std::size_t append_mat_header(std::string& file, std::string_view name, std::uint32_t type,
                              std::uint32_t rows, std::uint32_t columns) {
    const std::size_t begin = file.size();
    append_bytes(file, MatHeader{.type = type,
                                 .rows = rows,
                                 .columns = columns,
                                 .name_length = static_cast<std::uint32_t>(name.size()) + 1});
    file += name;
    file += '\0';
    return begin + offsetof(MatHeader, columns);
}

MatRecorder::MatRecorder(std::filesystem::path file) : file_(std::move(file)) {}
MatRecorder::~MatRecorder() = default;

void MatRecorder::begin(std::span<const engine::Column> columns) {
    std::vector<engine::Column> numbers;
    left_out_.clear();
    for (const engine::Column& column : columns) {
        if (is_text(cell_format(column.type)))
            left_out_.push_back(column.name);
        else
            numbers.push_back(column);
    }
    if (numbers.size() >= most_entries)
        throw Error(format("\"{}\" cannot hold {} variables", file_.string(), numbers.size()),
                    "record fewer by --record, or write another format: -o FILE.csv");
    runs_ = column_runs(numbers);
    row_bytes_ = sizeof(double) * (1 + numbers.size());
    Places places;
    const std::string header = header_of(numbers, places);
    auto sink = std::make_unique<FileSink>(std::make_unique<files::OutputFile>(file_),
                                           std::make_unique<MatRows>(row_bytes_, places), header);
    writer_ = std::make_unique<RowWriter>(std::move(sink), row_bytes_);
    is_recording_ = true;
}

char* MatRecorder::put(char* out, const ColumnRun& run) {
    switch (run.format) {
    case CellFormat::float64:
    case CellFormat::float32:
        std::memcpy(out, run.first, run.count * sizeof(double));
        return out + run.count * sizeof(double);
    case CellFormat::integer: return put_each<std::int64_t>(out, run.first, run.count);
    case CellFormat::natural: return put_each<std::uint64_t>(out, run.first, run.count);
    case CellFormat::boolean: return put_each<bool>(out, run.first, run.count);
    case CellFormat::text:
    case CellFormat::bytes: break; // left out
    }
    return out;
}

void MatRecorder::record(Time time) {
    char* out = writer_->reserve(row_bytes_);
    std::memcpy(out, &time.seconds, sizeof time.seconds);
    out += sizeof time.seconds;
    for (const ColumnRun& run : runs_) out = put(out, run);
    writer_->commit(out);
}

void MatRecorder::end() {
    if (!std::exchange(is_recording_, false)) return;
    writer_->close();
}

std::optional<Time> MatRecorder::last_written() const {
    return writer_ ? writer_->last_time() : std::nullopt;
}

std::string_view MatRecorder::flush_in_emergency() noexcept {
    if (!writer_) return {};
    writer_->flush_in_emergency();
    return writer_->last_written();
}

} // namespace rubato::report
