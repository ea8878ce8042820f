// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <complex>
#include <filesystem>
#include <string>
#include <vector>

namespace rubato::report {

/// Eigenvalues in the complex plane, with the unit circle.
struct EigenvaluePlot {
    std::string title, subtitle;
    std::vector<std::complex<double>> eigenvalues = {}; ///< one of each conjugate pair suffices
    double largest_stable = 1;                          ///< magnitudes above are drawn as unstable
};

/// A picture that needs nothing else. The same values give the same bytes.
std::string to_svg(const EigenvaluePlot& plot);

/// Creates the folder, replaces the file as a whole. Throws Error.
void write_svg(const EigenvaluePlot& plot, const std::filesystem::path& file);

} // namespace rubato::report
