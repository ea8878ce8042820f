// SPDX-License-Identifier: Apache-2.0

/// An FMI 2.0 FMU whose GUID says what it does wrong, at t = 0.5 s where it takes a time. With any
/// other GUID it behaves: y = u, and every variable gives back what was set.

#include "end_process.hpp"
#include "resources.hpp"

#include <rubato/fmi/fmi2.hpp>

#include <cfenv>
#include <cmath>
#include <limits>
#include <list>
#include <string>
#include <string_view>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace fmi2 = rubato::fmi2;
using fmi2::Status;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr double fault_time = 0.5;
constexpr double largest_input = 0.05;

struct State {
    double reals[3] = {0, 0, 1}; // u, y, p
    int integers[2] = {0, 1};    // n, e
    int boolean = 0;             // b
    std::string text;            // s
    double time = 0;
    double derivatives[2] = {0, 0}; // of u
};

struct Instance {
    std::string name, fault;
    const fmi2::CallbackFunctions* callbacks;
    State state;
    std::list<State> saved; ///< given out by address
};

Instance& of(fmi2::Component component) { return *static_cast<Instance*>(component); }

template <class... Arguments>
void log(const Instance& it, Status status, const char* category, const char* message,
         Arguments... arguments) {
    static const char foreign = 0;
    void* const environment =
        it.fault == "foreign-environment" ? const_cast<char*>(&foreign) : it.callbacks->environment;
    it.callbacks->logger(environment, it.name.c_str(), status, category, message, arguments...);
}

bool is(const Instance& it, std::string_view fault) { return it.fault == fault; }

double output_of(const Instance& it) {
    const bool now = it.state.time >= fault_time;
    if (now && is(it, "crashes-in-get")) rubato::test::crash();
    if (now && is(it, "returns-nan")) return std::numeric_limits<double>::quiet_NaN();
    if (now && is(it, "returns-infinity")) return std::numeric_limits<double>::infinity();
    return is(it, "restarts") ? it.state.time : it.state.reals[0];
}

Status fail_step(Instance& it) {
    if (is(it, "discards") || is(it, "terminates") || is(it, "lies-about-time")) {
        it.state.time = fault_time;
        return Status::discard;
    }
    if (is(it, "fails-in-step")) {
        log(it, Status::error, "logStatusError", "the spring broke at %g s", fault_time);
        return Status::error;
    }
    if (is(it, "fails-silently")) return Status::error;
    rubato::test::end_process(it.fault);
    if (is(it, "pends")) return Status::pending;
    if (is(it, "fatal")) {
        log(it, Status::fatal, "logStatusFatal", "out of ideas");
        delete &it; // whoever calls again touches freed memory
        return Status::fatal;
    }
    return Status::ok;
}

} // namespace

