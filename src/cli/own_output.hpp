// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdio>

namespace rubato::cli {

/// Reserves standard output for this program. While an object exists, text that FMUs print there
/// goes to standard error; so it must outlive their libraries.
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
