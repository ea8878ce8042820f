// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accuracy/bonds.hpp"
#include "accuracy/couplings.hpp"
#include "execution/executor.hpp"

#include <rubato/scenario/step_control.hpp>

#include <memory>
#include <string>
#include <vector>

namespace rubato::engine {

/// What a step has done wrong.
struct Estimate {
    double error = 0;          ///< in tolerances: 1 is just good enough
    std::uint32_t culprit = 0; ///< what has the largest part in it
};

/// The error of a step, from what crossed the interfaces.
class Estimator {
public:
    virtual ~Estimator() = default;
    /// Of the step that `couplings` has sampled last.
    virtual Estimate estimate(const Couplings& couplings, std::size_t configuration) = 0;
    /// "msd2.Fc -> msd1.Fc", "bond \"spring\""
    virtual std::string name_of(std::uint32_t culprit, std::size_t configuration) const = 0;
    /// Whether each step is made in one, and then in two halves.
    virtual bool halves_steps() const { return false; }
    /// Whether it steers only: steps beyond the tolerance make the next ones shorter, and stay.
    virtual bool only_steers() const { return false; }
    /// For those who halve: the values at the end of the step made in one.
    virtual void keep_whole(const Couplings&) {}
};

/// Not for `fixed`. `span` is that of the experiment; only divergence uses the executor.
std::unique_ptr<Estimator> make_estimator(const scenario::StepControlSettings& settings,
                                          const scenario::System& system,
                                          const Couplings& couplings, const Executor* executor,
                                          Duration span);

} // namespace rubato::engine
