// SPDX-License-Identifier: Apache-2.0
#include "scenarios.hpp"

#include "units.hpp"

#include <rubato/analysis.hpp>
#include <rubato/unit/library.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace rubato::python {

LoadOptions load_options(Session& session, bool strict) {
    return {
        .log = &session.messages, .strict = strict, .extend = [&session](unit::Library& library) {
            library.add(make_unit_factory(session));
        }};
}

namespace {

using Path = std::string; ///< Python gives a str; its stubs know no other type

void bind_information(nb::module_& module) {
    nb::class_<VariableInfo>(module, "VariableInfo")
        .def_ro("name", &VariableInfo::name)
        .def_ro("type", &VariableInfo::type)
        .def_ro("causality", &VariableInfo::causality)
        .def_ro("variability", &VariableInfo::variability)
        .def_ro("unit", &VariableInfo::unit)
        .def_ro("description", &VariableInfo::description)
        .def_ro("start", &VariableInfo::start)
        .def_ro("minimum", &VariableInfo::minimum)
        .def_ro("maximum", &VariableInfo::maximum)
        .def_ro("nominal", &VariableInfo::nominal)
        .def_ro("shape", &VariableInfo::shape);
    nb::class_<UnitInfo>(module, "UnitInfo")
        .def_ro("model", &UnitInfo::model)
        .def_ro("kind", &UnitInfo::kind)
        .def_ro("source", &UnitInfo::source)
        .def_ro("description", &UnitInfo::description)
        .def_ro("tool", &UnitInfo::tool)
        .def_ro("variables", &UnitInfo::variables)
        .def_ro("can_save", &UnitInfo::can_save)
        .def_ro("start", &UnitInfo::start)
        .def_ro("stop", &UnitInfo::stop)
        .def_ro("step", &UnitInfo::step)
        .def_ro("tolerance", &UnitInfo::tolerance);
    nb::class_<SettingInfo>(module, "SettingInfo")
        .def_ro("path", &SettingInfo::path)
        .def_ro("type", &SettingInfo::type)
        .def_ro("choices", &SettingInfo::choices)
        .def_ro("default", &SettingInfo::default_value)
        .def_ro("meaning", &SettingInfo::meaning);
}

void bind_findings(nb::module_& module) {
    nb::class_<Diagnostic>(module, "Problem")
        .def_prop_ro("severity",
                     [](const Diagnostic& self) {
                         return self.severity == Severity::error     ? "error"
                                : self.severity == Severity::warning ? "warning"
                                                                     : "note";
                     })
        .def_prop_ro("file", [](const Diagnostic& self) { return self.where.file; })
        .def_prop_ro("line", [](const Diagnostic& self) { return self.where.line; })
        .def_ro("message", &Diagnostic::message)
        .def_ro("hint", &Diagnostic::hint)
        .def("__str__", [](const Diagnostic& self) { return to_string(self); });
    nb::class_<Check>(module, "Check")
        .def_ro("problems", &Check::problems)
        .def_ro("remarks", &Check::remarks)
        .def_prop_ro("is_correct", &Check::is_correct);
    nb::class_<Counterexample>(module, "Counterexample")
        .def_ro("message", &Counterexample::message)
        .def_ro("hint", &Counterexample::hint)
        .def_ro("trace", &Counterexample::trace);
    nb::class_<Verification>(module, "Verification")
        .def_prop_ro("outcome",
                     [](const Verification& self) {
                         static constexpr const char* names[] = {"correct", "wrong", "not decided"};
                         return names[static_cast<std::size_t>(self.outcome)];
                     })
        .def_ro("counterexamples", &Verification::counterexamples)
        .def_ro("undecided", &Verification::undecided)
        .def_ro("runs", &Verification::runs);
    nb::class_<Violation>(module, "Violation")
        .def_ro("rule", &Violation::rule)
        .def_prop_ro("file", [](const Violation& self) { return self.where.file; })
        .def_prop_ro("line", [](const Violation& self) { return self.where.line; })
        .def_ro("message", &Violation::message)
        .def_ro("hint", &Violation::hint)
        .def_ro("treatment", &Violation::treatment)
        .def_ro("consequence", &Violation::consequence);
}

Result run(System& self, const Path& results, bool overwrite, const nb::object& progress) {
    RunOptions options{.results = results, .overwrite = overwrite};
    return run_to_end(*self.session, std::move(options), progress,
                      [&](const RunOptions& wanted) { return rubato::run(self.scenario, wanted); });
}

Result simulate_fmu(const Path& fmu, SimulateOptions options, const Path& results, bool overwrite,
                    bool strict, const nb::object& progress) {
    Session session;
    RunOptions wanted{.results = results, .overwrite = overwrite};
    return run_to_end(session, std::move(wanted), progress, [&](const RunOptions& run) {
        options.run = run;
        return rubato::simulate(fmu, options, load_options(session, strict));
    });
}

void bind_system(nb::module_& module) {
    nb::class_<System>(module, "Scenario")
        .def("copy", [](const System& self) { return self; })
        .def("copy_apart", // reads plain data, which nobody changes: any thread may
             [](const System& self, bool strict) {
                 auto session = std::make_shared<Session>();
                 session->models = self.session->models;
                 Scenario scenario = copy_apart(self.scenario, load_options(*session, strict));
                 return System{std::move(session), std::move(scenario)};
             })
        .def("name", [](const System& self) { return self.scenario.name(); })
        .def("units", [](const System& self) { return self.scenario.units(); })
        .def("to_yaml", [](const System& self) { return self.scenario.to_yaml(); })
        .def("set_yaml",
             [](System& self, const std::string& path, const std::string& yaml) {
                 with(self, [&](Scenario& scenario) { scenario.set_yaml(path, yaml); });
             })
        .def("add_unit",
             [](System& self, const std::string& name, const std::string& yaml) {
                 with(self, [&](Scenario& scenario) { scenario.add_unit(name, yaml); });
             })
        .def("connect",
             [](System& self, const std::string& from, const std::string& to,
                const std::string& yaml) {
                 with(self, [&](Scenario& scenario) { scenario.connect(from, to, yaml); });
             })
        .def("add_model",
             [](System& self, const std::string& name, nb::object model) {
                 const Busy busy(*self.session);
                 self.session->models.insert_or_assign(name, Held(std::move(model)));
             })
        .def("describe",
             [](System& self, const std::string& unit) {
                 return with(self, [&](Scenario& scenario) { return describe(scenario, unit); });
             })
        .def("check",
             [](System& self) { return with(self, [](Scenario& each) { return check(each); }); })
        .def("verify",
             [](System& self) { return with(self, [](Scenario& each) { return verify(each); }); })
        .def("diagram",
             [](System& self) { return with(self, [](Scenario& each) { return diagram(each); }); })
        .def("synthesize",
             [](System& self, const std::string& format) {
                 std::vector<std::string> losses;
                 std::string text = with(self, [&](Scenario& scenario) {
                     return synthesize(scenario, format, &losses);
                 });
                 return std::pair(text, losses);
             })
        .def(
            "graph",
            [](System& self, const std::string& of, std::optional<std::string> configuration,
               const std::string& format) {
                const GraphOptions options{of, std::move(configuration), format};
                return with(self, [&](Scenario& scenario) { return graph(scenario, options); });
            },
            nb::arg("of"), nb::arg("configuration").none(), nb::arg("format"))
        .def("export_fmu",
             [](System& self, const Path& target, int fmi, bool overwrite) {
                 return with(self, [&](Scenario& scenario) {
                     return export_fmu(scenario, target, {fmi, overwrite});
                 });
             })
        .def("run", &run, nb::arg("results"), nb::arg("overwrite"), nb::arg("progress").none())
        .def("take_partial", [](System& self) { return std::exchange(self.session->partial, {}); });
}

} // namespace

