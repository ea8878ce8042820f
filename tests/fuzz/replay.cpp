// SPDX-License-Identifier: Apache-2.0

/// Runs a fuzz target without libFuzzer over each file of the given folders: whole, cut off at many
/// places and with single bytes changed.

#include "target.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

constexpr std::size_t variants = 64;

void run(const std::string& bytes) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

void replay(const std::string& bytes) {
    run(bytes);
    for (std::size_t i = 0; i < std::min(variants, bytes.size()); ++i) {
        const std::size_t at = i * bytes.size() / variants;
        run(bytes.substr(0, at));
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1 << i % 8));
        run(changed);
    }
}

} // namespace

int main(int argc, char** argv) {
    std::size_t files = 0;
    for (int i = 1; i < argc; ++i) {
        for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
            std::ifstream stream(entry.path(), std::ios::binary);
            replay({std::istreambuf_iterator<char>(stream), {}});
            ++files;
        }
    }
    std::printf("%zu files replayed\n", files);
    return files == 0 ? 1 : 0;
}
