// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdio>

namespace rubato::cli {

/// Keeps standard output for what this program prints itself. While an object lives, what FMUs
/// print there goes to standard error; so it must outlive their libraries.
class OwnOutput {
public:
    OwnOutput();
    ~OwnOutput();
    OwnOutput(const OwnOutput&) = delete;
    OwnOutput& operator=(const OwnOutput&) = delete;

    std::FILE* stream() const { return stream_; }

private:
    std::FILE* stream_; ///< `stdout`, if there are no more descriptors
};

} // namespace rubato::cli
