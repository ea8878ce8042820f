// SPDX-License-Identifier: Apache-2.0

/// An FMI 3.0 FMU whose instantiation token says what it does wrong, at t = 0.5 s where it takes a
/// time. With any other token it behaves: y = u, and every variable gives back what was set.

#include "end_process.hpp"
#include "resources.hpp"

#include <rubato/fmi/fmi3.hpp>

#include <cmath>
#include <limits>
#include <list>
#include <string>
#include <string_view>

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using fmi3::ValueReference;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr double fault_time = 0.5;
constexpr double largest_input = 0.05;

struct State {
    double reals[5] = {0, 0, 0, 0, 1}; // u, y, der(u), der(u,2), p
    float real32 = 0;
    std::int8_t int8 = 0;
    std::uint8_t uint8 = 0;
    std::int16_t int16 = 0;
    std::uint16_t uint16 = 0;
    std::int32_t int32 = 0;
    std::uint32_t uint32 = 0;
    std::int64_t int64[2] = {0, 1}; // value, enumeration
    std::uint64_t uint64 = 0;
    bool boolean = false, clock = false;
    std::string text, bytes;
    double time = 0;
};

struct Instance {
    std::string fault;
    fmi3::InstanceEnvironment environment;
    fmi3::LogMessage* log_message;
    fmi3::IntermediateUpdate* update;
    State state;
    std::list<State> saved; ///< given out by address

    bool is(std::string_view other) const { return fault == other; }
    void log(Status status, const char* category, const char* message) const {
        log_message(environment, status, category, message);
    }
};

Instance& of(fmi3::Instance instance) { return *static_cast<Instance*>(instance); }
State& state_of(fmi3::Instance instance) { return of(instance).state; }

template <class T>
Status get_all(const T& member, T values[], std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = member;
    return Status::ok;
}

template <class T>
Status set_all(T& member, const T values[], std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) member = values[i];
    return Status::ok;
}

struct StepOutcome {
    Status status = Status::ok;
    bool event = false, terminate = false, early = false;
};

StepOutcome fail_step(Instance& it) {
    rubato::test::end_process(it.fault);
    if (it.is("returns-early")) return {Status::ok, false, false, true};
    if (it.is("stops-at-event")) return {Status::ok, true, false, true};
    if (it.is("terminates")) return {Status::ok, false, true, false};
    if (it.is("discards")) return {Status::discard, false, false, false};
    if (it.is("fails-in-step")) {
        it.log(Status::error, "logStatusError", "the spring broke at 0.5 s");
        return {Status::error, false, false, false};
    }
    if (it.is("fatal")) {
        it.log(Status::fatal, "logStatusFatal", "out of ideas");
        delete &it; // whoever calls again touches freed memory
        return {Status::fatal, false, false, false};
    }
    return {};
}

} // namespace

EXPORT fmi3::Instance fmi3InstantiateCoSimulation(fmi3::String, fmi3::String token,
                                                  fmi3::String resources, bool, bool, bool, bool,
                                                  const ValueReference[], std::size_t,
                                                  fmi3::InstanceEnvironment environment,
                                                  fmi3::LogMessage* log_message,
                                                  fmi3::IntermediateUpdate* update) {
    auto* it = new Instance{token, environment, log_message, update, {}, {}};
    if (it->is("talks")) {
        it->log(Status::ok, "life", "instantiated");
        it->log(Status::warning, "logStatusWarning", "100 %s odd");
        it->log(Status::ok, "resources", resources);
    }
    if (it->is("other-default")) it->state.reals[4] = 7;
    if (it->is("prints")) std::puts("printed by the FMU");
    if (it->is("writes-a-file")) std::ofstream("left-behind.txt") << "written by the FMU";
    if (it->is("reads-resources")) it->state.reals[0] = rubato::test::read_value(resources);
    if (it->is("null-instance")) {
        it->log(Status::error, "logStatusError", "no licence");
        delete it;
        return nullptr;
    }
    return it;
}

