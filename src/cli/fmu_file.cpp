// SPDX-License-Identifier: Apache-2.0
#include "fmu_file.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

namespace rubato::cli {

void require_fmu(const std::filesystem::path& file) {
    std::error_code absent;
    if (!std::filesystem::exists(file, absent)) return; // reported by whoever opens it
    const std::string extension = file.extension().string();
    const std::string name = file.string();
    if (extension == ".yaml" || extension == ".yml" || extension == ".conf")
        throw InputError(
            format("{}: is a scenario, not an FMU", name),
            format("rubato run {} runs it, rubato check {} shows what it is", name, name));
    if (extension == ".csv")
        throw InputError(
            format("{}: is a table of values, not an FMU", name),
            format("rubato plot {} draws it; --input {} feeds it to an FMU", name, name));
    if (extension == ".ssp" || extension == ".ssd")
        throw InputError(format("{}: is a system of several FMUs (SSP), not an FMU", name),
                         "unpack it and name one of the FMUs in it");
}

} // namespace rubato::cli
