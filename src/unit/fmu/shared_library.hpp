// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace rubato::unit {

/// A library loaded with symbols of its own: those of other libraries with the same names stay
/// apart. Unloaded with the object, unless threads that came after it are still there.
class SharedLibrary {
public:
    /// `owner` is what messages call the FMU. Where a library that it is linked with is not found,
    /// those in the folder of `file` and in `others` are loaded first. Throws InputError.
    SharedLibrary(std::filesystem::path file, std::string owner,
                  const std::filesystem::path& others = {});
    ~SharedLibrary();
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;

    /// Whether it could be loaded only after others.
    bool needed_others() const { return !others_.empty(); }

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
    void load_with_help(const std::string& reason, const std::filesystem::path& others);
    void load_others(const std::filesystem::path& folder);
    void* find_symbol(const char* name) const;
    void* load_symbol(const char* name) const;

    std::filesystem::path file_;
    std::string owner_;
    std::vector<long> threads_before_; ///< of this process, sorted
    void* handle_ = nullptr;
    std::vector<void*> others_; ///< that it is linked with
};

} // namespace rubato::unit
