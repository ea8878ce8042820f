// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "instance_context.hpp"

#include <string>
#include <vector>

namespace rubato::unit {

/// Sets in an instance by `function` (fmi2SetDebugLogging or fmi3SetDebugLogging) which categories
/// to log. One that does not know them runs all the same.
template <class Function, class Instance, class Boolean>
void choose_categories(Function* function, Instance instance, Boolean on, const std::string& unit,
                       const InstanceContext& context) {
    std::vector<const char*> names;
    for (const std::string& category : context.logging.categories)
        names.push_back(category.c_str());
    constexpr int worst_good_status = 1;
    const bool is_done =
        function != nullptr &&
        static_cast<int>(function(instance, on, names.size(), names.data())) <= worst_good_status;
    if (!is_done)
        context.log.write(LogLevel::warning, unit,
                          "the FMU does not take the log categories of the scenario");
}

} // namespace rubato::unit
