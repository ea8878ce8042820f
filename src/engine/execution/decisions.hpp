// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/engine/reductions.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>

namespace rubato::engine {

/// How a unit has ended an attempt at a step.
struct Interruption {
    std::size_t position = 0; ///< of its step in the program
    Time accepted;
    bool by_event = false;
    double kind = 0; ///< the caller's
};

/// Converged? The shortest accepted step? An event? An error? Each decision that all processes of a
/// run must make alike is a function here: it takes what this process knows and gives what holds
/// for all. In one process they are the same, and nothing is called.
class Decisions {
public:
    /// Null: there is one process. `all` must outlive it.
    explicit Decisions(Reductions* all = nullptr) : all_(all) {}

    bool are_shared() const { return all_ != nullptr; }

    /// Of changes and errors. A NaN is larger than any number.
    double largest(double own) const {
        if (all_) [[unlikely]]
            all_->take_largest({&own, 1});
        return own;
    }
    double smallest(double own) const { return all_ ? -largest(-own) : own; }
    Time earliest(Time own) const { return {smallest(own.seconds)}; }
    bool any(bool own) const { return all_ ? largest(own ? 1 : 0) > 0 : own; }
    /// Of configurations: the last that is in force.
    std::size_t last(std::size_t own) const {
        return all_ ? static_cast<std::size_t>(largest(static_cast<double>(own))) : own;
    }

    /// Where units have stopped, the first one in the program decides, as if one process had run
    /// all of them in that order. `event`: whether a unit has one at the end of the step. Only for
    /// decisions that are shared.
    std::optional<Interruption> first(const std::optional<Interruption>& own, bool& event) const {
        constexpr double nothing = -std::numeric_limits<double>::infinity();
        std::array<double, 2> who = {own ? -static_cast<double>(own->position) : nothing,
                                     event ? 1. : 0.};
        all_->take_largest(who);
        event = who[1] > 0;
        if (who[0] == nothing) return std::nullopt;
        const auto position = static_cast<std::size_t>(-who[0]);
        std::array<double, 3> how = {nothing, nothing, nothing};
        if (own && own->position == position)
            how = {own->accepted.seconds, own->by_event ? 1. : 0., own->kind};
        all_->take_largest(how);
        return Interruption{position, {how[0]}, how[1] > 0, how[2]};
    }

    /// Rethrows the error of this process, or the one that all processes end with.
    [[noreturn]] void fail(const std::exception_ptr& own) const {
        if (all_) all_->fail(own);
        std::rethrow_exception(own);
    }

private:
    Reductions* all_;
};

} // namespace rubato::engine
