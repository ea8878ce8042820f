// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdarg>
#include <string_view>

namespace rubato::unit {

/// The text of a message that an FMU logs with a format of printf and its arguments. The FMU may be
/// hostile, or pass a finished text that contains "%": a format with a conversion that writes to
/// memory (%n) is not expanded. Long texts are cut.
class LoggedText {
public:
    LoggedText(const char* message, std::va_list arguments) noexcept;
    std::string_view text() const { return text_; }

private:
    std::array<char, 4096> expanded_{};
    std::string_view text_;
};

} // namespace rubato::unit
