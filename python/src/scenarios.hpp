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

/// Runs, asks Python for signals and progress, and keeps what was recorded if it does not end well.
template <class Run>
Result run_to_end(Session& session, RunOptions options, nb::object progress, Run&& run) {
    std::optional<nb::python_error> raised;
    session.partial.reset();
    options.progress = [&](double time, double fraction) {
        const nb::gil_scoped_acquire gil;
        try {
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            pass_messages_on(session);
            if (progress.is_none()) return true;
            const nb::object answer = progress(time, fraction);
            return answer.ptr() != Py_False;
        } catch (nb::python_error& error) {
            raised.emplace(std::move(error));
            return false;
        }
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
