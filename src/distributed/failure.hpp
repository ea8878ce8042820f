// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string>

namespace rubato::distributed {

/// How a process has failed.
struct Failure {
    enum class Kind : char { none = 'n', input = 'i', run = 'r', reader_gone = 'g', bug = 'b' };
    Kind kind = Kind::none;
    std::string text;

    /// Of an exception; none: another process has failed.
    static Failure of(const std::exception_ptr& error);
    static Failure from_message(std::string message);
    std::string message() const { return static_cast<char>(kind) + text; }
    std::exception_ptr exception() const;
};

} // namespace rubato::distributed
