// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario::formats {

/// Where a node was written. Sources are the file (0) and the overrides (1, 2, …).
struct Mark {
    std::uint32_t source = 0;
    int line = 0; ///< counts from 1; 0: unknown
    int column = 0;
};

/// Collects problems and knows what the sources are called.
class Reporter {
public:
    Reporter(std::vector<std::string> sources, Diagnostics& diagnostics)
        : sources_(std::move(sources)), diagnostics_(diagnostics) {}

    /// Overrides are one line each: they are named without it.
    Location locate(Mark mark) const;
    void error(Mark mark, std::string message, std::string hint = {});

private:
    std::vector<std::string> sources_;
    Diagnostics& diagnostics_;
};

enum class Kind : std::uint8_t { null, scalar, sequence, map };

struct Entry;

/// A YAML or HOCON document as plain values. Of YAML, keys keep their place and their order, also
/// when they occur twice, and aliases have been replaced by what they stand for; of HOCON, keys
/// that occur twice have been merged.
struct Node {
    Kind kind = Kind::null;
    bool quoted = false;  ///< a scalar that says that it is text
    bool is_path = false; ///< a map that only leads to the setting of an override
    Mark mark;
    std::string text;           ///< of a scalar
    std::vector<Node> items;    ///< of a sequence
    std::vector<Entry> entries; ///< of a map
};

struct Entry {
    std::string key;
    Mark mark; ///< of the key
    Node value;
};

/// What to call a node in a message: `"fast"`, `a list`, `a map`, `nothing`.
std::string describe(const Node& node);

} // namespace rubato::scenario::formats
