// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// What `rubato sweep` varies, and what it tabulates of each run (docs/how-to/sweep.md).
struct SweepSettings {
    std::vector<std::string> vary; ///< as --vary has them
    std::optional<int> samples;
    int seed = 1;
    std::vector<std::string> outcomes; ///< as --outcome has them; empty: last, min and max of all
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("vary", self.vary,
              "what is varied, such as winch.k=1:10:0.5, winch.k=1,2,5, load.m=lhs:50:200 or "
              "load.m=random:50:200");
        visit("samples", self.samples,
              "number of points of random samples and Latin hypercubes that do not name it");
        visit("seed", self.seed, "of random numbers");
        visit("outcomes", self.outcomes,
              "what is tabulated of each run, such as last:load.x, max:load.x or "
              "when:load.x>0.5; default: last, min and max of every recorded variable");
    }
    friend bool operator==(const SweepSettings&, const SweepSettings&) = default;
};

/// The section `sweep` of a scenario in YAML. It is no part of the scenario: a run does not depend
/// on it. Problems go to `diagnostics`.
SweepSettings parse_sweep(std::string_view text, const std::filesystem::path& file,
                          Diagnostics& diagnostics);

} // namespace rubato::scenario
