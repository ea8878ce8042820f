// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// Whether steps in which something happens are taken back and made again to end there.
enum class Locate {
    automatic, ///< with waveform relaxation, and where crossings are declared
    always,
    predict, ///< never taken back: steps are shortened towards crossings that lie ahead
    never,
};
std::string_view to_string(Locate locate);

/// How the time of an event is searched for (docs/explanation/hybrid.md).
enum class Search { secant, bisection };
std::string_view to_string(Search search);

struct EventSettings {
    Locate locate = Locate::automatic;
    Search search = Search::secant;
    std::optional<double> tolerance;
    std::vector<std::string> crossings;
    int limit = 100;
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("locate", self.locate,
              "end steps at events by rollback: always, never, or automatic (with waveform "
              "relaxation, and if crossings are declared); predict: shorten steps towards "
              "crossings instead, as is done for units without rollback");
        visit("search", self.search,
              "how crossings are located: secant or bisection; changes of discrete outputs "
              "are always located by bisection");
        visit("tolerance", self.tolerance,
              "tolerance of event location [s]; default: a ten-thousandth of experiment.step");
        visit("crossings", self.crossings,
              "conditions such as tank.level > 0.5: an event occurs when one becomes true or "
              "false");
        visit("limit", self.limit,
              "maximum number of consecutive events with at most ten tolerances between them");
    }
    friend bool operator==(const EventSettings&, const EventSettings&) = default;
};

} // namespace rubato::scenario
