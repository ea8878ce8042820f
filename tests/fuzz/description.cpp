// SPDX-License-Identifier: Apache-2.0

/// Model descriptions, in an archive that is sound.

#include "description/model_description.hpp"
#include "support/private_folder.hpp"
#include "support/zip_writer.hpp"
#include "target.hpp"

#include <rubato/core/diagnostics.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const rubato::test::PrivateFolder folder;
    static const auto file = folder / "m.fmu";
    rubato::test::ZipWriter()
        .add("modelDescription.xml", std::string(reinterpret_cast<const char*>(data), size))
        .add("binaries/x86_64-linux/m.so", "")
        .save(file);
    try {
        rubato::unit::Findings findings;
        const auto description =
            rubato::unit::read_model_description(rubato::unit::FmuArchive(file, {}), findings);
        findings.throw_if_refused(rubato::unit::Strictness::lenient);
        for (const auto interface : description.unit.interfaces)
            rubato::unit::describe_unit(description, interface);
    } catch (const rubato::Error&) { // the description's fault
    }
    return 0;
}
