// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

/// Each source of this folder defines it: takes any bytes without a crash, a hang or more memory
/// than scripts/fuzz.sh allows. Faults of the input are Errors, which it catches; nothing else may
/// be thrown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
