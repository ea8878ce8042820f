// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/errors.hpp>
#include <rubato/core/log.hpp>
#include <rubato/rubato.hpp>

#include <nanobind/nanobind.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rubato::python {

namespace nb = nanobind;

/// A Python object that C++ code may drop without the GIL.
class Held {
public:
    explicit Held(nb::object object)
        : object_(new nb::object(std::move(object)), [](nb::object* held) {
              const nb::gil_scoped_acquire gil;
              delete held;
          }) {}
    /// With the GIL.
    const nb::object& get() const { return *object_; }

private:
    std::shared_ptr<nb::object> object_;
};

/// A unit that is written in Python has raised an exception.
class PythonUnitError : public UnitError {
public:
    PythonUnitError(const std::string& message, const std::string& unit, std::optional<double> time,
                    Held cause)
        : UnitError(message, {}, unit, time), cause_(std::move(cause)) {}
    const Held& cause() const { return cause_; }

private:
    Held cause_;
};

/// Keeps messages until the thread that holds the GIL passes them on: they come from any thread.
class MessageQueue final : public Log {
public:
    struct Message {
        LogLevel level;
        std::string source, text;
    };
    void write(LogLevel level, std::string_view source, std::string_view message) override;
    bool is_empty() const { return is_empty_.load(std::memory_order_relaxed); }
    std::vector<Message> take();

private:
    std::mutex mutex_;
    std::vector<Message> messages_;
    std::atomic<bool> is_empty_ = true;
};

/// What a system shares with its copies and runs. Only one call at a time may use it.
struct Session {
    MessageQueue messages;
    std::atomic<bool> is_busy = false;
    std::map<std::string, Held> models; ///< units in Python, by the name of their model
    std::optional<Result> partial;      ///< of a run that did not end well
};

/// Marks the session as used, or throws a RuntimeError of Python.
class Busy {
public:
    explicit Busy(Session& session);
    ~Busy() { session_.is_busy.store(false, std::memory_order_release); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    Session& session_;
};

/// Hands messages to Python's logging and warnings. May throw nb::python_error.
void pass_messages_on(Session& session);

/// Calls the library without the GIL, then passes messages on.
template <class Call>
auto in_session(Session& session, Call&& call) {
    const auto without_gil = [&] {
        const Busy busy(session);
        const nb::gil_scoped_release released;
        return call();
    };
    try {
        if constexpr (std::is_void_v<decltype(call())>) {
            without_gil();
            pass_messages_on(session);
        } else {
            auto result = without_gil();
            pass_messages_on(session);
            return result;
        }
    } catch (const Error&) {
        if (!session.messages.is_empty()) pass_messages_on(session);
        throw;
    }
}

/// A number, text or truth value, by the type that the object has. Throws nb::type_error.
Value value_of(nb::handle object);

/// Turns Rubato's errors into exceptions of the module rubato.
void register_errors();
void bind_results(nb::module_& module);
void bind_scenarios(nb::module_& module);
void bind_analysis(nb::module_& module);
void bind_runs(nb::module_& module);

} // namespace rubato::python
