// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "yaml_tree.hpp"

#include <rubato/scenario/yaml.hpp>

#include <span>

namespace rubato::scenario::formats {

/// What an override is called in messages: `--set experiment.step=0.1`.
std::string name_of(const Override& override);

/// What a document and the overrides of it are called, by source.
std::vector<std::string> source_names(const std::filesystem::path& file,
                                      std::span<const Override> overrides);

/// Turns `algorithm: jacobi` and `record: [a.x]` into the maps that they stand for.
void expand_short_forms(Node& document);

/// Writes the overrides into the document, which is a map. The n-th comes from source n + 1. What
/// they say is checked when the document is read.
void apply(std::span<const Override> overrides, Node& document, Reporter& reporter);

} // namespace rubato::scenario::formats
