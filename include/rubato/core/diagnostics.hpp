// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// Where in a file something stands. Line and column count from 1; 0 means unknown.
struct Location {
    std::string file;
    int line = 0;
    int column = 0;
    friend bool operator==(const Location&, const Location&) = default;
};

std::string to_string(const Location& where); // "crane.yaml:14", "" when nothing is known

enum class Severity { note, warning, error };

/// One thing to tell the user: what is wrong, and what to do about it.
struct Diagnostic {
    Severity severity = Severity::error;
    Location where;
    std::string message; ///< names the object and the value
    std::string hint;    ///< what to do; may be empty
};

/// "crane.yaml:14: error: unit "winch" has no input "tension_N"\n  did you mean "tension"?"
std::string to_string(const Diagnostic& diagnostic);

/// Gathers everything there is to say about an input, so that the user sees all of it at once.
class Diagnostics {
public:
    void add(Severity severity, Location where, std::string message, std::string hint = {});
    void error(Location where, std::string message, std::string hint = {});
    void warning(Location where, std::string message, std::string hint = {});
    void note(Location where, std::string message, std::string hint = {});

    const std::vector<Diagnostic>& all() const { return all_; }
    bool has_errors() const;

    /// Throws an InputError with all that was gathered, if any of it is an error.
    void throw_if_errors() const;

private:
    std::vector<Diagnostic> all_;
};

/// The user's or a unit's fault. `what()` is the whole text for the user.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message, std::string_view hint = {});
};

/// A file or an option is wrong: nothing has been run.
class InputError : public Error {
public:
    explicit InputError(const std::string& message, std::string_view hint = {});
    explicit InputError(std::span<const Diagnostic> problems);
};

} // namespace rubato
