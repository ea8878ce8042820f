// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bonds.hpp"
#include "couplings.hpp"
#include "signal_statistics.hpp"

#include <rubato/engine/recorder.hpp>
#include <rubato/engine/trust.hpp>

namespace rubato::engine {

/// Adds up what accepted steps have done wrong.
class TrustMeter {
public:
    /// The run goes from `start` to `stop`, if nothing ends it before.
    TrustMeter(const scenario::System& system, const Couplings& couplings,
               std::span<const std::unique_ptr<unit::Unit>> units, const Plan& plan, Time start,
               Time stop);

    /// A step begins, of which one part or several will be noted.
    void begin_step();
    /// The part of the step that the couplings have sampled last is accepted.
    void note(const Couplings& couplings, std::size_t configuration);
    /// Columns for the power and the residual of all bonds.
    std::vector<Column> bond_columns() const;
    Trust report() const;
    void visit_state(StateArchive& archive);

private:
    /// What belongs to an entry of `errors_`.
    struct Entry {
        std::uint32_t source = 0;
        unsigned order = 0;
        std::optional<std::uint32_t> loop;   ///< of units; none: nothing comes back to the source
        std::optional<std::uint32_t> drives; ///< a loop that the source is not in
        /// Of the step noted last: the next one shows whether it was a jump.
        double pending = 0;
        Time pending_end;
        /// By window: what a late input adds to the exponent of growth; negative: what an early one
        /// takes away. Relative to what the source does in the window, if it oscillates there, and
        /// relative to all that it has done, if it does not.
        std::array<double, window_count> turning{}, straight{};

        double drift = 0; ///< what an input that is too large or small adds to a phase [rad]

        void note_lag(double missed, double value, const SignalStatistics& signal,
                      std::size_t window);
        double exponent(const Trend& trend) const;
        /// Over the run, of an oscillation that nothing else damps.
        double exponent_of_undamped() const;
    };
    /// How large a source is, and how exactly it is known.
    struct Scale {
        double nominal = 1;
        double absolute_tolerance = 0, relative_tolerance = 0; ///< of the loop that it is in
    };

    void add_entries(const scenario::System& system, const Couplings& couplings,
                     std::span<const std::unique_ptr<unit::Unit>> units,
                     std::size_t configurations);
    void find_loops(const scenario::System& system, const Couplings& couplings,
                    std::size_t configurations);
    void note_tolerances(const Couplings& couplings, const Plan& plan);
    std::size_t window_of(Time time) const;
    void note_errors(const Couplings& couplings, std::size_t configuration, std::size_t window);
    static void settle(const Entry& entry, unsigned since_jump, double size, CouplingError& error);
    double range_of(const CouplingError& error, std::uint32_t source) const;
    bool is_driven(std::uint32_t loop, double exponent) const;
    std::optional<CouplingTrend> find_trend(const Trust& trust, bool grows) const;
    Undamped undamped(const Trust& trust) const;

    Time start_, stop_;
    std::uint32_t loops_ = 0;               ///< of units
    std::vector<SignalStatistics> signals_; ///< by source
    std::vector<Scale> scales_;             ///< by source
    std::vector<Entry> known_;              ///< by entry of `errors_`
    std::vector<std::vector<std::uint32_t>>
        entries_; ///< by configuration and coupling: of `errors_`
    std::vector<CouplingError> errors_;
    std::vector<BondAccount> accounts_;
    std::vector<BondBalance> balances_;
};

} // namespace rubato::engine
