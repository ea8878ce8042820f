// SPDX-License-Identifier: Apache-2.0
#include "connections.hpp"

#include "runs.hpp"

#include <optional>

namespace rubato::engine {

namespace {

std::optional<algorithm::Convergence> find_loop_end(const Body& body) {
    for (const Op& op : body) {
        if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op)) return loop->until;
        std::optional<algorithm::Convergence> found;
        for_each_inner_body(op, [&](const Body& inner) {
            if (!found) found = find_loop_end(inner);
        });
        if (found) return found;
    }
    return std::nullopt;
}

} // namespace

algorithm::Convergence loop_end_of(const algorithm::Algorithm& algorithm) {
    auto until = find_loop_end(algorithm.initialization);
    for (const algorithm::Procedure& procedure : algorithm.steps)
        if (!until) until = find_loop_end(procedure.body);
    algorithm::Convergence result = until.value_or(algorithm::Convergence{});
    result.iterations.reset(); // these are of steps
    return result;
}

} // namespace rubato::engine
