// SPDX-License-Identifier: Apache-2.0
#include "statements.hpp"

#include "tree_values.hpp"

#include <utility>

namespace rubato::scenario::formats {

namespace {

constexpr std::string_view example = "a statement is one operation, such as {get: unit.output}";

/// The one entry that names the operation. Null: there is none or more, which has been reported.
const Entry* find_operation(Reporter& reporter, const Node& node) {
    std::vector<const Entry*> operations;
    for (const Entry& entry : node.entries) {
        if (find_word<Operation>(entry.key)) operations.push_back(&entry);
    }
    if (operations.size() == 1) return operations.front();
    if (operations.empty()) {
        const bool has_key = !node.entries.empty();
        reporter.error(
            node.mark,
            has_key ? format("\"{}\" is no operation", node.entries.front().key)
                    : "a statement is empty",
            has_key ? suggest(node.entries.front().key, word_list<Operation>(), "the operations")
                    : std::string(example));
        return nullptr;
    }
    reporter.error(operations[1]->mark,
                   format("a statement holds two operations: {} and {}", operations[0]->key,
                          operations[1]->key),
                   "separate statements by a comma or a new line");
    return nullptr;
}

void read_loop(Reporter& reporter, const std::string& path, const Node& node, WrittenOp& op) {
    MapReader map(reporter, path, node);
    op.until_converged = map.read<std::vector<std::string>>("until-converged");
    op.until_step_accept = map.read<std::vector<std::string>>("until-step-accept");
    if (const Entry* iterate = map.find("iterate")) {
        op.iterate = read_statements(reporter, map.path_of("iterate"), iterate->value);
    }
    if (const Entry* retry = map.find("if-retry-needed")) {
        op.if_retry_needed =
            read_statements(reporter, map.path_of("if-retry-needed"), retry->value);
    }
    map.report_unknown_keys();
}

void read_branches(Reporter& reporter, const std::string& path, const Node& node, WrittenOp& op) {
    for (const Node& branch : items_of(reporter, path, node)) {
        op.branches.push_back(read_statements(reporter, "an item of " + path, branch));
    }
}

std::optional<WrittenOp> read_statement(Reporter& reporter, const std::string& path,
                                        const Node& node) {
    if (node.kind != Kind::map) {
        reporter.error(node.mark, format("an item of {} cannot be {}", path, describe(node)),
                       std::string(example));
        return std::nullopt;
    }
    const Entry* operation = find_operation(reporter, node);
    if (!operation) return std::nullopt;
    WrittenOp op;
    op.operation = *find_word<Operation>(operation->key);
    op.where = reporter.locate(operation->mark);
    MapReader map(reporter, operation->key, node);
    map.find(operation->key);
    if (op.operation == Operation::loop) {
        read_loop(reporter, "loop", operation->value, op);
    } else if (op.operation == Operation::parallel) {
        read_branches(reporter, "parallel", operation->value, op);
    } else {
        op.object = map.read<std::string>(operation->key).value_or("");
    }
    if (op.operation == Operation::step) {
        op.by = map.read<int>("by");
        op.by_same_as = map.read<std::string>("by-same-as");
    }
    map.report_unknown_keys();
    return op;
}

} // namespace

std::vector<WrittenOp> read_statements(Reporter& reporter, const std::string& path,
                                       const Node& node) {
    std::vector<WrittenOp> ops;
    for (const Node& item : items_of(reporter, path, node)) {
        if (auto op = read_statement(reporter, path, item)) ops.push_back(std::move(*op));
    }
    return ops;
}

std::vector<WrittenProcedure> read_procedures(Reporter& reporter, const std::string& path,
                                              const Node& node) {
    std::vector<WrittenProcedure> procedures;
    for (const Entry* entry : entries_of(reporter, path, node)) {
        procedures.push_back({entry->key,
                              read_statements(reporter, path + "." + entry->key, entry->value),
                              reporter.locate(entry->mark)});
    }
    return procedures;
}

WrittenProcedure read_unnamed_procedure(Reporter& reporter, const std::string& path,
                                        const Entry& entry, std::string_view name) {
    return {std::string(name), read_statements(reporter, path, entry.value),
            reporter.locate(entry.mark)};
}

} // namespace rubato::scenario::formats
