// SPDX-License-Identifier: Apache-2.0
#include "feedback.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <queue>
#include <utility>

namespace rubato::synthesis {

using Arc = ArcGraph::Arc;
using Block = ArcGraph::Block;

Block ArcGraph::add_block(std::optional<Block> after) {
    const auto block = static_cast<Block>(after_.size());
    after_.push_back(after);
    out_.emplace_back();
    in_.emplace_back();
    followers_.emplace_back();
    if (after) followers_[*after].push_back(block);
    return block;
}

void ArcGraph::add_arc(Block from, std::vector<Block> targets, std::int64_t weight) {
    const auto arc = static_cast<Arc>(from_.size());
    from_.push_back(from);
    weight_.push_back(weight);
    out_[from].push_back(arc);
    for (const Block target : targets) in_[target].push_back(arc);
    targets_.push_back(std::move(targets));
}

bool ArcGraph::is_self_arc(Arc arc) const {
    return std::ranges::find(targets_[arc], from_[arc]) != targets_[arc].end();
}

namespace {

class Greedy {
public:
    explicit Greedy(const ArcGraph& graph)
        : graph_(graph), out_(graph.blocks()), in_(graph.blocks()), is_placed_(graph.blocks()),
          followers_(graph.blocks()), targets_(graph.arcs()), is_settled_(graph.arcs()) {
        for (Arc arc = 0; arc < graph.arcs(); ++arc) {
            is_settled_[arc] = graph.is_self_arc(arc);
            if (is_settled_[arc]) continue;
            targets_[arc] = graph.targets(arc).size();
            out_[graph.from(arc)] += graph.weight(arc);
            for (const Block block : graph.targets(arc)) in_[block] += graph.weight(arc);
        }
        for (Block block = 0; block < graph.blocks(); ++block)
            followers_[block] = graph.followers(block).size();
        for (Block block = 0; block < graph.blocks(); ++block) note(block);
    }

    BlockOrder order() && {
        while (place_next()) {
        }
        front_.insert(front_.end(), back_.rbegin(), back_.rend());
        return std::move(front_);
    }

private:
    bool may_come_first(Block block) const {
        const auto after = graph_.after(block);
        return !is_placed_[block] && (!after || is_placed_[*after]);
    }
    bool may_come_last(Block block) const { return !is_placed_[block] && followers_[block] == 0; }

    /// What a block is good for has changed.
    void note(Block block) {
        if (may_come_last(block) && out_[block] == 0) {
            sinks_.push_back(block);
        } else if (may_come_first(block)) {
            if (in_[block] == 0)
                sources_.push_back(block);
            else
                gains_.push({out_[block] - in_[block], ~block});
        }
    }

    bool place_next() {
        while (!sinks_.empty()) {
            const Block block = sinks_.front();
            sinks_.pop_front();
            if (!may_come_last(block)) continue;
            place_last(block);
            return true;
        }
        while (!sources_.empty()) {
            const Block block = sources_.front();
            sources_.pop_front();
            if (!may_come_first(block)) continue;
            place_first(block);
            return true;
        }
        while (!gains_.empty()) {
            const auto [gain, inverted] = gains_.top();
            gains_.pop();
            const Block block = ~inverted;
            if (!may_come_first(block) || gain != out_[block] - in_[block]) continue;
            place_first(block);
            return true;
        }
        return false;
    }

    void place_first(Block block) {
        place(block, front_);
        for (const Arc arc : graph_.in(block)) settle(arc);
        for (const Arc arc : graph_.out(block)) settle(arc);
        for (const Block follower : graph_.followers(block)) note(follower);
    }

    void place_last(Block block) {
        place(block, back_);
        for (const Arc arc : graph_.in(block)) {
            if (!is_settled_[arc] && --targets_[arc] == 0) settle(arc);
        }
    }

    void place(Block block, BlockOrder& side) {
        side.push_back(block);
        is_placed_[block] = true;
        const auto after = graph_.after(block);
        if (!after) return;
        --followers_[*after];
        note(*after);
    }

    /// It is kept or broken, whatever comes.
    void settle(Arc arc) {
        if (std::exchange(is_settled_[arc], std::uint8_t{1}) != 0) return;
        out_[graph_.from(arc)] -= graph_.weight(arc);
        note(graph_.from(arc));
        for (const Block block : graph_.targets(arc)) {
            in_[block] -= graph_.weight(arc);
            note(block);
        }
    }

