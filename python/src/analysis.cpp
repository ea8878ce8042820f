// SPDX-License-Identifier: Apache-2.0
#include "scenarios.hpp"

#include <rubato/analysis.hpp>

#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <future>

// What is done with whole systems besides running them: transform, tune, stability, import, save.

namespace rubato::python {

namespace {

using Path = std::string; ///< Python gives a str; its stubs know no other type

void bind_stability(nb::module_& module) {
    nb::class_<Stability::Share>(module, "Share")
        .def_ro("name", &Stability::Share::name)
        .def_ro("part", &Stability::Share::part)
        .def("__repr__", [](const Stability::Share& self) {
            return "<" + self.name + ": " + std::to_string(self.part) + ">";
        });
    nb::class_<Stability::Mode>(module, "Mode")
        .def_ro("eigenvalue", &Stability::Mode::eigenvalue)
        .def_ro("connections", &Stability::Mode::connections)
        .def_ro("units", &Stability::Mode::units);
    nb::class_<Stability>(module, "Stability")
        .def_ro("is_stable", &Stability::is_stable)
        .def_ro("spectral_radius", &Stability::spectral_radius)
        .def_ro("uncertainty", &Stability::uncertainty)
        .def_ro("time", &Stability::time)
        .def_ro("step", &Stability::step)
        .def_ro("modes", &Stability::modes)
        .def_ro("remarks", &Stability::remarks)
        .def_ro("picture", &Stability::picture);
    nb::class_<StableStep>(module, "StableStep")
        .def_ro("algorithm", &StableStep::algorithm)
        .def_ro("stable", &StableStep::stable)
        .def_ro("unstable", &StableStep::unstable)
        .def_ro("radius", &StableStep::radius)
        .def_ro("reason", &StableStep::reason);
    module.def(
        "stability",
        [](System& system, std::optional<double> at) {
            return with(system, [&](Scenario& each) { return analyze_stability(each, at); });
        },
        nb::arg("system"), nb::arg("at").none());
    module.def(
        "stable_steps",
        [](System& system, std::optional<double> at) {
            return with(system, [&](Scenario& each) { return find_stable_steps(each, at); });
        },
        nb::arg("system"), nb::arg("at").none());
}

/// Searches on a thread of its own. This one lets Python handle signals, and reports progress.
Tuning search(const Scenario& scenario, TuneOptions options, const nb::object& progress,
              std::optional<nb::python_error>& raised) {
    constexpr auto pause = std::chrono::milliseconds(50);
    std::atomic<bool> stop = false;
    std::atomic<std::size_t> runs = 0;
    options.stop_request = &stop;
    options.progress = [&](std::size_t count) { runs = count; };
    std::future<Tuning> found =
        std::async(std::launch::async, [&] { return tune(scenario, options); });
    for (std::size_t told = 0; found.wait_for(pause) != std::future_status::ready;) {
        const std::size_t count = runs;
        const nb::gil_scoped_acquire gil;
        try {
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (stop || count == told || progress.is_none()) continue;
            told = count;
            if (progress(count).ptr() == Py_False) stop = true;
        } catch (nb::python_error& error) {
            raised.emplace(std::move(error));
            stop = true;
        }
    }
    try {
        return found.get();
    } catch (const Error&) {
        if (!raised) throw;
        return {}; // it was stopped before it had anything
    }
}

std::pair<Tuning, std::optional<System>> tune_system(System& system, const TuneOptions& options,
                                                     const nb::object& progress) {
    std::optional<nb::python_error> raised;
    Tuning found = with(
        system, [&](Scenario& scenario) { return search(scenario, options, progress, raised); });
    if (raised) throw std::move(*raised);
    std::optional<System> best;
    if (found.scenario) best = System{system.session, *std::exchange(found.scenario, {})};
    return {std::move(found), std::move(best)};
}

void bind_tuning(nb::module_& module) {
    using Trial = Tuning::Trial;
    nb::class_<Trial>(module, "Trial")
        .def_ro("way", &Trial::way)
        .def_ro("error", &Trial::error)
        .def_ro("worst", &Trial::worst)
        .def_ro("seconds", &Trial::seconds)
        .def_ro("messages", &Trial::messages)
        .def_ro("unit_steps", &Trial::unit_steps)
        .def_ro("is_within", &Trial::is_within)
        .def_ro("fault", &Trial::fault);
    nb::class_<Tuning>(module, "Tuning")
        .def_ro("trials", &Tuning::trials)
        .def_ro("best", &Tuning::best)
        .def_ro("front", &Tuning::front)
        .def_ro("reference", &Tuning::reference)
        .def_ro("reference_change", &Tuning::reference_change)
        .def_ro("reference_is_sure", &Tuning::reference_is_sure)
        .def_ro("stopped", &Tuning::stopped);
    module.def(
        "tune",
        [](System& system, double tolerance, double budget, const std::string& minimize,
           unsigned parallel, const nb::object& progress) {
            return tune_system(system,
                               {.tolerance = tolerance,
                                .budget = budget,
                                .minimize = minimize,
                                .parallel = parallel},
                               progress);
        },
        nb::arg("system"), nb::arg("tolerance"), nb::arg("budget"), nb::arg("minimize"),
        nb::arg("parallel"), nb::arg("progress").none());
}

void bind_transformation(nb::module_& module) {
    using Stage = Transformation::Stage;
    nb::class_<Stage>(module, "TransformStage")
        .def_ro("concern", &Stage::concern)
        .def_ro("is_present", &Stage::is_present)
        .def_ro("explanation", &Stage::explanation);
    module.def("transform", [](System& system, const std::vector<std::string>& concerns) {
        Transformation found =
            with(system, [&](Scenario& each) { return transform_scenario(each, concerns); });
        return std::pair(System{system.session, std::move(found.scenario)},
                         std::move(found.stages));
    });
}

} // namespace

void bind_analysis(nb::module_& module) {
    bind_stability(module);
    bind_tuning(module);
    bind_transformation(module);
    module.def("save", [](System& system, const Path& file) {
        with(system, [&](Scenario& scenario) { save(scenario, file); });
    });
    module.def("export_ssp", [](System& system, const Path& target, bool overwrite) {
        return with(system, [&](Scenario& each) { return export_ssp(each, target, overwrite); });
    });
    module.def("import_system", [](const Path& system, const Path& target,
                                   const std::string& variant, bool overwrite, bool strict) {
        return open(strict, [&](const LoadOptions& options) {
            return import_system(system, target, {variant, overwrite}, options);
        });
    });
}

} // namespace rubato::python
