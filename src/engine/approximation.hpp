// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>

#include <array>

namespace rubato::engine {

/// Value and time derivatives of an input at the start of a step.
struct Taylor {
    double value = 0;
    double first = 0;
    double second = 0;
};

/// Samples of one input and the polynomial through the newest of them. Samples at accepted
/// communication points stay; the sample under way is replaced until `commit`.
///
/// With u_a the sample under way and u_b, u_c the last two accepted ones, p is Newton's polynomial
/// through as many of them as the order asks for and history allows. Expanded at t_a it
/// extrapolates (the unit has reached t_a and goes on from there), at t_b it interpolates (the unit
/// stands at t_b and its source at t_a).
class InputHistory {
public:
    explicit InputHistory(unsigned order) : order_(order) {}

    void sample(Time time, double value) { newest_ = {time.seconds, value}; }
    Taylor extrapolated() const;
    Taylor interpolated() const;
    void commit();
    void forget() { accepted_count_ = 0; } ///< all accepted samples

    unsigned order() const { return order_; }

private:
    struct Sample {
        double time = 0;
        double value = 0;
    };
    struct Differences {
        double first = 0;  ///< u[a,b]
        double second = 0; ///< u[a,b,c]
    };
    Differences divided_differences() const;

    unsigned order_;
    unsigned accepted_count_ = 0;
    Sample newest_;
    std::array<Sample, 2> accepted_; ///< the last one first
};

} // namespace rubato::engine
