// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// Orchestration algorithm.
enum class Recipe {
    synthesized, ///< as the contracts ask for
    jacobi,
    gauss_seidel,
    iterated_jacobi,
    iterated_gauss_seidel,
    adaptive_gauss_seidel, ///< the order is chosen before each step
    waveform_jacobi,       ///< iterated, but discrete values only once, at the end of the step
    waveform_gauss_seidel,
};
std::string_view to_string(Recipe recipe);
bool is_gauss_seidel(Recipe recipe); ///< it has an order
bool is_waveform(Recipe recipe);

/// What the order is chosen by: how wrong extrapolated inputs would be, or who does work on whom.
enum class OrderEstimator { input, power };
std::string_view to_string(OrderEstimator estimator);

/// How the order is chosen: Inci, Gomes, Croes and Desmet (2023), whose values are the defaults.
struct OrderSettings {
    OrderEstimator estimator = OrderEstimator::input;
    int waiting = 2;       ///< steps before which nothing is decided
    int cool_down = 1;     ///< steps before the first decision, and from one to the next
    int window = 31;       ///< errors that are averaged
    bool inverted = false; ///< choose the worst order, to see that the choice matters
};

/// How many inputs of a synthesized loop are guessed: as few as possible, or all.
enum class Reduction { minimum, maximum };
std::string_view to_string(Reduction reduction);

/// What to do when an iteration has not converged within its limit.
enum class AtLimit { stop, accept };
std::string_view to_string(AtLimit at_limit);

struct AlgorithmSettings {
    Recipe recipe = Recipe::synthesized;
    std::vector<std::string> order;
    Reduction reduction = Reduction::minimum;
    std::vector<std::string> guess;
    std::optional<int> iterations;
    double absolute_tolerance = 1e-9;
    double relative_tolerance = 1e-6;
    int iteration_limit = 50;
    AtLimit at_limit = AtLimit::stop;
    int threads = 1;
    std::optional<OrderEstimator> order_estimator;
    std::optional<int> order_waiting, order_cool_down, order_window;
    std::optional<bool> order_inverted;
    Location where;

    OrderSettings order_settings() const;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("recipe", self.recipe,
              "a named recipe, or synthesized: derived from the contracts as declared");
        visit("order", self.order,
              "units in the order in which Gauss-Seidel steps them (adaptive: the first "
              "order); default: derived");
        visit("reduction", self.reduction,
              "which inputs of a synthesized loop are guessed: as few as possible (minimum) "
              "or all (maximum)");
        visit("guess", self.guess,
              "inputs that a synthesized loop guesses in any case, such as msd1.Fc");
        visit("iterations", self.iterations,
              "fixed number of iterations (semi-implicit); default: until converged "
              "(implicit)");
        visit("absolute-tolerance", self.absolute_tolerance,
              "exchanged values have converged when |new - old| ≤ absolute + relative·|new|");
        visit("relative-tolerance", self.relative_tolerance, "see absolute-tolerance");
        visit("iteration-limit", self.iteration_limit, "maximum number of iterations of a loop");
        visit("at-limit", self.at_limit,
              "if a loop has not converged at the limit: stop with an error, or accept and "
              "warn");
        visit("threads", self.threads,
              "number of threads; units that do not depend on each other step at the same "
              "time, with the same results");
        visit("order-estimator", self.order_estimator,
              "criterion of adaptive-gauss-seidel: errors of extrapolated inputs (input), or "
              "the work that units do on others (power); default: input");
        visit("order-waiting", self.order_waiting,
              "number of steps before its first decision; default: 2");
        visit("order-cool-down", self.order_cool_down,
              "number of steps between decisions, and before the first; default: 1");
        visit("order-window", self.order_window,
              "number of errors in the geometric mean; default: 31");
        visit("order-inverted", self.order_inverted,
              "choose the worst order instead of the best, for comparison; default: false");
    }
    friend bool operator==(const AlgorithmSettings&, const AlgorithmSettings&) = default;
};

} // namespace rubato::scenario
