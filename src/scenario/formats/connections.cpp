// SPDX-License-Identifier: Apache-2.0
#include "connections.hpp"

#include "tree_values.hpp"

#include <utility>

namespace rubato::scenario::formats {

namespace {

/// The place of the one arrow. Names may contain an arrow without blanks around it, so one with
/// blanks goes first.
std::optional<std::pair<std::size_t, std::size_t>> find_arrow(std::string_view text) {
    for (const std::string_view arrow : {" -> ", "->"}) {
        const std::size_t at = text.find(arrow);
        if (at == std::string_view::npos) continue;
        if (text.find(arrow, at + arrow.size()) != std::string_view::npos) return std::nullopt;
        return std::pair{at, arrow.size()};
    }
    return std::nullopt;
}

std::optional<Connection> parse_connection(Reporter& reporter, Mark mark, std::string_view text) {
    const auto arrow = find_arrow(text);
    const auto from = arrow ? split_port_name(text.substr(0, arrow->first)) : std::nullopt;
    const auto to =
        arrow ? split_port_name(text.substr(arrow->first + arrow->second)) : std::nullopt;
    if (!from || !to) {
        reporter.error(mark, format("\"{}\" is not a connection", text),
                       "write unit.output -> unit.input");
        return std::nullopt;
    }
    Connection connection;
    connection.from_unit = from->unit;
    connection.from_port = from->port;
    connection.to_unit = to->unit;
    connection.to_port = to->port;
    connection.where = reporter.locate(mark);
    return connection;
}

/// `true` and `false` are about units of measure, words about the kind of value.
void read_conversion(Reporter& reporter, MapReader& map, Connection& connection) {
    const Entry* entry = map.find("convert");
    const Entry* threshold = map.find("threshold");
    if (const auto value = map.read<double>("threshold")) {
        connection.threshold = *value;
        connection.to_type = TypeConversion::threshold;
    }
    const bool is_word = entry && entry->value.kind == Kind::scalar &&
                         entry->value.text != "true" && entry->value.text != "false";
    if (!is_word) {
        const auto between_measures = map.read<bool>("convert");
        if (!connection.to_type) connection.convert = between_measures.value_or(true);
        return;
    }
    const auto word = map.read<TypeConversion>("convert");
    if (!word) return;
    if ((*word == TypeConversion::threshold) != (threshold != nullptr)) {
        reporter.error(entry->mark,
                       threshold ? format("{} has a threshold, but converts by {}",
                                          map.path_of("convert"), to_string(*word))
                                 : format("{} lacks its threshold", map.path_of("convert")),
                       "write {convert: threshold, threshold: 0.5}: true is what exceeds 0.5");
    }
    connection.to_type = word;
}

std::optional<Connection> read_scaled_connection(Reporter& reporter, const Node& node) {
    if (node.entries.size() != 1) {
        reporter.error(node.mark, format("an item of connections has {} keys", node.entries.size()),
                       "write one connection per item: - a.y -> b.u: {factor: 2, offset: 1}");
        return std::nullopt;
    }
    const Entry& entry = node.entries.front();
    auto connection = parse_connection(reporter, entry.mark, entry.key);
    MapReader map(reporter, format("connection {}", entry.key), entry.value);
    const auto factor = map.read<double>("factor");
    const auto offset = map.read<double>("offset");
    Connection settings;
    read_conversion(reporter, map, settings);
    map.report_unknown_keys();
    if (!connection) return std::nullopt;
    connection->factor = factor.value_or(1);
    connection->offset = offset.value_or(0);
    connection->convert = settings.convert;
    connection->to_type = settings.to_type;
    connection->threshold = settings.threshold;
    return connection;
}

std::optional<Connection> read_connection(Reporter& reporter, const Node& node) {
    if (node.kind == Kind::scalar) return parse_connection(reporter, node.mark, node.text);
    if (node.kind == Kind::map) return read_scaled_connection(reporter, node);
    reporter.error(node.mark, format("an item of connections cannot be {}", describe(node)),
                   "write unit.output -> unit.input");
    return std::nullopt;
}

} // namespace

std::vector<Connection> read_connections(Reporter& reporter, const Node& node) {
    std::vector<Connection> connections;
    for (const Node& item : items_of(reporter, "connections", node)) {
        if (auto connection = read_connection(reporter, item)) {
            connections.push_back(std::move(*connection));
        }
    }
    return connections;
}

std::optional<Connection> read_plain_connection(Reporter& reporter, const std::string& path,
                                                const Node& node) {
    const auto text = read_as<std::string>(reporter, path, node);
    return text ? parse_connection(reporter, node.mark, *text) : std::nullopt;
}

std::vector<Connection> read_plain_connections(Reporter& reporter, const std::string& path,
                                               const Node& node) {
    std::vector<Connection> connections;
    for (const Node& item : items_of(reporter, path, node)) {
        if (auto connection = read_plain_connection(reporter, "an item of " + path, item))
            connections.push_back(std::move(*connection));
    }
    return connections;
}

} // namespace rubato::scenario::formats
