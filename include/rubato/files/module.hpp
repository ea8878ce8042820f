// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rubato::files {

/// A shared library that comes with the program, which loads it when it needs it: so the libraries
/// of others that it is linked with need not be there otherwise.
struct Module {
    const char* name = nullptr;      ///< "rubato-mpi.so"
    const char* variable = nullptr;  ///< of the environment, that names another file
    const char* libraries = nullptr; ///< that it needs, for messages
    bool is_global = false;          ///< its symbols are for all libraries that are loaded later
    const char* remedy = "install Rubato as a whole"; ///< where it is not there
};

/// A function of a module, which is loaded. `purpose` is for the message when it is not there.
/// Throws Error.
void* module_function(const Module& module, const char* name, const char* purpose);

} // namespace rubato::files