    const ArcGraph& graph_;
    std::vector<std::int64_t> out_, in_;   ///< by block: weight of the arcs that are not settled
    std::vector<std::uint8_t> is_placed_;  ///< by block
    std::vector<std::size_t> followers_;   ///< by block: not placed yet
    std::vector<std::size_t> targets_;     ///< by arc: not at the back yet
    std::vector<std::uint8_t> is_settled_; ///< by arc
    std::deque<Block> sources_, sinks_;
    std::priority_queue<std::pair<std::int64_t, Block>> gains_;
    BlockOrder front_, back_;
};

/// Blocks have places on a line, so that one can move without the others.
class Mover {
public:
    Mover(const ArcGraph& graph, BlockOrder& order)
        : graph_(graph), order_(order), place_(graph.blocks()) {}

    void run() {
        constexpr int most_passes = 50;
        for (int pass = 0; pass < most_passes && budget_ > 0; ++pass) {
            for (std::size_t n = 0; n < order_.size(); ++n)
                place_[order_[n]] = static_cast<double>(n);
            bool moved = false;
            for (Block block = 0; block < graph_.blocks() && budget_ > 0; ++block)
                moved = move(block) || moved;
            std::ranges::stable_sort(order_, {}, [&](Block block) { return place_[block]; });
            if (!moved) return;
        }
    }

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    /// Coming past a place changes what is broken.
    struct Change {
        double place;
        std::int64_t weight;
    };

    double first_target(Arc arc, Block without) {
        double first = infinity;
        for (const Block block : graph_.targets(arc)) {
            if (block != without) first = std::min(first, place_[block]);
        }
        budget_ -= static_cast<std::int64_t>(graph_.targets(arc).size());
        return first;
    }

    void collect_changes(Block block) {
        changes_.clear();
        for (const Arc arc : graph_.out(block)) {
            if (graph_.is_self_arc(arc)) continue;
            changes_.push_back({first_target(arc, block), graph_.weight(arc)});
        }
        for (const Arc arc : graph_.in(block)) {
            if (graph_.is_self_arc(arc)) continue;
            const double start = place_[graph_.from(arc)];
            if (start < first_target(arc, block)) changes_.push_back({start, -graph_.weight(arc)});
        }
        std::ranges::sort(changes_, {}, &Change::place);
    }

    std::pair<double, double> bounds(Block block) const {
        double low = -infinity, high = infinity;
        if (const auto after = graph_.after(block)) low = place_[*after];
        for (const Block follower : graph_.followers(block))
            high = std::min(high, place_[follower]);
        return {low, high};
    }

    static double between(double low, double high) {
        if (low == -infinity) return high == infinity ? 0 : high - 1;
        return high == infinity ? low + 1 : low + (high - low) / 2;
    }

    bool move(Block block) {
        collect_changes(block);
        const auto [low, high] = bounds(block);
        std::int64_t cost = 0, best = 0, present = 0;
        double best_place = place_[block];
        bool is_first = true;
        for (std::size_t n = 0; n <= changes_.size(); ++n) {
            const double from = std::max(low, n == 0 ? -infinity : changes_[n - 1].place);
            const double to = std::min(high, n == changes_.size() ? infinity : changes_[n].place);
            if (from < place_[block] && place_[block] < to) present = cost;
            if (from < to && (is_first || cost < best)) {
                const double place = between(from, to);
                if (from < place && place < to) {
                    best = cost;
                    best_place = place;
                    is_first = false;
                }
            }
            if (n < changes_.size()) cost += changes_[n].weight;
        }
        if (is_first || best >= present) return false;
        place_[block] = best_place;
        return true;
    }

    const ArcGraph& graph_;
    BlockOrder& order_;
    std::vector<double> place_; ///< by block
    std::vector<Change> changes_;
    std::int64_t budget_ = 100'000'000; ///< targets to look at
};

/// Takes cycles out of the graph as a depth-first search meets them.
class CyclePacking {
public:
    explicit CyclePacking(const ArcGraph& graph)
        : graph_(graph), is_used_(graph.arcs()), mark_(graph.blocks()), next_(graph.blocks()),
          entry_(graph.blocks()) {}

