// SPDX-License-Identifier: Apache-2.0
#include "placement.hpp"

#include "straightening.hpp"

#include <algorithm>
#include <limits>

namespace rubato::report::layered {
namespace {

/// A place that a vertex is drawn to, and how strongly.
struct Wish {
    double x = 0;
    double weight = 0;
};

void add_wishes(const Layers& layers, const std::vector<Index>& spans, Index vertex, Wish& wish) {
    for (const Index s : spans) {
        const double weight = weight_of(layers, layers.spans[s]);
        wish.x += weight * upright_place(layers, layers.spans[s], vertex);
        wish.weight += weight;
    }
}

/// The places nearest to the wishes, by weighted squares, that keep order and distances: less the
/// distances they must not decrease, and pooling neighbours that would is optimal (pool adjacent
/// violators, Ayer et al. 1955).
void settle(Layers& layers, const std::vector<Index>& row, const std::vector<Wish>& wishes) {
    struct Pool {
        double x, weight;
        std::size_t count;
    };
    std::vector<Pool> pools;
    double distance = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) distance += separation(layers.vertices[row[i - 1]], layers.vertices[row[i]]);
        pools.push_back({wishes[i].x - distance, wishes[i].weight, 1});
        while (pools.size() > 1 && pools[pools.size() - 2].x > pools.back().x) {
            const Pool last = pools.back();
            pools.pop_back();
            Pool& pool = pools.back();
            const double weight = pool.weight + last.weight;
            pool = {(pool.x * pool.weight + last.x * last.weight) / weight, weight,
                    pool.count + last.count};
        }
    }
    std::size_t i = 0;
    distance = 0;
    for (const Pool& pool : pools) {
        for (std::size_t n = 0; n < pool.count; ++n, ++i) {
            if (i > 0) distance += separation(layers.vertices[row[i - 1]], layers.vertices[row[i]]);
            layers.vertices[row[i]].x = pool.x + distance;
        }
    }
}

struct Sides {
    bool above = true;
    bool below = true;
};

void settle_towards(Layers& layers, const std::vector<Index>& row, Sides sides) {
    constexpr double inertia = 0.01; // vertices without neighbours stay, unless in the way
    std::vector<Wish> wishes;
    wishes.reserve(row.size());
    for (const Index vertex : row) {
        const double x = layers.vertices[vertex].x;
        Wish wish{inertia * x, inertia};
        if (sides.above) add_wishes(layers, layers.spans_above[vertex], vertex, wish);
        if (sides.below) add_wishes(layers, layers.spans_below[vertex], vertex, wish);
        wishes.push_back({wish.x / wish.weight, wish.weight});
    }
    settle(layers, row, wishes);
}

void move_to_origin(Layers& layers) {
    double left = std::numeric_limits<double>::infinity();
    for (const Vertex& vertex : layers.vertices) left = std::min(left, vertex.x - vertex.width / 2);
    for (Vertex& vertex : layers.vertices) vertex.x -= left;
}

} // namespace

void place(Layers& layers) {
    constexpr int rounds = 12;
    for (int round = 0; round < rounds; ++round) {
        const bool is_last = round + 2 >= rounds;
        for (const auto& row : layers.rows)
            settle_towards(layers, row, {.above = true, .below = is_last});
        for (auto row = layers.rows.rbegin(); row != layers.rows.rend(); ++row)
            settle_towards(layers, *row, {.above = is_last, .below = true});
    }
    straighten(layers);
    move_to_origin(layers);
}

} // namespace rubato::report::layered
