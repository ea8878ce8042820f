// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Which arcs of a graph to break so that the rest has no cycle: the feedback arc set.
namespace rubato::synthesis {

/// Blocks to be put into an order, and arcs between them. An arc is kept by an order in which its
/// start comes before all its targets, else broken.
class ArcGraph {
public:
    using Block = std::uint32_t;
    using Arc = std::uint32_t;

    /// A block that comes after another one in every order, or after none.
    Block add_block(std::optional<Block> after = {});
    /// Targets: at least one.
    void add_arc(Block from, std::vector<Block> targets, std::int64_t weight);

    std::size_t blocks() const { return after_.size(); }
    std::size_t arcs() const { return from_.size(); }
    Block from(Arc arc) const { return from_[arc]; }
    std::span<const Block> targets(Arc arc) const { return targets_[arc]; }
    std::int64_t weight(Arc arc) const { return weight_[arc]; }
    std::span<const Arc> out(Block block) const { return out_[block]; }
    std::span<const Arc> in(Block block) const { return in_[block]; }
    std::optional<Block> after(Block block) const { return after_[block]; }
    std::span<const Block> followers(Block block) const { return followers_[block]; }
    /// From a block to itself: broken in any case.
    bool is_self_arc(Arc arc) const;

private:
    std::vector<Block> from_;                   ///< by arc
    std::vector<std::vector<Block>> targets_;   ///< by arc
    std::vector<std::int64_t> weight_;          ///< by arc
    std::vector<std::vector<Arc>> out_, in_;    ///< by block
    std::vector<std::optional<Block>> after_;   ///< by block
    std::vector<std::vector<Block>> followers_; ///< by block
};

using BlockOrder = std::vector<ArcGraph::Block>;

/// Eades, Lin and Smyth 1993: blocks without arcs from those left go to the front, blocks without
/// arcs to those left to the back; if there are neither, the block goes to the front that gains
/// most by it. Near-linear.
BlockOrder greedy_order(const ArcGraph& graph);

/// Moves one block after the other to where the broken arcs weigh least, until no move helps or
/// enough has been tried.
void improve(const ArcGraph& graph, BlockOrder& order);

/// By arc.
std::vector<bool> broken_arcs(const ArcGraph& graph, const BlockOrder& order);

/// A number of cycles that have no arc in common: no fewer arcs can be broken.
std::size_t disjoint_cycles(const ArcGraph& graph);

} // namespace rubato::synthesis
