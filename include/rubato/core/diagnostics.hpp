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
    std::string file;                                                   ///< empty: unknown
    int line = 0;                                                       ///< counted from 1
    int column = 0;                                                     ///< counted from 1
    friend bool operator==(const Location&, const Location&) = default; ///< by all members
};

std::string to_string(const Location& where); // "crane.yaml:14", "" when nothing is known

enum class Severity { note, warning, error };

/// One message for the user: what is wrong, and what to do about it.
struct Diagnostic {
    Severity severity = Severity::error; ///< errors prevent a run
    Location where;                      ///< unknown: no file has to do with it
    std::string message;                 ///< names the object and the value
    std::string hint;                    ///< what to do; may be empty
};

/// "crane.yaml:14: error: unit "winch" has no input "tension_N"\n  did you mean "tension"?"
std::string to_string(const Diagnostic& diagnostic);

/// Gathers everything there is to say about an input, so that the user sees all of it at once.
class Diagnostics {
public:
    /// Adds a diagnostic.
    void add(Severity severity, Location where, std::string message, std::string hint = {});
    /// Adds an error.
    void error(Location where, std::string message, std::string hint = {});
    /// Adds a warning.
    void warning(Location where, std::string message, std::string hint = {});
    /// Adds a note.
    void note(Location where, std::string message, std::string hint = {});

    const std::vector<Diagnostic>& all() const { return all_; } ///< in the order they were added
    bool has_errors() const;                                    ///< whether any of them is an error

    /// Throws an InputError with all that was gathered, if any of it is an error.
    void throw_if_errors() const;

private:
    std::vector<Diagnostic> all_;
};

/// The user's or a unit's fault. `what()` is the whole text for the user.
class Error : public std::runtime_error {
public:
    /// `hint` says what to do, on a line of its own.
    explicit Error(const std::string& message, std::string_view hint = {});
};

/// A file or an option is wrong: nothing has been run.
class InputError : public Error {
public:
    /// `hint` says what to do, on a line of its own.
    explicit InputError(const std::string& message, std::string_view hint = {});
    /// All errors among the problems, a paragraph each.
    explicit InputError(std::span<const Diagnostic> problems);
};

} // namespace rubato
