// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "session.hpp"

namespace rubato::python {

/// A scenario with the session that it belongs to, which outlives it.
struct System {
    std::shared_ptr<Session> session;
    Scenario scenario;
};

/// Options of a new session: its log, and its units in Python.
LoadOptions load_options(Session& session, bool strict);

/// A system in a session of its own.
template <class Load>
System open(bool strict, Load&& load) {
    auto session = std::make_shared<Session>();
    Scenario scenario = in_session(*session, [&] { return load(load_options(*session, strict)); });
    return {std::move(session), std::move(scenario)};
}

/// Calls a function of the library with a system's scenario.
template <class Call>
auto with(System& system, Call&& call) {
    return in_session(*system.session, [&] { return call(system.scenario); });
}

/// Passes messages on, lets Python handle signals, and calls `progress`, unless that is None. False:
/// it has returned False, or something was raised, which is kept. Without the GIL.
template <class... Arguments>
bool ask_python(Session& session, std::optional<nb::python_error>& raised,
                const nb::object& progress, Arguments... arguments) {
    const nb::gil_scoped_acquire gil;
    try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        pass_messages_on(session);
        if (progress.is_none()) return true;
        const nb::object answer = progress(arguments...);
        return answer.ptr() != Py_False;
    } catch (nb::python_error& error) {
        raised.emplace(std::move(error));
        return false;
    }
}

/// Runs, asks Python for signals and progress, and keeps what was recorded if it does not end well.
template <class Run>
Result run_to_end(Session& session, RunOptions options, nb::object progress, Run&& run) {
    std::optional<nb::python_error> raised;
    session.partial.reset();
    options.progress = [&](double time, double fraction) {
        return ask_python(session, raised, progress, time, fraction);
    };
    std::optional<Result> so_far;
    options.so_far = &so_far;
    try {
        Result result = in_session(session, [&] { return run(options); });
        if (!raised) return result;
        session.partial = std::move(result);
    } catch (...) {
        session.partial = std::move(so_far);
        throw;
    }
    throw std::move(*raised);
}

} // namespace rubato::python
