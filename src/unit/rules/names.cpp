// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

namespace rubato::unit {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_nondigit(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Eats a name from its front; each function is a production of the standard's grammar and says
/// whether it was there.
class NameParser {
public:
    explicit NameParser(std::string_view name) : rest_(name) {}

    /// name = identifier | "der(" identifier ["," unsignedInteger] ")"
    bool name() {
        if (!rest_.starts_with("der(")) return identifier() && rest_.empty();
        rest_.remove_prefix(4);
        if (!identifier()) return false;
        if (eat(',') && !unsigned_integer()) return false;
        return eat(')') && rest_.empty();
    }

private:
    /// identifier = B-name [arrayIndices] {"." B-name [arrayIndices]}
    bool identifier() {
        do {
            if (!(rest_.starts_with('\'') ? q_name() : b_name())) return false;
            if (rest_.starts_with('[') && !array_indices()) return false;
        } while (eat('.'));
        return true;
    }

    bool b_name() {
        if (rest_.empty() || !is_nondigit(rest_.front())) return false;
        while (!rest_.empty() && (is_nondigit(rest_.front()) || is_digit(rest_.front())))
            rest_.remove_prefix(1);
        return true;
    }

    /// Any characters between apostrophes; a backslash escapes the next one.
    bool q_name() {
        rest_.remove_prefix(1);
        bool has_characters = false;
        while (!rest_.empty() && rest_.front() != '\'') {
            rest_.remove_prefix(rest_.front() == '\\' && rest_.size() > 1 ? 2 : 1);
            has_characters = true;
        }
        return has_characters && eat('\'');
    }

    /// "[" unsignedInteger {"," unsignedInteger} "]"
    bool array_indices() {
        rest_.remove_prefix(1);
        do {
            while (eat(' ')) {
            }
            if (!unsigned_integer()) return false;
        } while (eat(','));
        return eat(']');
    }

    bool unsigned_integer() {
        if (rest_.empty() || !is_digit(rest_.front())) return false;
        while (!rest_.empty() && is_digit(rest_.front())) rest_.remove_prefix(1);
        return true;
    }

    bool eat(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    std::string_view rest_;
};

} // namespace

bool is_structured_name(std::string_view name) { return NameParser(name).name(); }

bool is_c_name(std::string_view name) {
    if (name.empty() || !is_nondigit(name.front())) return false;
    for (const char c : name)
        if (!is_nondigit(c) && !is_digit(c)) return false;
    return true;
}

} // namespace rubato::unit
