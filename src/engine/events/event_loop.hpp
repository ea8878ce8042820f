// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "event_wiring.hpp"
#include "loops/quasi_newton.hpp"

#include <optional>
#include <vector>

namespace rubato::engine {

/// Feed-through in a circle at an event. A round of settling is one iteration of the reals that it
/// starts from. Where a round leaves more than a tenth of what the one before has left, IQN-ILS
/// says what the next one starts from.
class EventLoop {
public:
    EventLoop(const EventWiring& wiring, const scenario::LoopSettings& settings);

    /// Settling begins, or begins anew, since something else than reals has changed.
    void begin();
    void begin_round();
    void end_round();
    /// Outputs are not what units have given, but what is to be tried: all must be read.
    bool is_trying() const { return is_trying_; }
    /// At the end of a round: outputs are what they were tried to be.
    bool is_settled() const { return !is_trying_ || residual_ <= 1; }
    /// Between events.
    void visit_state(StateArchive& archive) {
        if (solver_) solver_->visit_state(archive);
    }

private:
    void weigh();

    const std::vector<GuessedOutput>& guessed_;
    std::optional<QuasiNewton> solver_; ///< none: rounds are plain
    std::vector<double> x_, g_, weights_;
    double residual_ = 0; ///< in tolerances
    int rounds_ = 0;
    bool is_trying_ = false;
};

} // namespace rubato::engine
