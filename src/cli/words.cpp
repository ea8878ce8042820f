// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <rubato/private/format.hpp>

#include <vector>

namespace rubato::cli {

std::string_view origin_text(scenario::Origin origin) {
    switch (origin) {
    case scenario::Origin::scenario: return "from the scenario";
    case scenario::Origin::model_description: return "from the model description";
    case scenario::Origin::recipe: return "set by the algorithm";
    case scenario::Origin::assumed: return "assumed";
    }
    return "";
}

std::string capabilities_text(const scenario::Capabilities& can) {
    std::vector<std::string> words;
    if (can.snapshots) words.emplace_back("save its state");
    if (can.variable_step) words.emplace_back("variable step size");
    if (can.may_return_early) words.emplace_back("return early");
    if (can.input_derivatives > 0)
        words.push_back(format("input derivatives up to order {}", can.input_derivatives));
    if (can.event_mode) words.emplace_back("event mode");
    if (can.intermediate_outputs) words.emplace_back("intermediate outputs");
    if (can.directional_derivatives) words.emplace_back("directional derivatives");
    return format("{}", fmt::join(words, ", "));
}

} // namespace rubato::cli
