// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/random_source.hpp"

#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace rubato::test {

/// Mistakes that people make in algorithms.
enum class Mutation {
    drop,
    swap,      ///< two operations of a procedure
    duplicate, ///< to anywhere in the same body
    retarget,  ///< to another port or unit
    change_step,
    drop_restore,
    flip_tentative,
    drop_from_loop, ///< a port or a unit that a loop waits for
    get_both_ways,  ///< an output, as a final and as a tentative value
};

inline constexpr std::array<Mutation, 9> all_mutations = {
    Mutation::drop,           Mutation::swap,           Mutation::duplicate,
    Mutation::retarget,       Mutation::change_step,    Mutation::drop_restore,
    Mutation::flip_tentative, Mutation::drop_from_loop, Mutation::get_both_ways};

std::string_view to_string(Mutation mutation);

/// The algorithm with one such mistake at a random place; nullopt: no place for it was found.
std::optional<algorithm::Algorithm> mutate(const scenario::System& system,
                                           const algorithm::Algorithm& algorithm, Mutation mutation,
                                           RandomSource& random);

} // namespace rubato::test
