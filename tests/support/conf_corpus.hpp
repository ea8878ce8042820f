// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace rubato::test {

/// Where the scenarios of the reference tool lie: they are not part of this project. Empty:
/// unknown.
inline std::filesystem::path corpus_folder() {
    const char* folder = std::getenv("RUBATO_CONF_CORPUS");
    return folder ? folder : RUBATO_CONF_CORPUS;
}

/// The `.conf` files below the folder, sorted.
inline std::vector<std::filesystem::path> corpus_files(const std::filesystem::path& below = {}) {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(corpus_folder() / below, none)) {
        if (entry.path().extension() == ".conf") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

/// All of a file.
inline std::string text_of_file(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace rubato::test

/// Skips a test, loudly, where the corpus is missing.
#define RUBATO_NEEDS_CONF_CORPUS()                                                                 \
    if (::rubato::test::corpus_files().empty())                                                    \
    GTEST_SKIP() << "the scenarios of the reference tool are not in "                              \
                 << ::rubato::test::corpus_folder() << ": set RUBATO_CONF_CORPUS to their folder"
