// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace rubato::unit {

/// A library loaded with symbols of its own: those of other libraries with the same names stay
/// apart. Unloaded with the object.
class SharedLibrary {
public:
    /// `owner` is what messages call the FMU. Throws InputError.
    SharedLibrary(std::filesystem::path file, std::string owner);
    ~SharedLibrary();
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;

    /// A function of the given type that must be there; otherwise an InputError names it.
    template <class Function>
    Function* load(const char* name) const {
        return reinterpret_cast<Function*>(load_symbol(name));
    }

    /// The same for a function that may be missing; then null.
    template <class Function>
    Function* find(const char* name) const {
        return reinterpret_cast<Function*>(find_symbol(name));
    }

private:
    void* find_symbol(const char* name) const;
    void* load_symbol(const char* name) const;

    std::filesystem::path file_;
    std::string owner_;
    void* handle_ = nullptr;
};

} // namespace rubato::unit
