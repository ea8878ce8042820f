// SPDX-License-Identifier: Apache-2.0
#include "straightening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato::report::layered {
namespace {

/// Places that a vertex can move to without touching its neighbours.
struct Room {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();

    bool holds(double x) const { return from <= x && x <= to; }
};

class Straightening {
public:
    explicit Straightening(Layers& layers) : layers_(layers), place_(layers.vertices.size()) {
        for (const auto& row : layers.rows)
            for (std::size_t i = 0; i < row.size(); ++i) place_[row[i]] = i;
    }

    void straighten_bends(const Chain& chain) {
        Room room;
        for (std::size_t i = 1; i + 1 < chain.vertices.size(); ++i) {
            const Index bend = chain.vertices[i];
            const Room here = room_of(bend);
            Room common{std::max(room.from, here.from), std::min(room.to, here.to)};
            if (common.from > common.to) {
                align_run(room);
                common = here;
            }
            room = common;
            run_.push_back(bend);
        }
        align_run(room);
    }

    /// Towards one of the boxes and bends that these spans lead to.
    void straighten_box(Index box, const std::vector<Index>& spans) {
        const Room room = room_of(box);
        double best = layers_.vertices[box].x;
        double least = slant(box, best);
        for (const Index s : spans) {
            const double x = upright_place(layers_, layers_.spans[s], box);
            if (!room.holds(x) || slant(box, x) > least) continue;
            best = x;
            least = slant(box, x);
        }
        layers_.vertices[box].x = best;
    }

private:
    Room room_of(Index vertex) const {
        const Vertex& self = layers_.vertices[vertex];
        const auto& row = layers_.rows[self.layer];
        const std::size_t i = place_[vertex];
        Room room;
        if (i > 0) {
            const Vertex& left = layers_.vertices[row[i - 1]];
            room.from = left.x + separation(left, self);
        }
        if (i + 1 < row.size()) {
            const Vertex& right = layers_.vertices[row[i + 1]];
            room.to = right.x - separation(self, right);
        }
        return room;
    }

    /// How far all spans of a box are from vertical.
    double slant(Index box, double x) const {
        double sum = 0;
        for (const auto* spans : {&layers_.spans_above[box], &layers_.spans_below[box]}) {
            for (const Index s : *spans) {
                const Span& span = layers_.spans[s];
                sum += weight_of(layers_, span) * std::abs(x - upright_place(layers_, span, box));
            }
        }
        return sum;
    }

    /// Ends the run: all of it moves to one place.
    void align_run(Room room) {
        if (run_.empty()) return;
        double mean = 0;
        for (const Index bend : run_) mean += layers_.vertices[bend].x;
        mean /= static_cast<double>(run_.size());
        const double x = std::max(room.from, std::min(mean, room.to));
        for (const Index bend : run_) layers_.vertices[bend].x = x;
        run_.clear();
    }

    Layers& layers_;
    std::vector<std::size_t> place_; ///< by vertex: in its row
    std::vector<Index> run_;         ///< bends of a wire that have room in common
};

} // namespace

double upright_place(const Layers& layers, const Span& span, Index vertex) {
    const double shift = span.upper_offset - span.lower_offset;
    return span.lower == vertex ? layers.vertices[span.upper].x + shift
                                : layers.vertices[span.lower].x - shift;
}

double weight_of(const Layers& layers, const Span& span) {
    const bool upper = layers.vertices[span.upper].is_bend;
    const bool lower = layers.vertices[span.lower].is_bend;
    if (upper && lower) return 8;
    return upper || lower ? 2 : 1;
}

void straighten(Layers& layers) {
    constexpr int rounds = 3;
    Straightening straightening(layers);
    const auto straighten_row = [&](const std::vector<Index>& row, const auto& spans) {
        for (const Index vertex : row)
            if (!layers.vertices[vertex].is_bend)
                straightening.straighten_box(vertex, spans[vertex]);
    };
    for (int round = 0; round < rounds; ++round) {
        for (const Chain& chain : layers.chains) straightening.straighten_bends(chain);
        for (auto row = layers.rows.rbegin(); row != layers.rows.rend(); ++row)
            straighten_row(*row, layers.spans_below);
        for (const auto& row : layers.rows) straighten_row(row, layers.spans_above);
    }
}

} // namespace rubato::report::layered
