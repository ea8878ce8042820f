// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiment.hpp"

#include <atomic>
#include <cstdint>
#include <string>

namespace rubato::studies::adaptive_order {

/// Five masses, each coupled to the one before it; in a ring the first one to the last, too.
enum class Network { chain, ring };

/// How one way to order the units has done over all parameter sets. Errors are those of the five
/// speeds, in the square mean over the run.
struct NetworkOutcome {
    std::string name;        ///< of the order, or of what adapts it
    double mean_score = 0;   ///< Equation 9 of the paper, over all static orders instead of two
    double median_error = 0; ///< divided by that of the best static order of each set
    double unstable = 0;     ///< share of the sets in which the error exceeds 10 m/s
    double mean_place = 0;   ///< among static orders: 0 better than all, 1 worse than all
};

struct NetworkResult {
    std::size_t sets = 0;
    std::vector<NetworkOutcome> static_orders; ///< all that differ
    std::vector<NetworkOutcome> adaptive; ///< by input error, declared energies, work over bonds
};

/// Random parameters as in the study of two; every static order and all estimators for each.
NetworkResult run_network(Network network, std::size_t sets, std::uint64_t seed,
                          std::atomic<std::size_t>& done);

} // namespace rubato::studies::adaptive_order
