// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/findings.hpp"
#include "shared_library.hpp"

#include <rubato/private/format.hpp>

namespace rubato::unit {

/// What is said of a call of a function that the library lacks.
inline constexpr const char* function_is_missing = "its library does not export this function";

/// A status that no function of FMI returns.
template <class Status>
constexpr Status missing_function_status = static_cast<Status>(100);

/// Stands in for a function that a library lacks.
template <class Function>
struct MissingFunction;

template <class Status, class... Arguments>
struct MissingFunction<Status(Arguments...)> {
    static Status call(Arguments... /*unused*/) { return missing_function_status<Status>; }
};

template <class Function>
bool is_missing(Function* function) {
    return function == &MissingFunction<Function>::call;
}

/// Whether a function of an ability that FMUs declare can be called: null where they do not.
template <class Function>
bool is_usable(Function* function) {
    return function != nullptr && !is_missing(function);
}

/// Loads the functions of a library. Those that are optional may be missing, which is a finding:
/// calling what then stands in for them returns missing_function_status.
class FunctionLoader {
public:
    FunctionLoader(const SharedLibrary& library, Findings& findings)
        : library_(library), findings_(findings) {}

    template <class Function>
    void require(Function*& function, const char* name) const {
        function = library_.load<Function>(name);
    }

    /// Null where the library lacks it, which nobody minds.
    template <class Function>
    void load_if_there(Function*& function, const char* name) const {
        function = library_.find<Function>(name);
    }

    template <class Function>
    void load_optional(Function*& function, const char* name) const {
        function = library_.find<Function>(name);
        if (function != nullptr) return;
        function = &MissingFunction<Function>::call;
        findings_.add(Rule::function_missing, {},
                      format("its library lacks the function {}", name));
    }

private:
    const SharedLibrary& library_;
    Findings& findings_;
};

} // namespace rubato::unit
