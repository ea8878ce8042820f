// SPDX-License-Identifier: Apache-2.0
#include <rubato/report/run_recorder.hpp>

namespace rubato::report {

void RunRecorder::begin(std::span<const engine::Column> columns) {
    columns_.assign(columns.begin(), columns.end());
    metadata_.columns.clear();
    for (const engine::Column& column : columns)
        metadata_.columns.push_back(
            {column.name, column.unit, std::string(to_string(column.type))});
    csv_.begin(columns);
    events_.begin();
    write_metadata(metadata_, csv_.file());
    has_begun_ = true;
}

void RunRecorder::end() {
    csv_.end();
    events_.end();
}

void RunRecorder::conclude(RunStatus status, Time reached, std::string message) {
    if (!has_begun_) return;
    metadata_.status = status;
    metadata_.reached = reached.seconds;
    metadata_.message = std::move(message);
    write_metadata(metadata_, csv_.file());
}

Value value_of(const engine::Column& column) {
    switch (storage_of(column.type)) {
    case Storage::real: return *static_cast<const double*>(column.value);
    case Storage::integer: return *static_cast<const std::int64_t*>(column.value);
    case Storage::boolean: return *static_cast<const bool*>(column.value);
    case Storage::string: return *static_cast<const std::string*>(column.value);
    }
    return {};
}

} // namespace rubato::report
