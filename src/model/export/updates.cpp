// SPDX-License-Identifier: Apache-2.0
#include "updates.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rubato::model {

void Updates::call_back(Instance& instance, fmi3::IntermediateUpdate* callback,
                        fmi3::InstanceEnvironment environment,
                        std::span<const ValueRef> variables) {
    bool sets_inputs = false;
    for (const ValueRef reference : variables) {
        const auto& all = instance.type().variables;
        const bool is_input = reference < all.size() && is_continuous_input(all[reference]);
        const bool is_output = reference < all.size() && can_be_sampled(all[reference]);
        if (!is_input && !is_output)
            throw std::runtime_error("value reference " + std::to_string(reference) +
                                     " is no variable with intermediateUpdate");
        sets_inputs = sets_inputs || is_input;
    }
    variables_.assign(variables.begin(), variables.end());
    std::ranges::sort(variables_);
    callback_ = callback;
    environment_ = environment;
    instance.listen(this, sets_inputs);
}

void Updates::update(double time, Mode mode) {
    constexpr bool can_return_early = false;
    bool early_return_requested = false;
    double early_return_time = time;
    const bool setting = mode == Mode::setting;
    mode_ = mode;
    callback_(environment_, time, setting, !setting, !setting, can_return_early,
              &early_return_requested, &early_return_time);
    mode_ = Mode::none;
}

void Updates::check_access(const ModelType& type, std::span<const ValueRef> references) const {
    for (const ValueRef reference : references) {
        const bool is_named = std::ranges::binary_search(variables_, reference);
        if (is_named && (mode_ == Mode::getting || is_continuous_input(type.variables[reference])))
            continue;
        throw std::runtime_error("value reference " + std::to_string(reference) +
                                 " is none of the variables that may be " +
                                 (mode_ == Mode::setting ? "set" : "read") + " within a step");
    }
}

} // namespace rubato::model
