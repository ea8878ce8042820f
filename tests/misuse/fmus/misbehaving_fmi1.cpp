// SPDX-License-Identifier: Apache-2.0

/// An FMI 1.0 FMU, for both interfaces, whose GUID says what it does wrong, at t = 0.5 s where it
/// takes a time. With any other GUID it behaves: y = u, x' = p, and every variable gives back what
/// was set.

#include "resources.hpp"

#include <rubato/fmi/fmi1.hpp>

#include <cstdlib>
#include <string>
#include <string_view>

namespace fmi1 = rubato::fmi1;
using fmi1::Status;

#define EXPORT extern "C" __attribute__((visibility("default")))
#define PASTE(prefix, name) prefix##_##name
#define PREFIXED(prefix, name) PASTE(prefix, name)
#define FMI(name) PREFIXED(IDENTIFIER, name)

namespace {

constexpr double fault_time = 0.5;

struct Instance {
    std::string name, behaviour;
    fmi1::Logger* logger = nullptr;
    double reals[5] = {0, 0, 1, 0, 0}; // u, y, p, u_at_start, x
    int integer = 0;
    char boolean = 0;
    std::string text;
    double time = 0;
};

Instance& of(fmi1::Component component) { return *static_cast<Instance*>(component); }

bool is(const Instance& it, std::string_view behaviour) { return it.behaviour == behaviour; }

/// Gives its name only, as some FMUs do.
void complain(const Instance& it, const char* text) {
    if (is(it, "fails-silently")) return;
    it.logger(nullptr, it.name.c_str(), Status::error, "error", "%s", text);
}

fmi1::Component instantiate(fmi1::String name, fmi1::String guid, fmi1::Logger* logger) {
    auto* it = new Instance{name, guid, logger, {0, 0, 1, 0, 0}, 0, 0, "", 0};
    if (is(*it, "other-default")) it->reals[2] = 7;
    if (!is(*it, "null-instance")) return it;
    complain(*it, "no licence");
    delete it;
    return nullptr;
}

Status initialize(Instance& it) {
    if (is(it, "fails-in-initialization")) {
        complain(it, "the initial equations have no solution");
        return Status::error;
    }
    it.reals[3] = it.reals[0];
    if (is(it, "loses-parameters")) it.reals[2] = 1;
    return Status::ok;
}

Status fail_step(Instance& it) {
    if (is(it, "fails-in-step") || is(it, "fails-silently")) {
        complain(it, "the spring broke at 0.5 s");
        return Status::error;
    }
    if (is(it, "fatal")) {
        complain(it, "out of ideas");
        delete &it;
        return Status::fatal;
    }
    it.time = fault_time;
    if (is(it, "discards") || is(it, "lies-about-time")) return Status::discard;
    return is(it, "pends") ? Status::pending : Status::ok;
}

} // namespace

EXPORT Status FMI(fmiGetReal)(fmi1::Component component, const fmi1::ValueReference references[],
                              std::size_t count, double values[]) {
    const Instance& it = of(component);
    if (is(it, "fills-first")) count = 1;
    for (std::size_t i = 0; i < count; ++i)
        values[i] = it.reals[references[i] == 1 ? 0 : references[i]];
    return Status::ok;
}

EXPORT Status FMI(fmiSetReal)(fmi1::Component component, const fmi1::ValueReference references[],
                              std::size_t count, const double values[]) {
    for (std::size_t i = 0; i < count; ++i) of(component).reals[references[i]] = values[i];
    return Status::ok;
}

EXPORT Status FMI(fmiGetInteger)(fmi1::Component component, const fmi1::ValueReference[],
                                 std::size_t count, int values[]) {
    for (std::size_t i = 0; i < count; ++i) values[i] = of(component).integer;
    return Status::ok;
}

EXPORT Status FMI(fmiSetInteger)(fmi1::Component component, const fmi1::ValueReference[],
                                 std::size_t count, const int values[]) {
    for (std::size_t i = 0; i < count; ++i) of(component).integer = values[i];
    return Status::ok;
}

EXPORT Status FMI(fmiGetBoolean)(fmi1::Component component, const fmi1::ValueReference[],
                                 std::size_t count, char values[]) {
    for (std::size_t i = 0; i < count; ++i) values[i] = of(component).boolean;
    return Status::ok;
}

