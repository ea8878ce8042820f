// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>

#include <string>

namespace rubato::test {

/// The forms in which the models of models/ come.
enum class Form { native, fmi2, fmi3 };

/// Makes FMUs of native models; those named in `forgetful` cannot save their state.
inline void use(Form form, scenario::Scenario& scenario, const std::string& forgetful = {}) {
    if (form == Form::native) return;
    const std::string version = form == Form::fmi2 ? "/fmi2/" : "/fmi3/";
    for (scenario::Unit& unit : scenario.units) {
        const std::string folder = *unit.model == forgetful ? "/forgetful" : "";
        unit.fmu = FMUS + folder + version + *unit.model + ".fmu";
        unit.model.reset();
    }
}

inline std::string name_of(Form form) {
    return form == Form::native ? "Native" : form == Form::fmi2 ? "Fmi2" : "Fmi3";
}

} // namespace rubato::test