void bind_scenarios(nb::module_& module) {
    bind_information(module);
    bind_findings(module);
    bind_system(module);
    module.def("load", [](const Path& file, bool strict) {
        return open(strict, [&](const LoadOptions& options) { return load(file, options); });
    });
    module.def("load_text", [](const std::string& text, const Path& file, bool strict) {
        return open(strict,
                    [&](const LoadOptions& options) { return load_text(text, file, options); });
    });
    module.def("make_scenario", [](const Path& file, bool strict) {
        return open(strict,
                    [&](const LoadOptions& options) { return make_scenario(file, options); });
    });
    module.def("inspect", [](const Path& fmu, bool strict) {
        Session session;
        return in_session(session, [&] { return inspect(fmu, load_options(session, strict)); });
    });
    module.def("validate", [](const Path& fmu) {
        const nb::gil_scoped_release released;
        return validate(fmu);
    });
    module.def(
        "simulate",
        [](const Path& fmu, std::optional<double> start, std::optional<double> stop,
           std::optional<double> step, std::optional<double> tolerance,
           std::vector<std::string> settings, std::vector<std::string> record,
           std::optional<Path> input, std::optional<std::string> interface, const Path& results,
           bool overwrite, bool strict, const nb::object& progress) {
            return simulate_fmu(fmu,
                                {.start = start,
                                 .stop = stop,
                                 .step = step,
                                 .tolerance = tolerance,
                                 .settings = std::move(settings),
                                 .record = std::move(record),
                                 .input = input,
                                 .interface = std::move(interface)},
                                results, overwrite, strict, progress);
        },
        nb::arg("fmu"), nb::arg("start").none(), nb::arg("stop").none(), nb::arg("step").none(),
        nb::arg("tolerance").none(), nb::arg("settings"), nb::arg("record"),
        nb::arg("input").none(), nb::arg("interface").none(), nb::arg("results"),
        nb::arg("overwrite"), nb::arg("strict"), nb::arg("progress").none());
    module.def("settings", &settings);
    module.def("version", [] { return std::string(version()); });
}

} // namespace rubato::python
