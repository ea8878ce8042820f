// SPDX-License-Identifier: Apache-2.0
#include "tree.hpp"

#include <rubato/private/format.hpp>

#include <utility>

namespace rubato::scenario::formats {

Location Reporter::locate(Mark mark) const {
    const std::string& name = sources_.at(mark.source);
    if (mark.source != 0) return {name, 0, 0};
    return {name, mark.line, mark.column};
}

void Reporter::error(Mark mark, std::string message, std::string hint) {
    diagnostics_.error(locate(mark), std::move(message), std::move(hint));
}

std::string describe(const Node& node) {
    switch (node.kind) {
    case Kind::null: return "nothing";
    case Kind::sequence: return "a list";
    case Kind::map: return "a map";
    case Kind::scalar: break;
    }
    constexpr std::size_t longest = 60;
    if (node.text.size() <= longest) return format("\"{}\"", node.text);
    return format("\"{}…\"", std::string_view(node.text).substr(0, longest));
}

} // namespace rubato::scenario::formats
