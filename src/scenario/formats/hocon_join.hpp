// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hocon_cursor.hpp"
#include "tree.hpp"

#include <vector>

namespace rubato::scenario::formats {

inline Node make_node(Kind kind, Mark mark) {
    Node node;
    node.kind = kind;
    node.mark = mark;
    return node;
}

/// Maps under the same key become one; otherwise the later value wins. The place of a key in its
/// map is where it occurs first.
std::vector<Entry> merged(std::vector<Entry> entries);

/// Joins what stands side by side: `"a.y" -> b.u`, `{…} {…}`, `[…] […]`.
class Concatenation {
public:
    explicit Concatenation(Mark mark) : whole_(make_node(Kind::null, mark)) {}

    void add_text(std::string_view text, bool quoted);
    void add(Node node);

    bool is_empty() const { return whole_.kind == Kind::null; }
    bool is_text() const { return whole_.kind == Kind::scalar; }
    /// Whether it is, so far, just this text without quotes.
    bool is(std::string_view text) const { return !whole_.quoted && whole_.text == text; }

    Node take();

private:
    void become(Kind kind);

    Node whole_;
    std::size_t kept_ = 0; ///< so much of the text ends in quotes: blanks there count
    int parts_ = 0;
};

} // namespace rubato::scenario::formats
