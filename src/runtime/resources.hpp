// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace rubato::runtime {

/// The folder that a `file:` URI of the importer means; null or another text: the folder
/// `resources` of the FMU that this library is part of.
std::filesystem::path resources_from_uri(const char* uri);
/// The same for a path.
std::filesystem::path resources_from_path(const char* path);

} // namespace rubato::runtime