    std::size_t count() {
        for (Arc arc = 0; arc < graph_.arcs(); ++arc) {
            if (!graph_.is_self_arc(arc)) continue;
            is_used_[arc] = 1;
            ++cycles_;
        }
        for (Block block = 0; block < graph_.blocks(); ++block) take_pairs(block);
        for (Block block = 0; block < graph_.blocks(); ++block) search(block);
        return cycles_;
    }

private:
    enum class Mark : std::uint8_t { fresh, open, closed };

    /// Cycles of two arcs through a block.
    void take_pairs(Block block) {
        std::vector<std::pair<Block, Arc>> back;
        for (const Arc arc : graph_.in(block)) {
            if (!is_used_[arc]) back.push_back({graph_.from(arc), arc});
        }
        std::ranges::sort(back);
        for (const Arc arc : graph_.out(block)) {
            for (const Block target : graph_.targets(arc)) {
                if (is_used_[arc]) break;
                auto found = std::ranges::lower_bound(back, std::pair(target, Arc{0}));
                while (found != back.end() && found->first == target && is_used_[found->second])
                    ++found;
                if (found == back.end() || found->first != target) continue;
                is_used_[arc] = is_used_[found->second] = 1;
                ++cycles_;
            }
        }
    }

    /// A way on from a block: its followers first, over no arc, then the targets of its arcs.
    struct Way {
        Block to = 0;
        std::optional<Arc> arc;
    };

    std::optional<Way> next_way(Block block) {
        auto& [follower, arc, target] = next_[block];
        const auto followers = graph_.followers(block);
        if (follower < followers.size()) return Way{followers[follower++], {}};
        const auto out = graph_.out(block);
        for (; arc < out.size(); ++arc, target = 0) {
            const auto targets = graph_.targets(out[arc]);
            if (!is_used_[out[arc]] && target < targets.size())
                return Way{targets[target++], out[arc]};
        }
        return std::nullopt;
    }

    void search(Block root) {
        if (mark_[root] != Mark::fresh) return;
        std::vector<Block> stack{root};
        mark_[root] = Mark::open;
        while (!stack.empty()) {
            const Block block = stack.back();
            const auto way = next_way(block);
            if (!way) {
                mark_[block] = Mark::closed;
                stack.pop_back();
            } else if (mark_[way->to] == Mark::open) {
                take_cycle(stack, *way);
            } else if (mark_[way->to] == Mark::fresh) {
                mark_[way->to] = Mark::open;
                entry_[way->to] = way->arc;
                stack.push_back(way->to);
            }
        }
    }

    /// Those on it are searched anew, over what arcs they have left.
    void take_cycle(std::vector<Block>& stack, const Way& last) {
        use(stack.back(), last.arc);
        while (stack.back() != last.to) {
            const Block block = stack.back();
            mark_[block] = Mark::fresh;
            stack.pop_back();
            use(stack.back(), entry_[block]);
        }
        ++cycles_;
    }

    /// Over no arc one may go again.
    void use(Block from, std::optional<Arc> arc) {
        if (arc)
            is_used_[*arc] = 1;
        else
            --next_[from].follower;
    }

    struct Next {
        std::size_t follower = 0, arc = 0, target = 0;
    };

    const ArcGraph& graph_;
    std::vector<std::uint8_t> is_used_;     ///< by arc
    std::vector<Mark> mark_;                ///< by block
    std::vector<Next> next_;                ///< by block: where its ways go on
    std::vector<std::optional<Arc>> entry_; ///< by block: the arc it was reached over
    std::size_t cycles_ = 0;
};

} // namespace

BlockOrder greedy_order(const ArcGraph& graph) { return Greedy(graph).order(); }

void improve(const ArcGraph& graph, BlockOrder& order) { Mover(graph, order).run(); }

std::vector<bool> broken_arcs(const ArcGraph& graph, const BlockOrder& order) {
    std::vector<std::size_t> place(graph.blocks());
    for (std::size_t n = 0; n < order.size(); ++n) place[order[n]] = n;
    std::vector<bool> broken(graph.arcs());
    for (Arc arc = 0; arc < graph.arcs(); ++arc) {
        broken[arc] = std::ranges::any_of(graph.targets(arc), [&](Block block) {
            return place[block] <= place[graph.from(arc)];
        });
    }
    return broken;
}

std::size_t disjoint_cycles(const ArcGraph& graph) { return CyclePacking(graph).count(); }

} // namespace rubato::synthesis
