// SPDX-License-Identifier: Apache-2.0
#include "load.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/module.hpp>
#include <rubato/private/format.hpp>

namespace rubato::report::hdf5 {
namespace {

constexpr files::Module hdf5_module = {.name = "rubato-hdf5.so",
                                       .variable = "RUBATO_HDF5",
                                       .libraries = "Debian: libhdf5-103-1",
                                       .is_global = false};
constexpr auto purpose = "an HDF5 file (built only where the HDF5 library is installed)";

} // namespace

void require_module() { (void)files::module_function(hdf5_module, "rubato_hdf5_create", purpose); }

std::unique_ptr<Output> create(const std::filesystem::path& file) {
    const auto function = reinterpret_cast<CreateFunction>(
        files::module_function(hdf5_module, "rubato_hdf5_create", purpose));
    const char* problem = nullptr;
    std::unique_ptr<Output> output(function(file.c_str(), &problem));
    if (!output) throw Error(format("cannot create \"{}\": {}", file.string(), problem));
    return output;
}

std::unique_ptr<Input> open(const std::filesystem::path& file) {
    const auto function = reinterpret_cast<OpenFunction>(
        files::module_function(hdf5_module, "rubato_hdf5_open", purpose));
    const char* problem = nullptr;
    std::unique_ptr<Input> input(function(file.c_str(), &problem));
    if (!input) throw InputError(format("cannot read \"{}\": {}", file.string(), problem));
    return input;
}

} // namespace rubato::report::hdf5
