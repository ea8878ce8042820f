// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/result_writer.hpp>

#include <memory>
#include <span>
#include <vector>

namespace rubato::report {

class RowWriter;
struct ColumnRun;

/// Streams recorded values as a trajectory in a MAT-file of level 4, as Dymola and OpenModelica
/// write it: the matrices Aclass, name, description, dataInfo, data_1 and data_2, transposed
/// ("binTrans"), so that rows follow each other in the order of time. All values are doubles.
/// Units of measure are in the description: "angle of the joint [rad]". Strings and binaries
/// cannot be held and are left out.
///
/// Rows go to the file as those of CsvRecorder do. Each time, the number of rows in the header
/// follows, so that the file is complete whatever ends the process.
class MatRecorder final : public ResultWriter {
public:
    explicit MatRecorder(std::filesystem::path file);
    ~MatRecorder() override;

    void begin(std::span<const engine::Column> columns) override;
    void record(Time time) override;
    void end() override;

    const std::filesystem::path& file() const override { return file_; }
    std::optional<Time> last_written() const override;
    std::string_view flush_in_emergency() noexcept override;
    std::vector<std::string> left_out() const override { return left_out_; }

private:
    static char* put(char* out, const ColumnRun& run);

    std::filesystem::path file_;
    std::unique_ptr<RowWriter> writer_; ///< null before `begin`
    bool is_recording_ = false;
    std::vector<ColumnRun> runs_;
    std::vector<std::string> left_out_;
    std::size_t row_bytes_ = 0;
};

} // namespace rubato::report
