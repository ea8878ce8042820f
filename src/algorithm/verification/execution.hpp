// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "breach.hpp"
#include "choices.hpp"
#include "loop_entry.hpp"
#include "loop_ports.hpp"
#include "wiring.hpp"

#include <optional>

namespace rubato::algorithm::verification {

/// Is notified of what happens in a run.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void on_operation(const Op& op, const State& state) = 0;
    virtual void on_iteration(const Op& loop, int number, bool is_checked) = 0;
};

enum class Phase { initialization, step };

/// One run of a body over a state, up to the first broken precondition.
class Execution {
public:
    Execution(const scenario::System& system, const Wiring& wiring, Phase phase, State& state,
              Choices& choices, Observer* observer)
        : system_(system), wiring_(wiring), phase_(phase), state_(state), choices_(choices),
          observer_(observer), compared_around_(system.ports.size()),
          uncompared_(system.ports.size()) {}

    std::optional<Breach> run(const Body& body);

    /// Those begun: the one that breaks its precondition is the last.
    std::uint64_t operations() const { return operations_; }

private:
    enum class [[nodiscard]] Flow{proceed, stop};

    Flow execute(const Body& body);
    Flow execute(const Op& op, const Get& get);
    Flow execute(const Op& op, const Set& set);
    Flow execute(const Op& op, const Step& step);
    Flow execute(const Op& op, const Save& save);
    Flow execute(const Op& op, const Restore& restore);
    Flow execute(const Op& op, const FixedPoint& loop);
    Flow execute(const Op& op, const Negotiate& loop);
    Flow execute(const Op& op, const Parallel& section);
    Flow execute(const Op&, const Update&) { return Flow::proceed; } // in event procedures only

    Flow iterate(const Op& loop, const Body& body, int iteration);
    Flow ask_for_step(const Op& op, const Negotiate& loop, int iteration,
                      std::optional<State>& ended);
    void adopt_tentative(const Body& iterate);

    /// Runs `iterate_once` until `is_found` and then once more, checked, in which it must hold
    /// again. Before each repetition comes `retry`, then `prepare`.
    template <class Iterate, class IsFound, class Prepare>
    Flow repeat(const Op& op, const Body& retry, Ticks limit, Iterate iterate_once,
                IsFound is_found, Prepare prepare, Breach not_found);

    void mark(const Get& get, Stamp stamp);
    bool has_settled(PortId port) const;
    bool has_converged(const FixedPoint& loop) const;
    PortId still_changing(const FixedPoint& loop) const;
    void carry_over(const FixedPoint& loop);
    void outdate_guesses(const LoopPorts& ports);
    Flow iterate_without_guesses(const FixedPoint& loop, const LoopPorts& ports);
    Flow check_first_iteration(const Op& op, const FixedPoint& loop, const LoopPorts& ports,
                               const LoopEntry& entry);
    void find_least_step();
    bool all_accept() const;
    Ticks requested(const Step& step) const;

    bool is_checked() const { return unchecked_loops_ == 0; }
    /// What an attempt at a step gives that is not agreed upon may be used by the next one, if it
    /// has come about as it should.
    bool is_attempt() const { return unchecked_loops_ > 0 && unchecked_fixed_points_ == 0; }
    Flow stop(const Op& op, Breach breach);
    Flow done(const Op& op);

    const scenario::System& system_;
    const Wiring& wiring_;
    const Phase phase_;
    State& state_;
    Choices& choices_;
    Observer* observer_; ///< may be null
    std::optional<Breach> breach_;
    std::uint64_t operations_ = 0;
    unsigned unchecked_loops_ = 0;        ///< loops around that are not in their extra iteration
    unsigned unchecked_fixed_points_ = 0; ///< those of them that are fixed-point loops
    std::vector<std::uint16_t> compared_around_; ///< by output: fixed-point loops that compare it
    std::vector<std::uint16_t> uncompared_;      ///< by output: loops whose next iteration may
                                                 ///< not use what it gives
};

} // namespace rubato::algorithm::verification
