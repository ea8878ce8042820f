// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "network.hpp"
#include "study.hpp"

#include <string>

/// What a study has found, as tables for people.
namespace rubato::studies::adaptive_order {

/// Means, medians and shares, beside those of the paper where there are such.
std::string to_text(const StudyOptions& options, const StudyResult& result);

/// The paper's Table 2, and what deciding costs in itself.
std::string to_text(const Overhead& overhead);

/// The static orders, best first, with the adaptive ones among them.
std::string to_text(const NetworkResult& result);

} // namespace rubato::studies::adaptive_order
