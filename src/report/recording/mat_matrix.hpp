// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// MAT-files of level 4, as trajectories of Modelica tools are stored: matrices one after the
/// other, each with a header of five integers and its name ("MAT-File Format", The MathWorks,
/// appendix on level 4).
namespace rubato::report {

/// The header of a matrix, as it lies in a file of a little-endian machine.
struct MatHeader {
    std::uint32_t type = 0; ///< MOPT: 1000·byte order + 10·precision + kind
    std::uint32_t rows = 0, columns = 0;
    std::uint32_t imaginary = 0;   ///< 1: imaginary parts follow
    std::uint32_t name_length = 0; ///< with a terminating 0
};
static_assert(sizeof(MatHeader) == 20);

/// Of little-endian matrices; 10·precision + kind.
namespace mat_type {
constexpr std::uint32_t float64 = 0;
constexpr std::uint32_t int32 = 20;
constexpr std::uint32_t text = 51; ///< bytes
} // namespace mat_type

/// Appends the header of a matrix and its name. Returns where the number of columns lies.
std::size_t append_mat_header(std::string& file, std::string_view name, std::uint32_t type,
                              std::uint32_t rows, std::uint32_t columns);

template <class Number>
void append_bytes(std::string& file, Number value) {
    file.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// "Atrajectory", "1.1", "", "binTrans": what a file of this kind begins with, column by column.
constexpr std::string_view trajectory_class = "A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   ";
constexpr std::uint32_t trajectory_class_rows = 4;

} // namespace rubato::report
