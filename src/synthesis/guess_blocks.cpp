// SPDX-License-Identifier: Apache-2.0
#include "guess_blocks.hpp"

#include <algorithm>
#include <map>

namespace rubato::synthesis {

using Block = ArcGraph::Block;
using Kind = Operation::Kind;
using Node = Graph::Node;

namespace {

/// A component by positions, without the edges that only bind steps together.
class Builder {
public:
    Builder(const OperationGraph& operations, const Component& component, ArcGraph& graph)
        : operations_(operations), component_(component), graph_(graph), needs_(component.size()),
          needed_by_(component.size()), block_of_(component.size()) {
        for (Node n = 0; n < component.size(); ++n) {
            for (const Node next : operations.graph.successors(component[n])) {
                const auto to = position(next);
                if (!to || operations.binds(component[n], next)) continue;
                if (operations.source_of[next] == component[n]) continue;
                needed_by_[n].push_back(*to);
                needs_[*to].push_back(n);
            }
        }
        add_blocks();
    }

    std::optional<Node> source(Node n) const {
        const auto source = operations_.source_of[component_[n]];
        return source ? position(*source) : std::nullopt;
    }

    Block block_of(Node n) const { return *block_of_[n]; }

    /// That a step needs, and so all that comes after it, comes no later than the step.
    std::vector<Block> blocks_that_need(Node input) const {
        std::vector<Block> blocks;
        for (const Node n : needed_by_[input]) {
            if (kind(n) == Kind::step) return {block_of(n)};
            blocks.push_back(block_of(n));
        }
        std::ranges::sort(blocks);
        blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
        return blocks;
    }

private:
    Kind kind(Node n) const { return operations_.operations[component_[n]].kind; }

    std::optional<Node> position(Node node) const {
        const auto found = std::ranges::lower_bound(component_, node);
        if (found == component_.end() || *found != node) return std::nullopt;
        return static_cast<Node>(found - component_.begin());
    }

    /// Steps come first in a component.
    void add_blocks() {
        for (Node n = 0; n < component_.size(); ++n) {
            if (kind(n) == Kind::step) block_of_[n] = graph_.add_block();
            if (kind(n) == Kind::get) block_of_[n] = block_of_get(n);
        }
    }

    Block block_of_get(Node get) {
        std::optional<Node> step;
        for (const Node n : needs_[get]) {
            if (kind(n) == Kind::step) step = n;
        }
        std::vector<Node> further;
        for (const Node n : needs_[get]) {
            const bool step_needs_it =
                step && std::ranges::find(needed_by_[n], *step) != needed_by_[n].end();
            if (n != step && !step_needs_it) further.push_back(n);
        }
        if (step && further.empty()) return block_of(*step);
        const UnitId unit = operations_.operations[component_[get]].unit;
        const auto [found, is_new] = alike_.try_emplace({unit, std::move(further)});
        if (is_new) {
            found->second = graph_.add_block(step ? std::optional(block_of(*step)) : std::nullopt);
        }
        return found->second;
    }

    const OperationGraph& operations_;
    const Component& component_;
    ArcGraph& graph_;
    std::vector<std::vector<Node>> needs_, needed_by_; ///< by position: within a unit
    std::vector<std::optional<Block>> block_of_;       ///< by position, of steps and gets
    std::map<std::pair<UnitId, std::vector<Node>>, Block> alike_;
};

} // namespace

GuessBlocks::GuessBlocks(const OperationGraph& operations, const Component& component,
                         const std::vector<bool>& guessed, const std::vector<bool>& delayed) {
    constexpr std::int64_t guess = 1 << 20;
    const Builder builder(operations, component, graph);
    for (Node n = 0; n < component.size(); ++n) {
        const auto source = builder.source(n);
        if (!source || guessed[n]) continue;
        graph.add_arc(builder.block_of(*source), builder.blocks_that_need(n),
                      guess + (delayed[n] ? 1 : 0));
        inputs.push_back(n);
    }
}

} // namespace rubato::synthesis
