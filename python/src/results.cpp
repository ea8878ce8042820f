// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace rubato::python {

namespace {

using Array = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;

/// A view of values that live as long as their owner.
Array view(std::span<const double> values, nb::handle owner) {
    static const double nothing = 0;
    return Array(values.empty() ? &nothing : values.data(), {values.size()}, owner);
}

const char* name_of(Trust::Grade grade) {
    switch (grade) {
    case Trust::Grade::unknown: return "unknown";
    case Trust::Grade::good: return "good";
    case Trust::Grade::fair: return "fair";
    case Trust::Grade::rough: return "rough";
    case Trust::Grade::poor: return "poor";
    case Trust::Grade::perhaps_unstable: return "perhaps unstable";
    case Trust::Grade::unstable: return "unstable";
    }
    return "unknown";
}

void bind_trust(nb::module_& module) {
    using Connection = Trust::Connection;
    nb::class_<Connection>(module, "ConnectionTrust")
        .def_ro("source", &Connection::from)
        .def_ro("target", &Connection::to)
        .def_ro("unit", &Connection::unit)
        .def_ro("range", &Connection::range)
        .def_ro("largest", &Connection::largest)
        .def_ro("time", &Connection::time)
        .def_ro("relative", &Connection::relative)
        .def_ro("jumps", &Connection::jumps);
    nb::class_<Trust::Bond>(module, "BondTrust")
        .def_ro("name", &Trust::Bond::name)
        .def_ro("exchanged", &Trust::Bond::exchanged)
        .def_ro("created", &Trust::Bond::created)
        .def_ro("relative", &Trust::Bond::relative);
    nb::class_<Trust>(module, "Trust")
        .def_prop_ro("grade", [](const Trust& trust) { return name_of(trust.grade); })
        .def_ro("lines", &Trust::lines)
        .def_ro("advice", &Trust::advice)
        .def_ro("connections", &Trust::connections)
        .def_ro("bonds", &Trust::bonds)
        .def("text", &Trust::text);
}

} // namespace

void bind_results(nb::module_& module) {
    bind_trust(module);
    nb::class_<Event>(module, "Event")
        .def_ro("time", &Event::time)
        .def_ro("microstep", &Event::microstep)
        .def_ro("unit", &Event::unit)
        .def_ro("variable", &Event::variable)
        .def_ro("before", &Event::before)
        .def_ro("after", &Event::after);
    nb::class_<Result>(module, "Result")
        .def("time",
             [](nb::handle_t<Result> self) {
                 return view(nb::cast<const Result&>(self).time(), self);
             })
        .def("column",
             [](nb::handle_t<Result> self, std::string_view name) {
                 return view(nb::cast<const Result&>(self)[name], self);
             })
        .def("names",
             [](const Result& self) {
                 return std::vector<std::string>(self.names().begin(), self.names().end());
             })
        .def("unit", &Result::unit)
        .def("type", [](const Result& self, std::string_view name) { return self.type(name); })
        .def("events",
             [](const Result& self) {
                 return std::vector<Event>(self.events().begin(), self.events().end());
             })
        .def("trust", &Result::trust, nb::rv_policy::copy)
        .def("steps", &Result::steps)
        .def("is_complete", &Result::is_complete)
        .def("message", &Result::message)
        .def("plot", [](const Result& self, const std::vector<std::string>& names) {
            const nb::gil_scoped_release released;
            return self.plot(names);
        });
}

} // namespace rubato::python
