// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace rubato::files {

/// A file that comes with the program and is used at run time.
struct Companion {
    std::string name;     ///< "rubato-unit"
    std::string variable; ///< of the environment, that names another file
    std::string purpose;  ///< for messages: "a unit that is to run in …"
    std::string remedy = "install Rubato as a whole"; ///< where there is none
};

/// What the environment variable names, else the file next to this program, in ../libexec/rubato
/// from there, in bin next to the shared library that this is part of, or where Rubato was configured
/// to be installed. Throws Error when there is none.
std::filesystem::path find_companion(const Companion& companion);

} // namespace rubato::files
