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

    double at(double tau) const { return value + tau * (first + 0.5 * tau * second); }
};

/// Samples of one input and the polynomial through the newest of them. Samples at accepted
/// communication points stay; the sample under way is replaced until `commit`.
///
/// With u_a the sample under way and u_b, u_c the last two accepted ones, p is Newton's polynomial
/// through as many of them as the order asks for and history allows. Expanded at t_a it
/// extrapolates (the unit has reached t_a and continues from there), at t_b it interpolates (the
/// unit stands at t_b and its source at t_a).
///
/// Where a sample from within the step is known, a polynomial of order 2 that interpolates goes
/// through it instead of u_c: what was before the step then has no part in it.
///
/// Where pieces are to join continuously, an extrapolated one starts where the last one has ended
/// and meets p at the end of a step as long as the last one.
class InputHistory {
public:
    explicit InputHistory(unsigned order, bool continuous = false)
        : order_(order), continuous_(continuous) {}

    void sample(Time time, double value) {
        newest_ = {time.seconds, value};
        has_within_ = false;
    }
    /// Between the last accepted sample and the one under way, which has come before.
    void sample_within(Time time, double value) {
        within_ = {time.seconds, value};
        has_within_ = true;
    }
    Taylor extrapolated();
    Taylor interpolated() const;
    void commit();
    void forget() { accepted_count_ = 0; } ///< all accepted samples
    /// The sample of this time is to be taken again, if it has been accepted.
    void reopen(Time time);
    /// The input has jumped: what it was before says nothing of what it will be.
    void restart(Time time, double value) {
        forget();
        sample(time, value);
        commit();
    }

    /// What to extrapolate with after a commit, where nothing was extrapolated before it.
    Taylor go_on() { return piece_ = continued(); }
    /// What the accepted samples alone predict.
    double predicted(Time time) const { return continued().at(time.seconds - accepted_[0].time); }

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
    /// Through the newest of three samples, of which the last `known` exist.
    Differences divided_differences(const Sample& a, const Sample& b, const Sample& c,
                                    unsigned known) const;
    Taylor joined(const Taylor& jumping) const;
    /// The polynomial through the accepted samples, expanded at the last of them.
    Taylor continued() const;

    unsigned order_;
    unsigned accepted_count_ = 0;
    Sample newest_;
    Sample within_;
    bool has_within_ = false;
    std::array<Sample, 3> accepted_; ///< the last one first
    bool continuous_;
    Taylor last_piece_; ///< of the step before
    Taylor piece_;      ///< of the step that ends with the sample under way
    Taylor next_piece_; ///< of the one after it
};

} // namespace rubato::engine
