// SPDX-License-Identifier: Apache-2.0
#include "yaml_tree.hpp"

#include <rubato/private/format.hpp>

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <streambuf>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace rubato::scenario::formats {

namespace {

/// How many nodes anchors and aliases may copy: a few lines of nested aliases can stand for more
/// than any memory holds.
constexpr std::size_t max_copied_nodes = 1'000'000;

/// How many brackets may be open at once. yaml-cpp refuses to nest deeper than some hundreds, but
/// only after it has taken in all of them. Brackets in comments count here too, hence so many.
constexpr int max_open_brackets = 100'000;

/// Merges other maps into one.
constexpr std::string_view merge_key = "<<";

struct SyntaxError {
    Mark mark;
    std::string message;
    std::string hint;
};

std::size_t count_nodes(const Node& node) {
    std::size_t count = 1;
    for (const Node& item : node.items) count += count_nodes(item);
    for (const Entry& entry : node.entries) count += 1 + count_nodes(entry.value);
    return count;
}

/// Makes a Node of the parser's events.
class Builder final : public YAML::EventHandler {
public:
    explicit Builder(std::uint32_t source) : source_(source) { root_.mark.source = source; }

    Node take_root() { return std::move(root_); }
    Mark at(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(make(Kind::null, mark), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) {
            throw SyntaxError{at(mark), "an alias stands inside what it refers to", {}};
        }
        Node copy = copied(found->second, at(mark));
        copy.mark = at(mark);
        add(std::move(copy), YAML::NullAnchor);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& text) override {
        const bool is_text = tag == "!" || tag == "tag:yaml.org,2002:str";
        if (!is_text) refuse_tag(mark, tag);
        Node node = make(Kind::scalar, mark);
        node.text = text;
        node.quoted = is_text;
        add(std::move(node), anchor);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        refuse_tag(mark, tag);
        open_.push_back({make(Kind::sequence, mark), anchor, std::nullopt});
    }
    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        refuse_tag(mark, tag);
        open_.push_back({make(Kind::map, mark), anchor, std::nullopt});
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        Node node;
        YAML::anchor_t anchor;
        std::optional<Entry> entry; ///< of a map: its key is read, its value not yet
    };

    Node make(Kind kind, const YAML::Mark& mark) const {
        Node node;
        node.kind = kind;
        node.mark = at(mark);
        return node;
    }

    void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
        if (tag.empty() || tag == "?") return;
        throw SyntaxError{at(mark), format("the tag {} has no meaning here", tag), "leave it out"};
    }

    Node copied(const Node& node, Mark mark) {
        copied_nodes_ += count_nodes(node);
        if (copied_nodes_ > max_copied_nodes) {
            throw SyntaxError{
                mark, format("anchors and aliases stand for more than {} nodes", max_copied_nodes),
                "write out what is meant"};
        }
        return node;
    }

    void close() {
        Open closed = std::move(open_.back());
        open_.pop_back();
        if (closed.node.kind == Kind::map) merge(closed.node);
        add(std::move(closed.node), closed.anchor);
    }

    /// `<<: *base` stands for the entries of base that the map does not have itself; of a list of
    /// maps the earlier ones count more (yaml.org/type/merge.html).
    static void merge(Node& map) {
        const auto is_merge = [](const Entry& entry) { return entry.key == merge_key; };
        std::vector<Entry> merges;
        std::ranges::copy_if(map.entries, std::back_inserter(merges), is_merge);
        if (merges.empty()) return;
        std::erase_if(map.entries, is_merge);
        std::unordered_set<std::string> known;
        for (const Entry& entry : map.entries) known.insert(entry.key);
        for (Entry& entry : merges) {
            if (entry.value.kind != Kind::sequence) merge_entries(entry.value, known, map);
            for (Node& source : entry.value.items) merge_entries(source, known, map);
        }
    }

    static void merge_entries(Node& source, std::unordered_set<std::string>& known, Node& map) {
        if (source.kind != Kind::map) {
            throw SyntaxError{
                source.mark,
                format("{} takes a map or a list of maps, not {}", merge_key, describe(source)),
                "write <<: *anchor, where &anchor marks a map"};
        }
        for (Entry& entry : source.entries)
            if (known.insert(entry.key).second) map.entries.push_back(std::move(entry));
    }

    void add(Node node, YAML::anchor_t anchor) {
        if (anchor != YAML::NullAnchor) anchors_[anchor] = copied(node, node.mark);
        if (open_.empty()) {
            root_ = std::move(node);
            return;
        }
        Open& parent = open_.back();
        if (parent.node.kind == Kind::sequence) {
            parent.node.items.push_back(std::move(node));
        } else if (parent.entry) {
            parent.entry->value = std::move(node);
            parent.node.entries.push_back(std::move(*parent.entry));
            parent.entry.reset();
        } else {
            parent.entry = entry_for(std::move(node));
        }
    }

    static Entry entry_for(Node key) {
        if (key.kind != Kind::scalar) {
            throw SyntaxError{key.mark, format("a key must be a word, not {}", describe(key)),
                              "a key such as null or ~ needs quotes"};
        }
        return {std::move(key.text), key.mark, {}};
    }

    std::uint32_t source_;
    Node root_;
    std::vector<Open> open_;
    std::unordered_map<YAML::anchor_t, Node> anchors_;
    std::size_t copied_nodes_ = 0;
};

/// Reads a text where it stands.
class TextBuffer final : public std::streambuf {
public:
    explicit TextBuffer(std::string_view text) {
        char* begin = const_cast<char*>(text.data()); // streambuf wants it so; nothing writes
        setg(begin, begin, begin + text.size());
    }
};

void refuse_endless_nesting(std::string_view text, std::uint32_t source) {
    int open = 0;
    int line = 1;
    for (const char c : text) {
        if (c == '\n') ++line;
        if (c == '[' || c == '{') ++open;
        if ((c == ']' || c == '}') && open > 0) --open;
        if (open <= max_open_brackets) continue;
        throw SyntaxError{{source, line, 0},
                          format("more than {} brackets are open here", max_open_brackets),
                          "close them"};
    }
}

Node parse(std::istream& stream, Builder& builder) {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return builder.take_root();
    Node root = builder.take_root();
    if (parser.HandleNextDocument(builder)) {
        throw SyntaxError{builder.take_root().mark, "a second document begins here",
                          "a file holds one scenario: remove the line ---"};
    }
    return root;
}

} // namespace

std::optional<Node> parse_yaml_tree(std::string_view text, std::uint32_t source,
                                    Reporter& reporter) {
    Builder builder(source);
    try {
        refuse_endless_nesting(text, source);
        TextBuffer buffer(text);
        std::istream stream(&buffer);
        return parse(stream, builder);
    } catch (const SyntaxError& error) {
        reporter.error(error.mark, error.message, error.hint);
    } catch (const YAML::DeepRecursion& error) {
        reporter.error(builder.at(error.mark), "lists and maps are nested too deeply");
    } catch (const YAML::Exception& error) {
        const Mark mark = builder.at(error.mark);
        reporter.error(mark, format("not valid YAML: {} (column {})", error.msg, mark.column),
                       "check indentation, colons, quotes and brackets up to here");
    }
    return std::nullopt;
}

} // namespace rubato::scenario::formats
