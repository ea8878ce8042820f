// SPDX-License-Identifier: Apache-2.0
#include "csv_text.hpp"

#include <rubato/core/text.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/report/event_file.hpp>
#include <rubato/report/table.hpp>

#include <string>

namespace rubato::report {

namespace {

void add_cell(std::string& row, std::string_view text) {
    const std::size_t size = row.size();
    row.resize(size + quoted_size(text));
    const char* const end = put_cell(row.data() + size, text);
    row.resize(static_cast<std::size_t>(end - row.data()));
}

} // namespace

std::filesystem::path events_file_of(const std::filesystem::path& results) {
    std::filesystem::path file = results;
    file += ".events.csv";
    return file;
}

EventFile::EventFile(std::filesystem::path file) : file_(std::move(file)) {}
EventFile::~EventFile() = default;

void EventFile::begin() {
    std::error_code cannot; // then there is none, or writing reports it
    std::filesystem::remove(file_, cannot);
}

void EventFile::note(const engine::EventNote& note) {
    if (!output_) {
        output_ = std::make_unique<files::OutputFile>(file_);
        output_->write("time,microstep,unit,variable,before,after\n");
    }
    std::string row = shortest(note.time.seconds) + "," + std::to_string(note.microstep) + ",";
    add_cell(row, note.unit);
    row += ',';
    add_cell(row, note.variable);
    for (const Value* value : {&note.before, &note.after}) {
        row += ',';
        if (!note.variable.empty()) add_cell(row, to_string(*value, note.type));
    }
    output_->write(row + "\n");
}

void EventFile::end() {
    if (!output_) return;
    const auto output = std::move(output_);
    output->close();
}

std::vector<double> find_event_times(const std::filesystem::path& results) {
    const std::filesystem::path file = events_file_of(results);
    if (!std::filesystem::exists(file)) return {};
    std::vector<double> times;
    for (const double time : read_csv(file).values("time"))
        if (times.empty() || time != times.back()) times.push_back(time);
    return times;
}

} // namespace rubato::report
