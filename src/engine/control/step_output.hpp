// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "execution/executor.hpp"
#include "program/compiler.hpp"
#include "step_controller.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::engine {

/// Steps whose length is an output of a unit (Gomes 2016, section 3.1): its value at the start of a
/// step is the length of the step. All attempts are accepted.
class StepOutput final : public StepController {
public:
    /// What is passed must outlive it. The system has a step output.
    StepOutput(const scenario::Experiment& experiment, const scenario::System& system,
               const Compiled& compiled, Executor& executor);

    /// The length of the step from `now`. Error: the output gives none.
    Duration next(Time now) const;
    /// The step from `now` that ends at `limit` at the latest.
    Attempt choose(Time now, Time limit) const;

    void commit(const MadeStep&) override { executor_.watch(); }
    void restart(Time) override { executor_.watch(); }
    void jump(Time) override { executor_.watch(); }

private:
    [[gnu::cold, noreturn]] void refuse(Time now, double given) const;

    const scenario::System& system_;
    Executor& executor_;
    const double& value_;
    const double longest_, shortest_; ///< [s]
    const bool has_minimum_;          ///< the shortest is what the experiment says
};

} // namespace rubato::engine
