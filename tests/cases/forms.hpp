// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>

#include <string>

namespace rubato::test {

/// The forms in which the models of models/ come; `isolated`: FMI 3.0, each in its own process;
/// `solved`: FMI 3.0 for model exchange.
enum class Form { native, fmi2, fmi3, isolated, solved };

/// Makes FMUs of native models; those named in `forgetful` cannot save their state.
inline void use(Form form, scenario::Scenario& scenario, const std::string& forgetful = {}) {
    if (form == Form::native) return;
    const std::string version = form == Form::fmi2 ? "/fmi2/" : "/fmi3/";
    for (scenario::Unit& unit : scenario.units) {
        const auto* const native = std::get_if<scenario::NativeModel>(&unit.origin);
        if (!native) continue; // a table
        const std::string model = native->name;
        const std::string folder = model == forgetful ? "/forgetful" : "";
        unit.origin = scenario::FmuFile{FMUS + folder + version + model + ".fmu"};
        if (form == Form::isolated) unit.isolate.emplace();
        if (form == Form::solved) unit.type = scenario::Interface::model_exchange;
    }
}

inline std::string name_of(Form form) {
    constexpr const char* names[] = {"Native", "Fmi2", "Fmi3", "Isolated", "Solved"};
    return names[static_cast<std::size_t>(form)];
}

} // namespace rubato::test
