// SPDX-License-Identifier: Apache-2.0
#include "model_structure.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::unit {

using scenario::Causality;
using scenario::Dependencies;

ModelStructureReader::ModelStructureReader(const XmlReader& reader,
                                           scenario::UnitDescription& description, const char* key,
                                           Resolve resolve)
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

Dependencies* ModelStructureReader::find_output(pugi::xml_node unknown) {
    const std::uint32_t target = reader_.required_index(unknown, key_);
    const auto index = resolve_(target);
    if (!index) {
        reader_.error(unknown, format("<{}> has {}=\"{}\", but there is no such variable",
                                      unknown.name(), key_, target));
        return nullptr;
    }
    auto& all = description_.dependencies;
    const auto found = std::ranges::lower_bound(all, *index, {}, &Dependencies::output);
    return found == all.end() || found->output != *index ? nullptr : &*found;
}

ModelStructureReader::Inputs ModelStructureReader::read_inputs(pugi::xml_node unknown) {
    const auto targets = reader_.find_indices(unknown, "dependencies");
    if (!targets) return std::nullopt;
    std::vector<std::uint32_t> inputs;
    for (const std::uint32_t target : *targets) {
        const auto index = resolve_(target);
        if (!index) {
            reader_.error(unknown,
                          format("the dependencies of <{} {}=\"{}\"> hold {}, but there is no such "
                                 "variable",
                                 unknown.name(), key_, unknown.attribute(key_).value(), target));
        } else if (description_.variables[*index].causality == Causality::input) {
            inputs.push_back(*index);
        }
    }
    return inputs;
}

} // namespace rubato::unit