EXPORT void fmi3FreeInstance(fmi3::Instance instance) {
    if (of(instance).is("talks")) of(instance).log(Status::ok, "life", "freed");
    if (of(instance).is("crashes-when-freed")) rubato::test::crash();
    delete &of(instance);
}

EXPORT Status fmi3EnterInitializationMode(fmi3::Instance instance, bool, double, double start, bool,
                                          double) {
    state_of(instance).time = start;
    return Status::ok;
}

EXPORT Status fmi3ExitInitializationMode(fmi3::Instance instance) {
    if (of(instance).is("loses-parameters")) state_of(instance).reals[4] = 1;
    if (!of(instance).is("fails-in-initialization")) return Status::ok;
    of(instance).log(Status::error, "logStatusError", "the initial equations have no solution");
    return Status::error;
}

EXPORT Status fmi3Terminate(fmi3::Instance instance) {
    if (of(instance).is("talks")) of(instance).log(Status::ok, "life", "terminated");
    return Status::ok;
}

EXPORT Status fmi3DoStep(fmi3::Instance instance, double time, double step, bool never_restored,
                         bool* event, bool* terminate, bool* early, double* reached) {
    Instance& it = of(instance);
    if (it.is("restarts")) {
        *reached = time + step;
        it.state.time = (never_restored ? it.state.time : 0) + step;
        return Status::ok;
    }
    if (it.is("rounds-time")) {
        *reached = it.state.time = time + step * (1 + 1e-7);
        *early = true;
        return Status::ok;
    }
    if (it.is("foreign-environment")) {
        static char foreign[4096] = {}; // nothing that could be called
        bool early_return = false;
        double early_time = 0;
        it.state.time = time + 0.5 * step;
        it.update(foreign, it.state.time, false, true, true, false, &early_return, &early_time);
    }
    StepOutcome outcome;
    const bool crosses = time < fault_time && time + step > fault_time;
    if (crosses) outcome = fail_step(it);
    if (outcome.status >= Status::error) return outcome.status;
    const bool short_step =
        outcome.event || outcome.terminate || outcome.early || outcome.status == Status::discard;
    *reached = it.state.time = short_step ? fault_time : time + step;
    *event = outcome.event;
    *terminate = outcome.terminate;
    *early = outcome.early;
    return outcome.status;
}

EXPORT Status fmi3GetFloat64(fmi3::Instance instance, const ValueReference references[],
                             std::size_t count, double values[], std::size_t) {
    State& state = state_of(instance);
    if (of(instance).is("crashes-in-get") && state.time >= fault_time) rubato::test::crash();
    const bool is_nan = of(instance).is("returns-nan") && state.time >= fault_time;
    if (of(instance).is("fills-first")) count = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_output = references[i] == 1;
        values[i] = is_output && is_nan ? std::numeric_limits<double>::quiet_NaN()
                                        : state.reals[is_output ? 0 : references[i]];
        if (is_output && of(instance).is("restarts")) values[i] = state.time;
    }
    return Status::ok;
}

EXPORT Status fmi3SetFloat64(fmi3::Instance instance, const ValueReference references[],
                             std::size_t count, const double values[], std::size_t) {
    Instance& it = of(instance);
    for (std::size_t i = 0; i < count; ++i) it.state.reals[references[i]] = values[i];
    if (std::abs(it.state.reals[0]) <= largest_input) return Status::ok;
    if (it.is("refuses-large-inputs")) {
        it.log(Status::error, "logStatusError", "u is too much");
        return Status::error;
    }
    if (it.is("dies-of-large-inputs")) {
        delete &it;
        return Status::fatal;
    }
    return Status::ok;
}

