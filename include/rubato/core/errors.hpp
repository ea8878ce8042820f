// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Errors that a program can ask for more than their text.
namespace rubato {

/// Problems of an input, each with its place in a file.
class InputProblems : public InputError {
public:
    explicit InputProblems(std::span<const Diagnostic> problems);
    /// Errors, and the warnings and notes that were found with them.
    const std::vector<Diagnostic>& problems() const { return *problems_; }

private:
    std::shared_ptr<const std::vector<Diagnostic>> problems_; ///< shared: copies must not throw
};

/// A unit has failed.
class UnitError : public Error {
public:
    /// `time`: simulated [s]; none: before initialization.
    UnitError(const std::string& message, std::string_view hint, const std::string& unit,
              std::optional<double> time);
    const std::string& unit() const { return *unit_; }
    std::optional<double> time() const { return time_; }

private:
    std::shared_ptr<const std::string> unit_; ///< shared: copies must not throw
    std::optional<double> time_;
};

} // namespace rubato