EXPORT Status FMI(fmiSetBoolean)(fmi1::Component component, const fmi1::ValueReference[],
                                 std::size_t count, const char values[]) {
    for (std::size_t i = 0; i < count; ++i) of(component).boolean = values[i];
    return Status::ok;
}

EXPORT Status FMI(fmiGetString)(fmi1::Component component, const fmi1::ValueReference[],
                                std::size_t count, fmi1::String values[]) {
    const Instance& it = of(component);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = is(it, "null-strings") ? nullptr : it.text.c_str();
    return Status::ok;
}

EXPORT Status FMI(fmiSetString)(fmi1::Component component, const fmi1::ValueReference[],
                                std::size_t count, const fmi1::String values[]) {
    for (std::size_t i = 0; i < count; ++i) of(component).text = values[i];
    return Status::ok;
}

// Co-simulation.

EXPORT fmi1::Component FMI(fmiInstantiateSlave)(fmi1::String name, fmi1::String guid,
                                                fmi1::String location, fmi1::String, double, char,
                                                char, fmi1::SlaveCallbacks callbacks, char) {
    const fmi1::Component component = instantiate(name, guid, callbacks.logger);
    if (component != nullptr && is(of(component), "reads-resources"))
        of(component).reals[0] =
            rubato::test::read_value(rubato::test::path_of(location) + "/resources");
    return component;
}

EXPORT void FMI(fmiFreeSlaveInstance)(fmi1::Component component) { delete &of(component); }

EXPORT Status FMI(fmiInitializeSlave)(fmi1::Component component, double, char, double) {
    return initialize(of(component));
}

EXPORT Status FMI(fmiDoStep)(fmi1::Component component, double time, double step, char) {
    Instance& it = of(component);
    if (is(it, "rounds-time")) {
        it.time = time + step * (1 + 1e-7);
        return Status::discard;
    }
    if (time < fault_time && time + step > fault_time) {
        const Status status = fail_step(it);
        if (status != Status::ok) return status;
    }
    it.time = time + step;
    return Status::ok;
}

EXPORT Status FMI(fmiGetRealStatus)(fmi1::Component component, fmi1::StatusKind, double* value) {
    *value = is(of(component), "lies-about-time") ? 1e9 : of(component).time;
    return Status::ok;
}

// Model exchange. There is neither fmiTerminate nor fmiCompletedIntegratorStep, nor do states have
// nominal values.

EXPORT fmi1::Component FMI(fmiInstantiateModel)(fmi1::String name, fmi1::String guid,
                                                fmi1::ModelCallbacks callbacks, char) {
    return instantiate(name, guid, callbacks.logger);
}

EXPORT void FMI(fmiFreeModelInstance)(fmi1::Component component) { delete &of(component); }

/// Leaves what it could tell of events as it was, as a rule.
EXPORT Status FMI(fmiInitialize)(fmi1::Component component, char, double, fmi1::EventInfo* info) {
    if (is(of(component), "never-settles")) *info = {};
    if (is(of(component), "demands-time") && of(component).time == 0) return Status::error;
    return initialize(of(component));
}

EXPORT Status FMI(fmiEventUpdate)(fmi1::Component component, char, fmi1::EventInfo* info) {
    if (is(of(component), "never-settles")) info->iteration_converged = fmi1::no;
    return Status::ok;
}

EXPORT Status FMI(fmiSetTime)(fmi1::Component component, double time) {
    of(component).time = time;
    return Status::ok;
}

EXPORT Status FMI(fmiSetContinuousStates)(fmi1::Component component, const double states[],
                                          std::size_t) {
    of(component).reals[4] = states[0];
    return Status::ok;
}

EXPORT Status FMI(fmiGetContinuousStates)(fmi1::Component component, double states[], std::size_t) {
    states[0] = of(component).reals[4];
    return Status::ok;
}

EXPORT Status FMI(fmiGetDerivatives)(fmi1::Component component, double derivatives[], std::size_t) {
    const Instance& it = of(component);
    if (is(it, "fails-in-step") && it.time > fault_time) {
        complain(it, "the spring broke at 0.5 s");
        return Status::error;
    }
    derivatives[0] = it.reals[2];
    return Status::ok;
}
