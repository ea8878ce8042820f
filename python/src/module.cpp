// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

// The bare functions that the package rubato is written with: python/rubato says what they are for.
NB_MODULE(_rubato, module) {
    module.doc() = "The library of Rubato; use the package rubato.";
    nanobind::set_leak_warnings(false); // Python keeps what it likes until it exits
    rubato::python::register_errors();
    rubato::python::bind_results(module);
    rubato::python::bind_scenarios(module);
    rubato::python::bind_analysis(module);
    rubato::python::bind_runs(module);
}
