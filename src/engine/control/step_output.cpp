// SPDX-License-Identifier: Apache-2.0
#include "step_output.hpp"

#include "step_choice.hpp"

#include <rubato/core/errors.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato::engine {

namespace {

const double& value_of(const Compiled& compiled) {
    return compiled.plan->buffers.reals[compiled.watched_slots.back()];
}

/// Where times are so near to each other, they are not told apart.
double rounding_of(const scenario::Experiment& experiment) {
    constexpr double several = 16, epsilon = std::numeric_limits<double>::epsilon();
    return several * epsilon * std::max(std::abs(experiment.start), std::abs(experiment.stop));
}

} // namespace

StepOutput::StepOutput(const scenario::Experiment& experiment, const scenario::System& system,
                       const Compiled& compiled, Executor& executor)
    : system_(system), executor_(executor), value_(value_of(compiled)),
      longest_(experiment.maximum_step.value_or(std::numeric_limits<double>::max())),
      shortest_(experiment.minimum_step.value_or(rounding_of(experiment))),
      has_minimum_(experiment.minimum_step.has_value()) {}

Duration StepOutput::next(Time now) const {
    const double given = value_;
    if (!(given > 0) || !(given >= shortest_) || !(given <= longest_)) [[unlikely]]
        refuse(now, given);
    return {given};
}

Attempt StepOutput::choose(Time now, Time limit) const {
    const StepChoice choice = choose_step(now, limit, next(now), {shortest_});
    return {now, choice.by, choice.end};
}

void StepOutput::refuse(Time now, double given) const {
    const scenario::Port& output = system_.port(*system_.step_output);
    const std::string& unit = system_.unit(output.unit).name;
    std::string reason = "it must be a positive number [s]";
    if (given > 0 && std::isfinite(given)) {
        if (given > longest_)
            reason = format("experiment.maximum-step is {}", shortest(longest_));
        else if (has_minimum_)
            reason = format("experiment.minimum-step is {}", shortest(shortest_));
        else
            reason = "so short a step does not advance the time";
    }
    throw UnitError(format("unit \"{}\" gives a communication step of {} s at t = {} s by its "
                           "output \"{}\": {}",
                           unit, shortest(given), shortest(now.seconds), output.name, reason),
                    "mend the unit, or give experiment.step as a number", unit, now.seconds);
}

} // namespace rubato::engine
