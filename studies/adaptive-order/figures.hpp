// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "study.hpp"

#include <rubato/report/figure.hpp>

namespace rubato::studies::adaptive_order {

struct NamedFigure {
    std::string file; ///< name
    report::Figure figure;
};

/// The paper's Figures 5 to 7, of its sets A to D: co-simulations of their own.
std::vector<NamedFigure> figures_of_selected_sets();

/// The paper's Figure 8, of the scores of a study.
NamedFigure figure_of_shares(const StudyOptions& options, const StudyResult& result);

} // namespace rubato::studies::adaptive_order
