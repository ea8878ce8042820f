// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <rubato/scenario/yaml.hpp>

#include <filesystem>

namespace rubato::scenario::formats {

/// The scenario that a document, a map without short forms, describes.
Scenario read_document(Reporter& reporter, const Node& node, const std::filesystem::path& file);

} // namespace rubato::scenario::formats
