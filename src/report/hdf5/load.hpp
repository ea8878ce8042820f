// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "module.hpp"

#include <filesystem>
#include <memory>

/// The module of HDF5, loaded when it is needed.
namespace rubato::report::hdf5 {

/// Throws Error where it is missing.
void require_module();
/// Throw Error, or InputError for a file that cannot be read.
std::unique_ptr<Output> create(const std::filesystem::path& file);
std::unique_ptr<Input> open(const std::filesystem::path& file);

} // namespace rubato::report::hdf5
