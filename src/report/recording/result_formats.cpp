// SPDX-License-Identifier: Apache-2.0
#include "hdf5_recorder.hpp"
#include "tables/hdf5_reader.hpp"
#include "tables/mat_reader.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/csv_recorder.hpp>
#include <rubato/report/mat_recorder.hpp>
#include <rubato/report/result_formats.hpp>
#include <rubato/report/run_recorder.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <span>

namespace rubato::report {
namespace {

namespace fs = std::filesystem;

struct ResultFormat {
    std::string_view extension;
    std::unique_ptr<ResultWriter> (*make)(const fs::path& file);
    /// Whether a file that begins so is of this format.
    bool (*recognizes)(std::string_view begin);
    Table (*read)(const fs::path& file);
};

template <class Writer>
std::unique_ptr<ResultWriter> make(const fs::path& file) {
    return std::make_unique<Writer>(file);
}

Table read_mat_file(const fs::path& file) {
    return read_mat(files::read_file(file), file.string());
}

/// The first one is for files that no other recognizes.
constexpr std::array formats = {
    ResultFormat{".csv", make<CsvRecorder>, [](std::string_view) { return false; }, read_csv},
    ResultFormat{".mat", make<MatRecorder>, is_mat_trajectory, read_mat_file},
    ResultFormat{".h5", make<Hdf5Recorder>, is_hdf5, read_hdf5},
    ResultFormat{".hdf5", make<Hdf5Recorder>, is_hdf5, read_hdf5},
};

/// Null: there is none.
const ResultFormat* find_by_extension(const fs::path& file) {
    std::string extension = file.extension().string();
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) {
        return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    const auto found = std::ranges::find(formats, extension, &ResultFormat::extension);
    return found == formats.end() ? nullptr : &*found;
}

const ResultFormat& format_to_write(const fs::path& file) {
    if (file.extension().empty() || !is_file_or_new(file)) {
        const ResultFormat* const named = find_by_extension(file);
        if (named && named != &formats.front())
            throw InputError(format(
                "\"{}\" is a device or a pipe, to which only CSV can be written", file.string()));
        return formats.front();
    }
    if (const ResultFormat* const found = find_by_extension(file)) return *found;
    throw InputError(format("cannot write results to \"{}\": the format {} is not known",
                            file.string(), file.extension().string()),
                     format("the extension names the format: {}", result_extensions()));
}

std::string beginning_of(const fs::path& file) {
    constexpr std::size_t enough = 64;
    std::error_code unknown;
    if (!fs::is_regular_file(file, unknown)) return "";
    std::ifstream stream(file, std::ios::binary);
    std::string begin(enough, '\0');
    stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    return begin;
}

} // namespace

std::string result_extensions() {
    std::string list;
    for (const ResultFormat& each : formats)
        list += format("{}{}", list.empty() ? "" : ", ", each.extension);
    return list;
}

void require_result_format(const fs::path& file) { (void)format_to_write(file); }

std::unique_ptr<ResultWriter> make_result_writer(const fs::path& file) {
    return format_to_write(file).make(file);
}

Table read_results(const fs::path& file) {
    const std::string begin = beginning_of(file);
    for (const ResultFormat& each : formats)
        if (each.recognizes(begin)) return each.read(file);
    const ResultFormat* const named = find_by_extension(file);
    return (named && !begin.empty() ? *named : formats.front()).read(file);
}

} // namespace rubato::report
