// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "state.hpp"

#include <cstddef>
#include <vector>

namespace rubato::algorithm::verification {

/// What is left open in a run, run by run: every draw of one run is followed by every other outcome
/// in a later one. A run is repeated exactly from its draws.
class Choices {
public:
    Choices() = default;
    /// One run only.
    explicit Choices(const std::vector<Ticks>& draws) {
        for (const Ticks draw : draws) draws_.push_back({draw, draw});
    }

    /// One of 1 … `most`; the first run has the largest.
    Ticks draw(Ticks most) {
        if (at_ == draws_.size()) draws_.push_back({most, 1});
        return draws_[at_++].taken;
    }

    /// Continues with the next run; false: there is none.
    bool advance() {
        draws_.resize(at_);
        at_ = 0;
        while (!draws_.empty() && draws_.back().taken == draws_.back().last) draws_.pop_back();
        if (draws_.empty()) return false;
        --draws_.back().taken;
        return true;
    }

    std::vector<Ticks> taken() const {
        std::vector<Ticks> result;
        for (const Draw& draw : draws_) result.push_back(draw.taken);
        return result;
    }

private:
    struct Draw {
        Ticks taken, last;
    };
    std::vector<Draw> draws_;
    std::size_t at_ = 0;
};

} // namespace rubato::algorithm::verification
