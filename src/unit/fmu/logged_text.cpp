// SPDX-License-Identifier: Apache-2.0
#include "logged_text.hpp"

#include <cstdio>

namespace rubato::unit {

namespace {

/// Whether a conversion is %n, with whatever flags, width, precision and length.
bool writes_to_memory(std::string_view format) {
    for (auto at = format.find('%'); at < format.size(); at = format.find('%', at + 1)) {
        at = format.find_first_not_of("-+ #0123456789.*$'hljztqLI", at + 1);
        if (at >= format.size()) return false;
        if (format[at] == 'n') return true;
    }
    return false;
}

} // namespace

LoggedText::LoggedText(const char* message, std::va_list arguments) noexcept : text_(message) {
    if (writes_to_memory(text_)) return;
    if (std::vsnprintf(expanded_.data(), expanded_.size(), message, arguments) >= 0)
        text_ = expanded_.data();
}

} // namespace rubato::unit
