// SPDX-License-Identifier: Apache-2.0
#include "model_structure.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <unordered_map>

namespace rubato::unit {

using scenario::Causality;
using scenario::Dependencies;

ModelStructureReader::ModelStructureReader(const XmlReader& reader,
                                           scenario::UnitDescription& description, const char* key,
                                           ResolveVariable resolve)
    : reader_(reader), description_(description), key_(key), resolve_(std::move(resolve)) {
    for (std::uint32_t i = 0; i < description_.variables.size(); ++i) {
        const scenario::Variable& variable = description_.variables[i];
        if (variable.causality != Causality::output) continue;
        Dependencies dependencies{i, std::nullopt, std::nullopt};
        if (variable.initial == scenario::Initial::exact) dependencies.initial.emplace();
        description_.dependencies.push_back(std::move(dependencies));
    }
}

void ModelStructureReader::read_step(pugi::xml_node unknown) {
    if (Dependencies* output = find_output(unknown)) output->step = read_inputs(unknown);
}

void ModelStructureReader::read_initial(pugi::xml_node unknown) {
    if (Dependencies* output = find_output(unknown)) output->initial = read_inputs(unknown);
}

std::vector<ContinuousStructure::State>
ModelStructureReader::read_states(const std::vector<pugi::xml_node>& derivatives) {
    std::vector<ContinuousStructure::State> states;
    std::unordered_map<std::uint32_t, std::uint32_t> positions; // of states, by variable
    std::vector<Indices> dependencies;
    for (const pugi::xml_node unknown : derivatives) {
        const auto derivative = find_variable(unknown);
        if (!derivative || !description_.variables[*derivative].derivative_of) {
            reader_.report(Rule::state_unknown, unknown,
                           format("<{} {}=\"{}\"> names no state", unknown.name(), key_,
                                  unknown.attribute(key_).value()));
            continue;
        }
        const scenario::Variable& variable = description_.variables[*derivative];
        positions.emplace(*variable.derivative_of, static_cast<std::uint32_t>(states.size()));
        dependencies.push_back(read_dependencies(unknown));
        states.push_back({*variable.derivative_of, *derivative, std::nullopt});
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (!dependencies[i]) continue;
        auto& depends_on = states[i].depends_on.emplace();
        for (const std::uint32_t variable : *dependencies[i]) {
            const auto position = positions.find(variable);
            if (position != positions.end()) depends_on.push_back(position->second);
        }
    }
    return states;
}

std::optional<std::uint32_t> ModelStructureReader::find_variable(pugi::xml_node unknown) {
    const auto target = reader_.find_index(unknown, key_);
    return target ? resolve_(*target) : std::nullopt;
}

Dependencies* ModelStructureReader::find_output(pugi::xml_node unknown) {
    const auto index = find_variable(unknown);
    if (!index) return nullptr;
    auto& all = description_.dependencies;
    const auto found = std::ranges::lower_bound(all, *index, {}, &Dependencies::output);
    return found == all.end() || found->output != *index ? nullptr : &*found;
}

ModelStructureReader::Indices ModelStructureReader::read_inputs(pugi::xml_node unknown) {
    Indices inputs = read_dependencies(unknown);
    if (!inputs) return std::nullopt;
    std::erase_if(*inputs, [&](std::uint32_t index) {
        return description_.variables[index].causality != Causality::input;
    });
    return inputs;
}

ModelStructureReader::Indices ModelStructureReader::read_dependencies(pugi::xml_node unknown) {
    const auto targets = reader_.find_indices(unknown, "dependencies");
    if (!targets) return std::nullopt;
    std::vector<std::uint32_t> indices;
    for (const std::uint32_t target : *targets) {
        const auto index = resolve_(target);
        if (!index) return std::nullopt;
        indices.push_back(*index);
    }
    return indices;
}

} // namespace rubato::unit
