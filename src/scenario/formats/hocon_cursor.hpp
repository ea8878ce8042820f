// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace rubato::scenario::formats {

/// Walks over a text and knows line and column (in characters, not bytes).
class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text) {}

    bool at_end() const { return at_ == text_.size(); }
    char peek() const { return at_end() ? '\0' : text_[at_]; }
    bool starts_with(std::string_view prefix) const {
        return text_.substr(at_).starts_with(prefix);
    }
    std::size_t offset() const { return at_; }
    std::string_view from(std::size_t offset) const { return text_.substr(offset, at_ - offset); }
    Mark mark() const { return {0, line_, column_}; }

    char advance();
    void advance(std::size_t count) {
        for (; count > 0; --count) advance();
    }

    /// To the end of the line, which is not taken.
    void skip_line();
    /// Blanks and comments, not newlines.
    void skip_blanks();
    /// Blanks, comments and newlines. Whether there was a newline.
    bool skip_space();

    bool at_line_end() const { return at_end() || peek() == '\n'; }
    bool at_comment() const { return peek() == '#' || starts_with("//"); }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    int column_ = 1;
};

struct HoconError {
    Mark mark;
    std::string message;
    std::string hint;
};

/// Reads `"…"` or `"""…"""`, at whose first quote the cursor stands. Throws a HoconError.
std::string read_quoted(Cursor& cursor);

/// Whether a character may stand outside quotes.
bool is_unquoted(char c);

} // namespace rubato::scenario::formats
