// SPDX-License-Identifier: Apache-2.0
#include "temporary_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <stdlib.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace rubato::unit {

TemporaryFolder::TemporaryFolder() {
    std::error_code trouble;
    const auto parent = std::filesystem::temp_directory_path(trouble);
    std::string name = (parent / "rubato-XXXXXX").string();
    if (trouble || ::mkdtemp(name.data()) == nullptr) {
        const auto reason = trouble ? trouble : std::error_code(errno, std::system_category());
        throw Error(format("cannot make a temporary folder {}: {}", name, reason.message()),
                    "set TMPDIR to a folder that can be written to");
    }
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored; // a destructor has nobody to tell
    std::filesystem::remove_all(path_, ignored);
}

} // namespace rubato::unit
