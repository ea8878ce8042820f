// SPDX-License-Identifier: Apache-2.0
#include "inner_values.hpp"

#include <algorithm>

namespace rubato::engine {

InnerValue inner_value(const scenario::System& system, const scenario::Link& link,
                       std::span<const std::unique_ptr<unit::Unit>> units, Plan& plan) {
    const scenario::Port& from = system.port(link.from);
    unit::Unit& source = *units[from.unit.value];
    unit::IntermediateOutputs* const outputs = source.intermediate_outputs();
    if (!outputs || storage_of(from.type) != Storage::real || !from.part.is_whole() ||
        from.part.count > 1 || !outputs->provides(source.description().variables[from.variable]))
        return {};
    auto& samplings = plan.inner_samplings;
    auto sampling = std::ranges::find(samplings, outputs, &InnerSampling::unit);
    if (sampling == samplings.end()) sampling = samplings.insert(sampling, {outputs, {}});
    const auto found = std::ranges::find(sampling->outputs, from.reference);
    const auto column = static_cast<std::uint32_t>(found - sampling->outputs.begin());
    if (found == sampling->outputs.end()) sampling->outputs.push_back(from.reference);
    return {&outputs->samples(), column, link.factor, link.offset};
}

} // namespace rubato::engine
