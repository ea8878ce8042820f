// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <string_view>

namespace rubato::scenario {

/// How a fixed-point loop goes from one iteration to the next (docs/explanation/loops.md).
enum class LoopMethod {
    automatic, ///< plain as long as that converges fast, then what costs least
    plain,     ///< what an iteration gives is what the next starts from
    relaxed,   ///< a given part of the way there
    aitken,    ///< a part of the way there, from the last two residuals
    iqn_ils,   ///< quasi-Newton from the differences of earlier iterations
    newton,    ///< by the Jacobian of an iteration
};
std::string_view to_string(LoopMethod method);

struct LoopSettings {
    LoopMethod method = LoopMethod::automatic;
    double relaxation = 0.5;
    int reuse = 4;
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("method", self.method,
              "loop solver; automatic: plain while it converges fast, then iqn-ils or newton, "
              "with a message");
        visit("relaxation", self.relaxation,
              "relaxation factor of relaxed, and of the first iteration of aitken");
        visit("reuse", self.reuse, "number of earlier loops whose iterations iqn-ils reuses");
    }
    friend bool operator==(const LoopSettings&, const LoopSettings&) = default;
};

} // namespace rubato::scenario