EXPORT fmi2::Component fmi2Instantiate(fmi2::String name, fmi2::Type, fmi2::String guid,
                                       fmi2::String resources,
                                       const fmi2::CallbackFunctions* callbacks, fmi2::Boolean,
                                       fmi2::Boolean logging_on) {
    auto* it = new Instance{name, guid, callbacks, {}, {}};
    if (is(*it, "echoes-logging"))
        log(*it, Status::ok, "life", logging_on == fmi2::no ? "logging is off" : "logging is on");
    if (is(*it, "foreign-environment"))
        log(*it, Status::warning, "life", "where \033[31mam\007 I?");
    if (is(*it, "passes-a-text-as-format")) log(*it, Status::warning, "life", "100% new");
    if (is(*it, "floods"))
        for (int i = 0; i < 5000; ++i) log(*it, Status::warning, "life", "drop %d", i);
    if (is(*it, "talks")) {
        log(*it, Status::ok, "life", "instantiated as %s", name);
        log(*it, Status::warning, "logStatusWarning", "#r%d# is %s%%", 1, "odd");
        log(*it, Status::ok, "resources", "%s", resources);
    }
    rubato::test::disturb_process(it->fault);
    if (is(*it, "other-default")) it->state.reals[2] = 7;
    if (is(*it, "prints")) std::puts("printed by the FMU");
    if (is(*it, "writes-a-file")) std::ofstream("left-behind.txt") << "written by the FMU";
    if (is(*it, "reads-resources"))
        it->state.reals[0] = rubato::test::read_value(rubato::test::path_of(resources));
    if (is(*it, "long-message")) {
        log(*it, Status::ok, "life", "%s", std::string(100'000, 'x').c_str());
    }
    if (is(*it, "null-instance")) {
        log(*it, Status::error, "logStatusError", "no licence for %s", name);
        delete it;
        return nullptr;
    }
    return it;
}

EXPORT Status fmi2SetDebugLogging(fmi2::Component component, fmi2::Boolean, std::size_t count,
                                  const fmi2::String categories[]) {
    for (std::size_t i = 0; i < count; ++i) {
        if (std::string_view(categories[i]) == "unknown") return Status::error;
        if (is(of(component), "echoes-logging"))
            log(of(component), Status::ok, "life", "category %s", categories[i]);
    }
    return Status::ok;
}

EXPORT void fmi2FreeInstance(fmi2::Component component) {
    if (is(of(component), "talks")) log(of(component), Status::ok, "life", "freed");
    if (is(of(component), "crashes-when-freed")) rubato::test::crash();
    delete &of(component);
}

EXPORT Status fmi2SetupExperiment(fmi2::Component component, fmi2::Boolean, double, double start,
                                  fmi2::Boolean, double) {
    if (is(of(component), "resets-in-setup")) of(component).state = {};
    of(component).state.time = start;
    return Status::ok;
}

EXPORT Status fmi2EnterInitializationMode(fmi2::Component) { return Status::ok; }

EXPORT Status fmi2ExitInitializationMode(fmi2::Component component) {
    if (is(of(component), "loses-parameters")) of(component).state.reals[2] = 1;
    if (!is(of(component), "fails-in-initialization")) return Status::ok;
    log(of(component), Status::error, "logStatusError", "the initial equations have no solution");
    return Status::error;
}

EXPORT Status fmi2Terminate(fmi2::Component component) {
    if (is(of(component), "talks")) log(of(component), Status::ok, "life", "terminated");
    return is(of(component), "fails-in-terminate") ? Status::error : Status::ok;
}

EXPORT Status fmi2GetReal(fmi2::Component component, const fmi2::ValueReference references[],
                          std::size_t count, double values[]) {
    Instance& it = of(component);
    if (is(it, "hides-parameters") && references[0] == 2) {
        log(it, Status::error, "logStatusError", "p is a secret");
        return Status::error;
    }
    if (is(it, "fills-first")) count = 1;
    for (std::size_t i = 0; i < count; ++i)
        values[i] = references[i] == 1 ? output_of(it) : it.state.reals[references[i]];
    return Status::ok;
}

EXPORT Status fmi2SetReal(fmi2::Component component, const fmi2::ValueReference references[],
                          std::size_t count, const double values[]) {
    Instance& it = of(component);
    for (std::size_t i = 0; i < count; ++i) it.state.reals[references[i]] = values[i];
    if (std::abs(it.state.reals[0]) <= largest_input) return Status::ok;
    if (is(it, "refuses-large-inputs")) {
        log(it, Status::error, "logStatusError", "u = %g is too much", it.state.reals[0]);
        return Status::error;
    }
    if (is(it, "dies-of-large-inputs")) {
        delete &it;
        return Status::fatal;
    }
    return Status::ok;
}

EXPORT Status fmi2GetInteger(fmi2::Component component, const fmi2::ValueReference references[],
                             std::size_t count, int values[]) {
    for (std::size_t i = 0; i < count; ++i) values[i] = of(component).state.integers[references[i]];
    return Status::ok;
}

EXPORT Status fmi2SetInteger(fmi2::Component component, const fmi2::ValueReference references[],
                             std::size_t count, const int values[]) {
    for (std::size_t i = 0; i < count; ++i) of(component).state.integers[references[i]] = values[i];
    return Status::ok;
}

EXPORT Status fmi2GetBoolean(fmi2::Component component, const fmi2::ValueReference[],
                             std::size_t count, int values[]) {
    for (std::size_t i = 0; i < count; ++i) values[i] = of(component).state.boolean;
    return Status::ok;
}

EXPORT Status fmi2SetBoolean(fmi2::Component component, const fmi2::ValueReference[],
                             std::size_t count, const int values[]) {
    for (std::size_t i = 0; i < count; ++i) of(component).state.boolean = values[i];
    return Status::ok;
}

#ifdef LACKS_GET_STRING
#define fmi2GetString fmi2GetStringUnderAnotherName
#endif
EXPORT Status fmi2GetString(fmi2::Component component, const fmi2::ValueReference[],
                            std::size_t count, fmi2::String values[]) {
    const Instance& it = of(component);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = is(it, "null-strings") ? nullptr : it.state.text.c_str();
    return Status::ok;
}

EXPORT Status fmi2SetString(fmi2::Component component, const fmi2::ValueReference[],
                            std::size_t count, const fmi2::String values[]) {
    for (std::size_t i = 0; i < count; ++i) of(component).state.text = values[i];
    return Status::ok;
}

EXPORT Status fmi2GetFMUstate(fmi2::Component component, fmi2::FmuState* state) {
    Instance& it = of(component);
    if (*state == nullptr) *state = &it.saved.emplace_back();
    *static_cast<State*>(*state) = it.state;
    return Status::ok;
}

EXPORT Status fmi2SetFMUstate(fmi2::Component component, fmi2::FmuState state) {
    of(component).state = *static_cast<State*>(state);
    return Status::ok;
}

EXPORT Status fmi2FreeFMUstate(fmi2::Component component, fmi2::FmuState* state) {
    of(component).saved.remove_if([&](const State& saved) { return &saved == *state; });
    *state = nullptr;
    return Status::ok;
}

EXPORT Status fmi2SetRealInputDerivatives(fmi2::Component component, const fmi2::ValueReference[],
                                          std::size_t count, const int orders[],
                                          const double values[]) {
    if (is(of(component), "refuses-derivatives")) return Status::error;
    for (std::size_t i = 0; i < count; ++i) {
        if (orders[i] < 1 || orders[i] > 2) return Status::error;
        of(component).state.derivatives[orders[i] - 1] = values[i];
    }
    return Status::ok;
}

#ifdef NEEDS_NEIGHBOUR
extern "C" int rubato_misuse_neighbour();
#else
static int rubato_misuse_neighbour() { return 1; }
#endif

#ifdef LACKS_DO_STEP
#define fmi2DoStep fmi2DoStepUnderAnotherName
#endif
EXPORT Status fmi2DoStep(fmi2::Component component, double time, double step,
                         fmi2::Boolean never_restored) {
    Instance& it = of(component);
    if (is(it, "rounds-upward")) std::fesetround(FE_UPWARD);
#if defined(__SSE__)
    if (is(it, "flushes-to-zero")) _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
#endif
    if (is(it, "restarts")) {
        it.state.time = (never_restored == fmi2::no ? 0 : it.state.time) + step;
        return Status::ok;
    }
    if (is(it, "rounds-time")) {
        it.state.time = time + step * (1 + 1e-7);
        return Status::discard;
    }
    if (rubato_misuse_neighbour() != 1) return Status::fatal;
    if (time < fault_time && time + step > fault_time) {
        const Status status = fail_step(it);
        if (status != Status::ok) return status;
    }
    it.state.time = time + step;
    return Status::ok;
}

EXPORT Status fmi2GetRealStatus(fmi2::Component component, fmi2::StatusKind, double* value) {
    *value = is(of(component), "lies-about-time") ? 1e9 : of(component).state.time;
    return Status::ok;
}

EXPORT Status fmi2GetBooleanStatus(fmi2::Component component, fmi2::StatusKind, int* value) {
    *value = is(of(component), "terminates") ? fmi2::yes : fmi2::no;
    return Status::ok;
}
