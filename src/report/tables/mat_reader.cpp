// SPDX-License-Identifier: Apache-2.0
#include "mat_reader.hpp"

#include "recording/mat_matrix.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>

namespace rubato::report {
namespace {

constexpr std::string_view first_name{"Aclass", sizeof "Aclass"}; // with its 0

std::size_t size_of_precision(std::uint32_t precision) {
    constexpr std::size_t sizes[] = {8, 4, 4, 2, 2, 1};
    return precision < std::size(sizes) ? sizes[precision] : 0;
}

template <class Number>
double number_at(const char* at) {
    Number number{};
    std::memcpy(&number, at, sizeof number);
    return static_cast<double>(number);
}

struct Matrix {
    std::uint32_t rows = 0, columns = 0;
    std::uint32_t precision = 0;
    std::string_view data; ///< may be cut at the end of the file

    std::size_t whole_columns() const {
        const std::size_t bytes = rows * size_of_precision(precision);
        return bytes == 0 ? 0 : std::min<std::size_t>(columns, data.size() / bytes);
    }
    double at(std::size_t row, std::size_t column) const {
        const char* const at = data.data() + (column * rows + row) * size_of_precision(precision);
        switch (precision) {
        case 0: return number_at<double>(at);
        case 1: return number_at<float>(at);
        case 2: return number_at<std::int32_t>(at);
        case 3: return number_at<std::int16_t>(at);
        case 4: return number_at<std::uint16_t>(at);
        default: return number_at<std::uint8_t>(at);
        }
    }
};

/// Takes a file apart.
class Reader {
public:
    Reader(std::string_view bytes, const std::string& file) : file_(file), rest_(bytes) {
        if (bytes.starts_with("MATLAB "))
            fail("it is a MAT-file of level 5 or later, which MATLAB saves with -v4 as level 4");
        // What follows data_2 is not read: a run under way may have added to it.
        while (!rest_.empty() && !matrices_.contains("data_2")) read_matrix();
        const Matrix& kind = matrix("Aclass");
        if (kind.rows < trajectory_class_rows) fail("Aclass has too few rows");
        const std::string version = row_text(kind, 1);
        if (version != "1.1") fail(format("its version is \"{}\", not 1.1", version));
        const std::string layout = row_text(kind, 3);
        if (layout != "binTrans" && layout != "binNormal")
            fail(format("its layout is \"{}\", neither binTrans nor binNormal", layout));
        is_transposed_ = layout == "binTrans";
        names_ = texts(matrix("name"));
    }

    Table table() const {
        const Matrix& info = matrix("dataInfo");
        if (count(info) != names_.size() || width(info) < 2)
            fail(format("dataInfo describes {} variables, but there are {} names", count(info),
                        names_.size()));
        if (names_.empty()) fail("there are no variables");
        require_size();
        std::vector<Table::Column> columns;
        std::set<std::string_view> seen;
        std::size_t time = 0;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (!seen.insert(names_[i]).second)
                fail(format("two variables are named \"{}\"", names_[i]));
            const double block = entry(info, 0, i);
            if (block == 0) time = i;
            columns.push_back(column(names_[i], block, entry(info, 1, i)));
        }
        std::rotate(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(time),
                    columns.begin() + static_cast<std::ptrdiff_t>(time) + 1);
        return Table(std::move(columns), incomplete_row());
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw InputError(
            format("\"{}\" is not a trajectory in a MAT-file: {}", file_, why),
            "Rubato reads those of level 4 that Dymola, OpenModelica and Rubato write");
    }

    void read_matrix() {
        MatHeader header;
        if (rest_.size() < sizeof header) fail("it ends within a matrix");
        std::memcpy(&header, rest_.data(), sizeof header);
        rest_.remove_prefix(sizeof header);
        const std::uint32_t precision = header.type / 10 % 10;
        const std::uint32_t kind = header.type % 10;
        if (header.type >= 100 || size_of_precision(precision) == 0 || kind > 1)
            fail(format("the type {} of a matrix is not known", header.type));
        if (header.imaginary != 0) fail("a matrix has imaginary parts");
        if (header.name_length == 0 || header.name_length > rest_.size())
            fail("a matrix has no name");
        std::string name(rest_.substr(0, header.name_length));
        name.resize(std::min(name.find('\0'), name.size()));
        rest_.remove_prefix(header.name_length);
        const std::uint64_t entries = std::uint64_t{header.rows} * header.columns;
        const std::uint64_t whole = entries > (std::uint64_t{1} << 60)
                                        ? std::uint64_t{1} << 60
                                        : entries * size_of_precision(precision);
        if (whole > rest_.size() && name != "data_2")
            fail(format("it ends within the matrix {}", name));
        const std::size_t size = std::min<std::uint64_t>(whole, rest_.size());
        matrices_[name] = {header.rows, header.columns, precision, rest_.substr(0, size)};
        rest_.remove_prefix(size);
    }

