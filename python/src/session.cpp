// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>

namespace rubato::python {

void MessageQueue::write(LogLevel level, std::string_view source, std::string_view message) {
    const std::scoped_lock lock(mutex_);
    messages_.push_back({level, std::string(source), std::string(message)});
    is_empty_.store(false, std::memory_order_relaxed);
}

std::vector<MessageQueue::Message> MessageQueue::take() {
    const std::scoped_lock lock(mutex_);
    is_empty_.store(true, std::memory_order_relaxed);
    return std::exchange(messages_, {});
}

Busy::Busy(Session& session) : session_(session) {
    if (!session.is_busy.exchange(true, std::memory_order_acquire)) return;
    nb::object type = nb::module_::import_("rubato._errors").attr("InUseError");
    PyErr_SetString(type.ptr(),
                    "the system is in use: by another thread, or by a run that has called this\n"
                    "  use a copy of the system (system.copy()) in each thread, and do not call it "
                    "from its own units and callbacks");
    throw nb::python_error();
}

void pass_messages_on(Session& session) {
    if (session.messages.is_empty()) return;
    nb::object emit = nb::module_::import_("rubato._log").attr("emit");
    for (const MessageQueue::Message& message : session.messages.take())
        emit(static_cast<int>(message.level), message.source, message.text);
}

Value value_of(nb::handle object) {
    if (PyBool_Check(object.ptr())) return object.ptr() == Py_True;
    if (PyLong_Check(object.ptr())) return nb::cast<std::int64_t>(object);
    if (PyUnicode_Check(object.ptr())) return nb::cast<std::string>(object);
    const double number = PyFloat_AsDouble(object.ptr());
    if (PyErr_Occurred()) {
        PyErr_Clear();
        throw nb::type_error("a value is a number, a bool or a str");
    }
    return number;
}

namespace {

void set_place(nb::object& exception, const InputProblems& fault) {
    nb::list problems;
    const Diagnostic* first = nullptr;
    for (const Diagnostic& each : fault.problems()) {
        if (each.severity == Severity::error && !first) first = &each;
        problems.append(each); // a Problem
    }
    exception.attr("problems") = problems;
    if (!first) return;
    if (!first->where.file.empty()) exception.attr("file") = first->where.file;
    if (first->where.line > 0) exception.attr("line") = first->where.line;
}

void set_unit(nb::object& exception, const UnitError& fault) {
    exception.attr("unit") = fault.unit();
    if (fault.time()) exception.attr("time") = *fault.time();
    const auto* const of_python = dynamic_cast<const PythonUnitError*>(&fault);
    if (!of_python) return;
    // As `raise … from cause`: the traceback of the unit is shown, too.
    exception.attr("__cause__") = of_python->cause().get();
}

const char* class_of(const Error& fault) {
    if (dynamic_cast<const InputError*>(&fault)) return "InputError";
    return dynamic_cast<const UnitError*>(&fault) ? "UnitError" : "Error";
}

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error& fault) {
        nb::object type = nb::module_::import_("rubato._errors").attr(class_of(fault));
        nb::object exception = type(nb::str(fault.what()));
        if (const auto* problems = dynamic_cast<const InputProblems*>(&fault))
            set_place(exception, *problems);
        if (const auto* unit = dynamic_cast<const UnitError*>(&fault)) set_unit(exception, *unit);
        PyErr_SetObject(type.ptr(), exception.ptr());
    }
}

} // namespace

void register_errors() { nb::register_exception_translator(translate); }

} // namespace rubato::python
