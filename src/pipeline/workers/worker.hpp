// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace rubato::pipeline {

/// What a forked process that runs units does first. What units print goes nowhere; FMUs are
/// unpacked in the folder, which the parent removes. It ends with its parent, and Ctrl-C does not
/// reach it.
void become_worker(const std::filesystem::path& folder);

/// Writes all bytes, unless nobody reads them any more.
void write_all(int descriptor, const std::string& bytes);

} // namespace rubato::pipeline
