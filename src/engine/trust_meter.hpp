// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bonds.hpp"
#include "couplings.hpp"

#include <rubato/engine/recorder.hpp>
#include <rubato/engine/trust.hpp>

namespace rubato::engine {

/// Adds up what accepted steps have done wrong.
class TrustMeter {
public:
    TrustMeter(const scenario::System& system, const Couplings& couplings,
               std::span<const std::unique_ptr<unit::Unit>> units);

    /// A step begins, of which one part or several will be noted.
    void begin_step();
    /// The part of the step that the couplings have sampled last is accepted.
    void note(const Couplings& couplings, std::size_t configuration);
    /// Columns for the power and the residual of all bonds.
    std::vector<Column> bond_columns() const;
    Trust report() const;

private:
    struct Range {
        double least = 0;
        double most = 0;
    };
    void note_ranges(const Couplings& couplings);

    bool has_ranges_ = false;
    std::vector<Range> ranges_;          ///< by source
    std::vector<std::uint32_t> sources_; ///< by entry of `errors_`
    std::vector<std::vector<std::uint32_t>>
        entries_; ///< by configuration and coupling: of `errors_`
    std::vector<CouplingError> errors_;
    std::vector<BondAccount> accounts_;
    std::vector<BondBalance> balances_;
};

} // namespace rubato::engine
