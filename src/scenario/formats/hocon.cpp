// SPDX-License-Identifier: Apache-2.0
#include "hocon.hpp"

#include "hocon_cursor.hpp"
#include "hocon_join.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <utility>

namespace rubato::scenario::formats {

namespace {

constexpr std::size_t max_depth = 100;
/// One mistake can look like many: after so many the rest is left unread.
constexpr int max_errors = 20;

struct GiveUp {};

class Parser {
public:
    Parser(std::string_view text, Reporter& reporter) : cursor_(text), reporter_(reporter) {}

    std::optional<Node> parse() {
        if (cursor_.starts_with("\xEF\xBB\xBF")) cursor_.advance(3);
        cursor_.skip_space();
        Node root = make_node(Kind::map, cursor_.mark());
        try {
            if (cursor_.peek() == '{') {
                root = parse_map();
                cursor_.skip_space();
            }
            if (!cursor_.at_end()) {
                auto rest = parse_entries();
                std::ranges::move(rest, std::back_inserter(root.entries));
                root.entries = merged(std::move(root.entries));
            }
        } catch (const GiveUp&) {
        }
        if (errors_ > 0) return std::nullopt;
        return root;
    }

private:
    struct Bracket {
        char open;
        Mark mark;
    };

    static char closer_of(char open) { return open == '{' ? '}' : ']'; }

    // -- errors ----------------------------------------------------------------------------------

    void report(const HoconError& error) {
        reporter_.error(error.mark,
                        format("not valid HOCON: {} (column {})", error.message, error.mark.column),
                        error.hint);
        if (++errors_ == max_errors) throw GiveUp{};
    }

    [[noreturn]] void fail(std::string message, std::string hint = {}) const {
        throw HoconError{cursor_.mark(), std::move(message), std::move(hint)};
    }

    std::string found() const {
        if (cursor_.at_line_end()) return "the end of the line";
        return format("{:?}", std::string(1, cursor_.peek()));
    }

    /// To where the next element may begin.
    void skip_element() {
        int depth = 0;
        while (!cursor_.at_line_end() && !cursor_.at_comment()) {
            const char c = cursor_.peek();
            if (depth == 0 && (c == ',' || c == '}' || c == ']')) return;
            if (c == '{' || c == '[') ++depth;
            if (c == '}' || c == ']') --depth;
            cursor_.advance();
        }
    }

    // -- containers ------------------------------------------------------------------------------

    void open() {
        if (open_.size() == max_depth) {
            report({cursor_.mark(), format("more than {} brackets are open", max_depth), {}});
            throw GiveUp{};
        }
        open_.push_back({cursor_.peek(), cursor_.mark()});
        cursor_.advance();
    }

    /// Whether the innermost container ends here. A bracket that does not fit is reported: it ends
    /// the container if it fits one further out.
    bool ends_here() {
        while (true) {
            if (cursor_.at_end()) {
                if (!open_.empty() && !std::exchange(is_cut_off_, true)) {
                    report({open_.back().mark,
                            format("this {} is never closed", open_.back().open),
                            {}});
                }
                return true;
            }
            const char c = cursor_.peek();
            if (c != '}' && c != ']') return false;
            if (!open_.empty() && c == closer_of(open_.back().open)) {
                cursor_.advance();
                return true;
            }
            const bool fits_outside = std::ranges::any_of(
                open_, [&](const Bracket& b) { return closer_of(b.open) == c; });
            if (fits_outside) {
                report({cursor_.mark(),
                        format("this {} comes before the {} of line {} is closed", c,
                               open_.back().open, open_.back().mark.line),
                        {}});
                return true;
            }
            report({cursor_.mark(), format("this {} closes nothing", c), "remove it"});
            cursor_.advance();
            cursor_.skip_space();
        }
    }

    /// Elements up to the bracket that closes the innermost container, or the end of the text.
    template <class ParseElement>
    void parse_elements(ParseElement parse_element) {
        bool is_separated = true;
        for (cursor_.skip_space(); !ends_here();) {
            try {
                if (cursor_.peek() == ',') fail("a comma with nothing before it");
                if (!is_separated) fail("a comma or a new line is missing before this");
                parse_element();
            } catch (const HoconError& error) {
                report(error);
                skip_element();
            }
            is_separated = cursor_.skip_space();
            if (cursor_.peek() != ',') continue;
            cursor_.advance();
            cursor_.skip_space();
            is_separated = true;
        }
    }

    std::vector<Entry> parse_entries() {
        std::vector<Entry> entries;
        parse_elements([&] { entries.push_back(parse_entry()); });
        return merged(std::move(entries));
    }

