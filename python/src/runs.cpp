// SPDX-License-Identifier: Apache-2.0
#include "scenarios.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace rubato::python {

namespace {

/// A simulation under way. It keeps its session alive, and its scenario's library.
struct Run {
    std::shared_ptr<Session> session;
    std::optional<Simulation> simulation; ///< none: it was closed

    Simulation& get() {
        if (simulation) return *simulation;
        throw InputError("the run has ended",
                         "read values, step, save and restore before it is closed, inside of the "
                         "with statement");
    }
};

/// Calls the simulation.
template <class Call>
auto with(Run& run, Call&& call) {
    return in_session(*run.session, [&] { return call(run.get()); });
}

Run start(System& system, bool record) {
    Simulation simulation = in_session(
        *system.session, [&] { return rubato::start(system.scenario, {.record = record}); });
    return {system.session, std::move(simulation)};
}

} // namespace

void bind_runs(nb::module_& module) {
    nb::class_<SavedState>(module, "SavedState").def_prop_ro("time", &SavedState::time);
    nb::class_<Run>(module, "Run")
        .def("step",
             [](Run& self) { return with(self, [](Simulation& each) { return each.step(); }); })
        .def("time",
             [](Run& self) {
                 const Busy busy(*self.session);
                 return self.get().time();
             })
        .def("has_ended",
             [](Run& self) {
                 const Busy busy(*self.session);
                 return self.get().has_ended();
             })
        .def("get",
             [](Run& self, std::string_view name) {
                 return with(self, [&](Simulation& each) { return each.get<Value>(name); });
             })
        .def("set",
             [](Run& self, std::string_view name, nb::handle object) {
                 const Value value = value_of(object);
                 with(self, [&](Simulation& each) { each.set(name, value); });
             })
        .def("save",
             [](Run& self) { return with(self, [](Simulation& each) { return each.save(); }); })
        .def("restore",
             [](Run& self, const SavedState& state) {
                 with(self, [&](Simulation& each) { each.restore(state); });
             })
        .def("trust",
             [](Run& self) { return with(self, [](Simulation& each) { return each.trust(); }); })
        .def("result",
             [](Run& self) { return with(self, [](Simulation& each) { return each.result(); }); })
        .def("is_open", [](const Run& self) { return self.simulation.has_value(); })
        .def("close", [](Run& self) {
            const Busy busy(*self.session);
            const nb::gil_scoped_release released;
            self.simulation.reset();
        });
    module.def("start", &start);
}

} // namespace rubato::python