    const Matrix& matrix(const std::string& name) const {
        const auto found = matrices_.find(name);
        if (found == matrices_.end()) fail(format("there is no matrix {}", name));
        return found->second;
    }

    static std::string trimmed(std::string text) {
        while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.pop_back();
        return text;
    }
    static std::string row_text(const Matrix& matrix, std::size_t row) {
        std::string text;
        for (std::size_t c = 0; c < matrix.columns; ++c)
            text += static_cast<char>(matrix.at(row, c));
        return trimmed(std::move(text));
    }
    std::vector<std::string> texts(const Matrix& matrix) const {
        if (width(matrix) == 0) fail("there are no names");
        std::vector<std::string> result;
        for (std::size_t i = 0; i < count(matrix); ++i) {
            std::string text;
            for (std::size_t k = 0; k < width(matrix); ++k)
                text += static_cast<char>(static_cast<unsigned char>(entry(matrix, k, i)));
            result.push_back(trimmed(std::move(text)));
        }
        return result;
    }

    /// Of a matrix with a column for each entry, or with a row if the file is not transposed.
    std::size_t count(const Matrix& matrix) const {
        return is_transposed_ ? matrix.columns : matrix.rows;
    }
    std::size_t width(const Matrix& matrix) const {
        return is_transposed_ ? matrix.rows : matrix.columns;
    }
    double entry(const Matrix& matrix, std::size_t k, std::size_t i) const {
        return is_transposed_ ? matrix.at(k, i) : matrix.at(i, k);
    }

    std::size_t points() const {
        const Matrix& data = matrix("data_2");
        if (is_transposed_) return data.whole_columns();
        if (data.whole_columns() < data.columns) fail("it ends within the matrix data_2");
        return data.rows;
    }
    /// Many names may stand for one variable: what they take together is limited.
    void require_size() const {
        constexpr std::uint64_t most_entries = std::uint64_t{1} << 26; // 512 MiB
        std::uint64_t held = 0;
        for (const auto& [name, matrix] : matrices_) held += matrix.data.size();
        const std::uint64_t wanted = std::uint64_t{names_.size()} * points();
        if (wanted > std::max(most_entries, held))
            fail(format("{} variables at {} times are too many", names_.size(), points()));
    }

    Table::Column column(const std::string& name, double block, double signed_index) const {
        const double index = std::abs(signed_index);
        if (block != 0 && block != 1 && block != 2)
            return {name, std::vector<double>(points()),
                    format("{}: \"{}\" is not in a matrix of numbers over time", file_, name)};
        const bool is_constant = block == 1;
        const Matrix& data = matrix(is_constant ? "data_1" : "data_2");
        if (!(index >= 1 && index <= static_cast<double>(width(data))))
            fail(format("\"{}\" is in row {} of a matrix that has {}", name, signed_index,
                        width(data)));
        if (is_constant && count(data) == 0) fail(format("\"{}\" has no value", name));
        const std::size_t row = static_cast<std::size_t>(index) - 1;
        const double sign = signed_index < 0 ? -1 : 1;
        std::vector<double> values(points());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = sign * entry(data, row, is_constant ? 0 : i);
        return {name, std::move(values)};
    }

    std::string incomplete_row() const {
        const Matrix& data = matrix("data_2");
        if (!is_transposed_ || points() == data.columns) return "";
        return format("{}: it ends after {} of {} rows; the rest is left out", file_, points(),
                      data.columns);
    }

    const std::string& file_;
    std::string_view rest_;
    std::map<std::string, Matrix> matrices_;
    std::vector<std::string> names_;
    bool is_transposed_ = true;
};

} // namespace

bool is_mat_trajectory(std::string_view begin) {
    if (begin.size() < sizeof(MatHeader) + first_name.size()) return false;
    return begin.substr(sizeof(MatHeader), first_name.size()) == first_name;
}

Table read_mat(std::string_view bytes, const std::string& file) {
    return Reader(bytes, file).table();
}

} // namespace rubato::report
