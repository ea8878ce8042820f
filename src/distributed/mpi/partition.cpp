// SPDX-License-Identifier: Apache-2.0
#include "module.hpp"

#include <metis.h>

#include <algorithm>
#include <type_traits>
#include <vector>

static_assert(std::is_same_v<idx_t, std::int32_t>);

namespace {

/// METIS does not write to what it takes by pointers that are not const.
idx_t* taken(const std::int32_t* values) { return const_cast<idx_t*>(values); }

} // namespace

/// For few parts, bisection balances better than the k-way method (METIS manual, section 3).
extern "C" __attribute__((visibility("default"))) bool
rubato_partition(const rubato::distributed::PartitionProblem& problem, std::int32_t* parts) {
    constexpr idx_t few = 8;
    std::vector<idx_t> options(METIS_NOPTIONS);
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 1; // the same placement each time
    idx_t vertices = problem.vertices, constraints = 1, count = problem.parts, cut = 0;
    const auto divide = count <= few ? METIS_PartGraphRecursive : METIS_PartGraphKway;
    return divide(&vertices, &constraints, taken(problem.begins), taken(problem.neighbours),
                  taken(problem.vertex_weights), nullptr, taken(problem.edge_weights), &count,
                  nullptr, nullptr, options.data(), &cut, parts) == METIS_OK;
}
