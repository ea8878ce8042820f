// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A first-order lag behind the mean of two inputs: the smallest thing to build networks of, for
/// benchmarks (README.md).
struct Node {
    double k = 1;
    std::int32_t work = 0;
    double a = 0, b = 0;
    double y = 0;

    static void declare(rubato::model::Declaration<Node>& model) {
        model.description("a first-order lag behind the mean of two inputs");
        model.solver(rubato::model::Solver::euler);
        model.experiment({.start = 0, .stop = 10, .step = 0.01});
        model.parameter(&Node::k, "k", "1/s", "rate");
        model.parameter(&Node::work, "work", "", "rounds of arithmetic to spend on each step");
        model.input(&Node::a, "a", "", "first input");
        model.input(&Node::b, "b", "", "second input");
        model.state(&Node::y, "y", "", "the lagging mean").given_out();
    }

    void derivatives(Node& der) const {
        const double mean = 0.5 * (a + b);
        der.y = k * (mean - y) + 0.0 * spent(mean);
    }

    /// Some finite number, late. A compiler must compute it: it cannot know that 0 times it is 0.
    double spent(double seed) const {
        double value = seed;
        for (std::int32_t i = 0; i < work; ++i) value = 0.5 * value + 1;
        return value;
    }
};

RUBATO_MODEL(node, Node)