    Node parse_map() {
        Node node = make_node(Kind::map, cursor_.mark());
        open();
        node.entries = parse_entries();
        open_.pop_back();
        return node;
    }

    Node parse_list() {
        Node node = make_node(Kind::sequence, cursor_.mark());
        open();
        parse_elements([&] { node.items.push_back(parse_value()); });
        open_.pop_back();
        return node;
    }

    // -- entries ---------------------------------------------------------------------------------

    Entry parse_entry() {
        const Mark mark = cursor_.mark();
        std::vector<std::string> path = parse_key();
        cursor_.skip_space();
        if (cursor_.starts_with("+=")) fail("+= cannot be used here", "write the whole list");
        const bool is_separated = cursor_.peek() == '=' || cursor_.peek() == ':';
        if (is_separated) {
            cursor_.advance();
            cursor_.skip_space();
        } else if (cursor_.peek() != '{') {
            throw HoconError{mark, format("the key \"{}\" is not followed by = or :", path.back()),
                             "a text that contains blanks needs no quotes, one with other signs "
                             "does"};
        }
        Node value = parse_value();
        for (; path.size() > 1; path.pop_back()) {
            Node outer = make_node(Kind::map, mark);
            outer.entries.push_back({std::move(path.back()), mark, std::move(value)});
            value = std::move(outer);
        }
        return {std::move(path.front()), mark, std::move(value)};
    }

    /// `a.b` is two keys, `"a.b"` is one.
    std::vector<std::string> parse_key() {
        const Mark mark = cursor_.mark();
        std::vector<std::string> path;
        Concatenation segment(mark);
        const auto end_segment = [&] {
            if (segment.is_empty()) throw HoconError{mark, "a key or part of a key is missing", {}};
            path.push_back(segment_text(segment));
            segment = Concatenation(mark);
            if (path.size() > max_depth) throw HoconError{mark, "this key has too many dots", {}};
        };
        while (!cursor_.at_line_end() && !cursor_.at_comment()) {
            const char c = cursor_.peek();
            if (c == '.') {
                end_segment();
                cursor_.advance();
            } else if (c == '"') {
                segment.add_text(read_quoted(cursor_), true);
            } else if (is_unquoted(c) || is_blank_inside(segment)) {
                segment.add_text({&c, 1}, false);
                cursor_.advance();
            } else {
                break;
            }
            refuse_include(path, segment);
        }
        if (segment.is_empty() && path.empty()) {
            fail(format("a key must stand here, not {}", found()));
        }
        end_segment();
        return path;
    }

    bool is_blank_inside(const Concatenation& segment) const {
        const char c = cursor_.peek();
        return (c == ' ' || c == '\t' || c == '\r') && !segment.is_empty();
    }

    static std::string segment_text(Concatenation& segment) {
        Node node = segment.take();
        return node.kind == Kind::null ? "null" : std::move(node.text);
    }

    void refuse_include(const std::vector<std::string>& path, const Concatenation& segment) const {
        if (path.empty() && segment.is("include ")) {
            fail("include cannot be used here", "put the contents of the file in its place");
        }
    }

    // -- values ----------------------------------------------------------------------------------

    Node parse_value() {
        Concatenation value(cursor_.mark());
        while (!cursor_.at_line_end() && !cursor_.at_comment()) {
            const char c = cursor_.peek();
            if (c == ',' || c == '}' || c == ']') break;
            if (c == '{') {
                value.add(parse_map());
            } else if (c == '[') {
                value.add(parse_list());
            } else if (c == '"') {
                value.add_text(read_quoted(cursor_), true);
            } else if (c == ' ' || c == '\t' || c == '\r') {
                if (value.is_text()) value.add_text({&c, 1}, false);
                cursor_.advance();
            } else {
                parse_unquoted(value);
            }
        }
        if (value.is_empty()) fail(format("a value is missing before {}", found()));
        return value.take();
    }

    void parse_unquoted(Concatenation& value) {
        const char c = cursor_.peek();
        if (c == '$') fail("substitutions such as ${name} cannot be used here", "write the value");
        // HOCON forbids + in texts, but not in numbers such as 1e+5.
        if (!is_unquoted(c) && c != '+') {
            fail(format("{} cannot stand here", found()), "put the text in quotes");
        }
        value.add_text({&c, 1}, false);
        cursor_.advance();
    }

    Cursor cursor_;
    Reporter& reporter_;
    std::vector<Bracket> open_;
    int errors_ = 0;
    bool is_cut_off_ = false; ///< the text has ended before its brackets were closed
};

} // namespace

std::optional<Node> parse_hocon(std::string_view text, Reporter& reporter) {
    return Parser(text, reporter).parse();
}

} // namespace rubato::scenario::formats
