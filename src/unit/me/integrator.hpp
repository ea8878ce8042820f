// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

namespace rubato::unit {

/// A solver cannot go on: what() says why, in words for the user.
class SolverFault : public std::runtime_error {
public:
    SolverFault(const std::string& reason, std::string hint)
        : std::runtime_error(reason), hint_(std::move(hint)) {}
    const std::string& hint() const { return hint_; }

private:
    std::string hint_;
};

/// How far a step of a solver went.
struct [[nodiscard]] Progress {
    double time = 0;
    bool state_event = false; ///< it stopped because an event indicator has changed its sign
};

/// Solves the equations of a model between events. Throws SolverFault, and whatever the equations
/// throw. Nothing allocates after the constructor.
class Integrator {
public:
    virtual ~Integrator() = default;

    /// A state is to be computed to `tolerance` of its size, or of its nominal size if that is
    /// more.
    virtual void set_tolerance(double tolerance, std::span<const double> nominals) = 0;

    /// Begins anew, as at the start and after every discontinuity: what came before is forgotten.
    virtual void restart(double time, std::span<const double> x) = 0;

    /// One step, not beyond `limit`, which lies ahead by more than rounding.
    virtual Progress advance(double limit) = 0;

    virtual std::span<const double> x() const = 0; ///< where the last step ended
    /// Where the last step passed at a time within it, as accurate as its end.
    virtual void interpolate(double time, std::span<double> x) const = 0;
    /// After a state event: for each event indicator whether it has changed its sign.
    virtual std::span<const int> changed_indicators() const = 0;

    /// All that the next steps depend on, as bytes.
    virtual std::size_t saved_size() const = 0;
    virtual void save(std::byte* to) const = 0;
    virtual void restore(const std::byte* from) = 0;
};

} // namespace rubato::unit
