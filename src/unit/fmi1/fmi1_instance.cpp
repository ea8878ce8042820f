// SPDX-License-Identifier: Apache-2.0
#include "fmi1_instance.hpp"

#include "fmu/logged_text.hpp"
#include "fmu/trial.hpp"

#include <rubato/private/format.hpp>

#include <array>
#include <cstdarg>
#include <cstdlib>
#include <utility>

namespace rubato::unit {

using fmi1::Status;
using scenario::Interface;

namespace {

std::string_view name_of(Status status) {
    static constexpr std::array<std::string_view, 6> names = {
        "fmiOK", "fmiWarning", "fmiDiscard", "fmiError", "fmiFatal", "fmiPending"};
    const auto index = static_cast<std::size_t>(status);
    return index < names.size() ? names[index] : "a status that FMI 1.0 does not have";
}

LogLevel level_of(Status status) {
    switch (status) {
    case Status::ok:
    case Status::pending: return LogLevel::info;
    case Status::warning:
    case Status::discard: return LogLevel::warning;
    default: return LogLevel::error;
    }
}

extern "C" {

[[gnu::cold]] void rubato_fmi1_logger(fmi1::Component component, fmi1::String name, Status status,
                                      fmi1::String category, fmi1::String message, ...) {
    if (message == nullptr) return;
    std::va_list arguments;
    va_start(arguments, message);
    const LoggedText logged(message, arguments);
    va_end(arguments);
    UnitLog::write(component, name, level_of(status), category, logged.text());
}

void* rubato_fmi1_allocate(std::size_t count, std::size_t size) { return std::calloc(count, size); }

void rubato_fmi1_free(void* memory) { std::free(memory); }
}

fmi1::Component instantiate_slave(const std::string& name, const Fmi1Binary& binary,
                                  const std::string& guid, fmi1::Boolean logs) {
    constexpr double no_time_limit = 0;
    return binary.functions.instantiate_slave(
        name.c_str(), guid.c_str(), binary.location.c_str(), "application/x-fmu-sharedlibrary",
        no_time_limit, fmi1::no, fmi1::no,
        {&rubato_fmi1_logger, &rubato_fmi1_allocate, &rubato_fmi1_free, nullptr}, logs);
}

fmi1::Component instantiate_model(const std::string& name, const Fmi1Binary& binary,
                                  const std::string& guid, fmi1::Boolean logs) {
    return binary.functions.instantiate_model(
        name.c_str(), guid.c_str(), {&rubato_fmi1_logger, &rubato_fmi1_allocate, &rubato_fmi1_free},
        logs);
}

} // namespace

Fmi1Instance::Fmi1Instance(const std::string& name, Interface interface, const Fmi1Binary& binary,
                           const scenario::UnitDescription& description, InstanceContext context,
                           FaultSink& sink)
    : binary_(binary), sink_(sink), log_(context.log, name, context.logging.limit),
      rules_(context.log, name, binary.strictness, sink), starts_(description, context.log, name),
      claim_(std::move(context.claim)) {
    const bool steps = interface == Interface::co_simulation;
    terminate_name_ = steps ? "fmiTerminateSlave" : "fmiTerminate";
    const fmi1::Boolean logs = context.logging.on ? fmi1::yes : fmi1::no;
    component_ = steps ? instantiate_slave(name, binary, description.identifier, logs)
                       : instantiate_model(name, binary, description.identifier, logs);
    log_.belongs_to(component_);
    if (!context.logging.categories.empty())
        context.log.write(LogLevel::warning, name, "FMI 1.0 has no log categories to choose from");
    if (component_ != nullptr) return;
    const std::string reason = log_.take_error();
    sink_.fault(steps ? "fmiInstantiateSlave" : "fmiInstantiateModel",
                reason.empty() ? "it returned no instance" : reason);
}

Fmi1Instance::~Fmi1Instance() {
    if (component_ == nullptr) return;
    if (runs_ && functions().terminate(component_) == Status::fatal) return;
    functions().free_instance(component_);
}

void Fmi1Instance::terminate() {
    runs_ = false;
    if (!is_missing(functions().terminate))
        check(functions().terminate(component_), terminate_name_);
}

void Fmi1Instance::check_start_values() {
    starts_.check([&](const Bulk& values) { return try_get(values); });
}

bool Fmi1Instance::try_get(const Bulk& values) {
    const Trial trial(is_trial_, log_, rules_);
    try {
        get(values);
    } catch (const TrialRefused&) {
        return false;
    }
    return true;
}

void Fmi1Instance::fail(Status status, const char* call) {
    if (status == Status::fatal) {
        component_ = nullptr;
        is_trial_ = false;
    }
    if (status == missing_function_status<Status>) fail(call, function_is_missing);
    const std::string reason = log_.take_error();
    fail(call, reason.empty() ? format("it returned {} and logged no reason", name_of(status))
                              : format("it returned {}: {}", name_of(status), reason));
}

void Fmi1Instance::fail(const char* call, std::string_view reason) {
    if (is_trial_) throw TrialRefused{};
    runs_ = false;
    sink_.fault(call, reason);
    std::abort(); // fault throws
}

} // namespace rubato::unit