#define ECHO(Name, Type, member)                                                                   \
    EXPORT Status fmi3Get##Name(fmi3::Instance instance, const ValueReference[], std::size_t,      \
                                Type values[], std::size_t count) {                                \
        return get_all(state_of(instance).member, values, count);                                  \
    }                                                                                              \
    EXPORT Status fmi3Set##Name(fmi3::Instance instance, const ValueReference[], std::size_t,      \
                                const Type values[], std::size_t count) {                          \
        return set_all(state_of(instance).member, values, count);                                  \
    }

ECHO(Float32, float, real32)
ECHO(Int8, std::int8_t, int8)
ECHO(UInt8, std::uint8_t, uint8)
ECHO(Int16, std::int16_t, int16)
ECHO(UInt16, std::uint16_t, uint16)
ECHO(Int32, std::int32_t, int32)
ECHO(UInt32, std::uint32_t, uint32)
ECHO(UInt64, std::uint64_t, uint64)
ECHO(Boolean, bool, boolean)

EXPORT Status fmi3GetInt64(fmi3::Instance instance, const ValueReference references[],
                           std::size_t count, std::int64_t values[], std::size_t) {
    for (std::size_t i = 0; i < count; ++i)
        values[i] = state_of(instance).int64[references[i] == 20 ? 1 : 0];
    return Status::ok;
}

EXPORT Status fmi3SetInt64(fmi3::Instance instance, const ValueReference references[],
                           std::size_t count, const std::int64_t values[], std::size_t) {
    for (std::size_t i = 0; i < count; ++i)
        state_of(instance).int64[references[i] == 20 ? 1 : 0] = values[i];
    return Status::ok;
}

EXPORT Status fmi3GetClock(fmi3::Instance instance, const ValueReference[], std::size_t count,
                           bool values[]) {
    return get_all(state_of(instance).clock, values, count);
}

EXPORT Status fmi3SetClock(fmi3::Instance instance, const ValueReference[], std::size_t count,
                           const bool values[]) {
    return set_all(state_of(instance).clock, values, count);
}

EXPORT Status fmi3GetString(fmi3::Instance instance, const ValueReference[], std::size_t,
                            fmi3::String values[], std::size_t count) {
    const bool is_null = of(instance).is("null-strings");
    return get_all(is_null ? nullptr : state_of(instance).text.c_str(), values, count);
}

EXPORT Status fmi3SetString(fmi3::Instance instance, const ValueReference[], std::size_t,
                            const fmi3::String values[], std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) state_of(instance).text = values[i];
    return Status::ok;
}

EXPORT Status fmi3GetBinary(fmi3::Instance instance, const ValueReference[], std::size_t,
                            std::size_t sizes[], fmi3::Binary values[], std::size_t count) {
    const std::string& bytes = state_of(instance).bytes;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_null = of(instance).is("null-strings");
        values[i] = is_null ? nullptr : reinterpret_cast<fmi3::Binary>(bytes.data());
        sizes[i] = is_null ? 3 : bytes.size();
    }
    return Status::ok;
}

EXPORT Status fmi3SetBinary(fmi3::Instance instance, const ValueReference[], std::size_t,
                            const std::size_t sizes[], const fmi3::Binary values[],
                            std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        state_of(instance).bytes.assign(reinterpret_cast<const char*>(values[i]), sizes[i]);
    return Status::ok;
}

EXPORT Status fmi3GetFMUState(fmi3::Instance instance, fmi3::FmuState* state) {
    Instance& it = of(instance);
    if (*state == nullptr) *state = &it.saved.emplace_back();
    *static_cast<State*>(*state) = it.state;
    return Status::ok;
}

EXPORT Status fmi3SetFMUState(fmi3::Instance instance, fmi3::FmuState state) {
    state_of(instance) = *static_cast<State*>(state);
    return Status::ok;
}

EXPORT Status fmi3FreeFMUState(fmi3::Instance instance, fmi3::FmuState* state) {
    of(instance).saved.remove_if([&](const State& saved) { return &saved == *state; });
    *state = nullptr;
    return Status::ok;
}
