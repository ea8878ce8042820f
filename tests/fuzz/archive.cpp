// SPDX-License-Identifier: Apache-2.0

/// Archives: their list of entries, the model description in them, and unpacking.

#include "description/fmu_archive.hpp"
#include "support/private_folder.hpp"
#include "target.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/temporary_folder.hpp>
#include <rubato/unit/validation.hpp>

#include <fstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const rubato::test::PrivateFolder folder;
    static const auto file = folder / "m.fmu";
    constexpr rubato::files::ArchiveLimits limits{
        .total_bytes = 1 << 20, .entries = 100, .file_bytes = 1 << 20};
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        rubato::unit::validate(file, limits);
        const rubato::files::TemporaryFolder unpacked;
        rubato::unit::FmuArchive(file, limits).unpack(unpacked.path());
    } catch (const rubato::Error&) { // the archive's fault
    }
    return 0;
}
