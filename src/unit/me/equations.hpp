// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "input_motion.hpp"
#include "model_exchange.hpp"

#include <rubato/unit/unit.hpp>

#include <span>
#include <string>
#include <vector>

namespace rubato::unit {

/// What a solver sees of a model: x' = f(t, x) and z = g(t, x), with inputs that are known
/// functions of time. A model without states has one that stays at zero, so that there is something
/// to solve.
class Equations {
public:
    /// `model`, `inputs` and `statistics` must outlive the equations; the evaluations are counted
    /// there. `names` are those of the states.
    Equations(ModelExchange& model, InputMotion& inputs, std::vector<std::string> names,
              SolverStatistics& statistics);

    std::size_t dimension() const { return dimension_; } ///< of x; at least 1
    std::size_t state_count() const { return state_count_; }
    std::size_t indicator_count() const { return indicator_count_; }
    ModelExchange& model() { return model_; }

    Evaluation derivatives(double time, std::span<const double> x, std::span<double> derivatives);
    Evaluation indicators(double time, std::span<const double> x, std::span<double> indicators);
    /// Moves the model, its states and its inputs, to a point.
    Evaluation place(double time, std::span<const double> x);

    double last_time() const { return time_; } ///< for which anything was asked
    /// What was wrong at the last point that could not be evaluated; empty: nothing.
    std::string explain_refusal() const;
    void forget_refusal() { refusal_.reset(); }

private:
    struct Refusal {
        double time = 0;
        std::optional<std::size_t> state; ///< whose derivative is not finite; none: refused as such
        double value = 0;
    };

    Evaluation refuse(Refusal refusal) {
        refusal_ = refusal;
        return Evaluation::refused;
    }

    ModelExchange& model_;
    InputMotion& inputs_;
    std::vector<std::string> names_;
    SolverStatistics& statistics_;
    std::size_t state_count_, indicator_count_, dimension_;
    double time_ = 0;
    std::optional<Refusal> refusal_;
};

} // namespace rubato::unit
