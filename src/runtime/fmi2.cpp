// SPDX-License-Identifier: Apache-2.0
#include "access.hpp"
#include "resources.hpp"

#include <rubato/core/text.hpp>
#include <rubato/fmi/fmi2_exports.hpp>
#include <rubato/private/format.hpp>

#include <utility>

// The functions of FMI 2.0 for co-simulation.

namespace fmi2 = rubato::fmi2;
using fmi2::Status;
using rubato::Error;
using rubato::ValueRef;
using rubato::ValueType;
using rubato::runtime::Instance;
using rubato::runtime::require;
using rubato::runtime::SavedState;
using rubato::runtime::span_of;
using rubato::runtime::TypeSet;
using rubato::unit::StepEnd;

namespace {

constexpr TypeSet reals = {ValueType::float64, ValueType::float32};
constexpr TypeSet integers = {ValueType::int8,   ValueType::uint8,  ValueType::int16,
                              ValueType::uint16, ValueType::int32,  ValueType::uint32,
                              ValueType::int64,  ValueType::uint64, ValueType::enumeration};
constexpr TypeSet booleans = {ValueType::boolean};
constexpr TypeSet strings = {ValueType::string};

template <class Body>
Status guarded(void* c, const char* function, Body&& body) {
    return rubato::runtime::guarded<Status>(c, function, std::forward<Body>(body));
}

Status unsupported(void* c, const char* function, const char* reason) {
    return guarded(c, function, [&](Instance&) { throw Error(reason); });
}

SavedState*& state_at(fmi2::FmuState* state) {
    require(state != nullptr, "there is no place for the state");
    return reinterpret_cast<SavedState*&>(*state);
}

/// FMI 2.0 has integers of 32 bits only.
fmi2::Integer narrowed(std::int64_t value) {
    if (!std::in_range<fmi2::Integer>(value))
        throw Error(rubato::format("{} is beyond the integers of FMI 2.0", value));
    return static_cast<fmi2::Integer>(value);
}

constexpr const char* never_pending = "no step is ever pending";

} // namespace

const char* fmi2GetTypesPlatform() { return fmi2::types_platform; }

const char* fmi2GetVersion() { return fmi2::version; }

Status fmi2SetDebugLogging(fmi2::Component c, fmi2::Boolean on, std::size_t count,
                           const fmi2::String* categories) {
    return guarded(c, "fmi2SetDebugLogging", [&](Instance& instance) {
        require(count == 0 || categories != nullptr, "the categories are missing");
        instance.log().turn(on != fmi2::no, {categories, count});
    });
}

fmi2::Component fmi2Instantiate(fmi2::String name, fmi2::Type type, fmi2::String guid,
                                fmi2::String resources, const fmi2::CallbackFunctions* callbacks,
                                fmi2::Boolean, fmi2::Boolean logging_on) {
    if (callbacks == nullptr) return nullptr;
    const std::string called = name == nullptr ? "" : name;
    const auto log = [called, logger = callbacks->logger, environment = callbacks->environment](
                         int status, const char* category, const char* message) {
        if (logger != nullptr)
            logger(environment, called.c_str(), Status{status}, category, "%s", message);
    };
    if (type != fmi2::Type::co_simulation) {
        rubato::runtime::ImporterLog(log, true).error("fmi2Instantiate: it is for co-simulation");
        return nullptr;
    }
    return rubato::runtime::instantiate(
        {called, guid == nullptr ? "" : guid, rubato::runtime::resources_from_uri(resources), {}},
        log, logging_on != fmi2::no, "fmi2Instantiate");
}

void fmi2FreeInstance(fmi2::Component c) { delete static_cast<Instance*>(c); }

Status fmi2SetupExperiment(fmi2::Component c, fmi2::Boolean tolerance_defined, fmi2::Real tolerance,
                           fmi2::Real start, fmi2::Boolean stop_defined, fmi2::Real stop) {
    return guarded(c, "fmi2SetupExperiment", [&](Instance& instance) {
        require(instance.unit().phase() == rubato::unit::Phase::instantiated,
                "initialization has begun already");
        instance.horizon.start = {start};
        if (stop_defined != fmi2::no) instance.horizon.stop = rubato::Time{stop};
        if (tolerance_defined != fmi2::no) instance.horizon.tolerance = tolerance;
    });
}

Status fmi2EnterInitializationMode(fmi2::Component c) {
    return guarded(c, "fmi2EnterInitializationMode",
                   [](Instance& instance) { instance.enter_initialization(); });
}

Status fmi2ExitInitializationMode(fmi2::Component c) {
    return guarded(c, "fmi2ExitInitializationMode",
                   [](Instance& instance) { instance.unit().exit_initialization(); });
}

Status fmi2Terminate(fmi2::Component c) {
    return guarded(c, "fmi2Terminate", [](Instance& instance) { instance.unit().terminate(); });
}

Status fmi2Reset(fmi2::Component c) {
    return guarded(c, "fmi2Reset", [](Instance& instance) { instance.reset(); });
}

Status fmi2GetReal(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                   fmi2::Real* values) {
    return guarded(c, "fmi2GetReal", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        (void)instance.count(all, reals);
        instance.get(all, values);
    });
}

Status fmi2GetInteger(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                      fmi2::Integer* values) {
    return guarded(c, "fmi2GetInteger", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        get_as<std::int64_t>(instance, all, values, instance.count(all, integers), narrowed);
    });
}

Status fmi2GetBoolean(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                      fmi2::Boolean* values) {
    return guarded(c, "fmi2GetBoolean", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        get_as<bool>(instance, all, values, instance.count(all, booleans),
                     [](bool value) { return value ? fmi2::yes : fmi2::no; });
    });
}

Status fmi2GetString(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                     fmi2::String* values) {
    return guarded(c, "fmi2GetString", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        get_as<std::string>(instance, all, values, instance.count(all, strings),
                            [](const std::string& value) { return value.c_str(); });
    });
}

Status fmi2SetReal(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                   const fmi2::Real* values) {
    return guarded(c, "fmi2SetReal", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        (void)instance.count(all, reals);
        instance.set(all, values);
    });
}

Status fmi2SetInteger(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                      const fmi2::Integer* values) {
    return guarded(c, "fmi2SetInteger", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        set_as<std::int64_t>(instance, all, values, instance.count(all, integers),
                             [](fmi2::Integer value) { return std::int64_t{value}; });
    });
}

Status fmi2SetBoolean(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                      const fmi2::Boolean* values) {
    return guarded(c, "fmi2SetBoolean", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        set_as<bool>(instance, all, values, instance.count(all, booleans),
                     [](fmi2::Boolean value) { return value != fmi2::no; });
    });
}

Status fmi2SetString(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                     const fmi2::String* values) {
    return guarded(c, "fmi2SetString", [&](Instance& instance) {
        const auto all = span_of(references, count, values);
        set_as<std::string>(instance, all, values, instance.count(all, strings),
                            rubato::runtime::given);
    });
}

Status fmi2GetFMUstate(fmi2::Component c, fmi2::FmuState* state) {
    return guarded(c, "fmi2GetFMUstate",
                   [&](Instance& instance) { instance.save(state_at(state)); });
}

Status fmi2SetFMUstate(fmi2::Component c, fmi2::FmuState state) {
    return guarded(c, "fmi2SetFMUstate", [&](Instance& instance) {
        require(state != nullptr, "there is no state to set");
        instance.restore(*static_cast<const SavedState*>(state));
    });
}

Status fmi2FreeFMUstate(fmi2::Component c, fmi2::FmuState* state) {
    return guarded(c, "fmi2FreeFMUstate",
                   [&](Instance& instance) { instance.release(state_at(state)); });
}

Status fmi2SerializedFMUstateSize(fmi2::Component c, fmi2::FmuState state, std::size_t* size) {
    return guarded(c, "fmi2SerializedFMUstateSize",
                   [&](Instance& instance) { serialized_size(instance, state, size); });
}

Status fmi2SerializeFMUstate(fmi2::Component c, fmi2::FmuState state, fmi2::Byte* bytes,
                             std::size_t size) {
    return guarded(c, "fmi2SerializeFMUstate",
                   [&](Instance& instance) { serialize(instance, state, bytes, size); });
}

Status fmi2DeSerializeFMUstate(fmi2::Component c, const fmi2::Byte* bytes, std::size_t size,
                               fmi2::FmuState* state) {
    return guarded(c, "fmi2DeSerializeFMUstate", [&](Instance& instance) {
        deserialize(instance, bytes, size, state_at(state));
    });
}

Status fmi2GetDirectionalDerivative(fmi2::Component c, const fmi2::ValueReference* unknowns,
                                    std::size_t n_unknowns, const fmi2::ValueReference* knowns,
                                    std::size_t n_knowns, const fmi2::Real* seed,
                                    fmi2::Real* sensitivity) {
    return guarded(c, "fmi2GetDirectionalDerivative", [&](Instance& instance) {
        instance.get_directional_derivative(span_of(unknowns, n_unknowns, sensitivity),
                                            span_of(knowns, n_knowns, seed), {seed, n_knowns},
                                            {sensitivity, n_unknowns});
    });
}

Status fmi2SetRealInputDerivatives(fmi2::Component c, const fmi2::ValueReference* references,
                                   std::size_t count, const fmi2::Integer* orders,
                                   const fmi2::Real* values) {
    return guarded(c, "fmi2SetRealInputDerivatives", [&](Instance& instance) {
        require(count == 0 || orders != nullptr, "the orders are missing");
        for (const ValueRef reference : span_of(references, count, values))
            instance.set_input_derivative(reference, static_cast<unsigned>(std::max(0, *orders++)),
                                          *values++);
    });
}

Status fmi2GetRealOutputDerivatives(fmi2::Component c, const fmi2::ValueReference*, std::size_t,
                                    const fmi2::Integer*, fmi2::Real*) {
    return unsupported(c, "fmi2GetRealOutputDerivatives", "it gives no derivatives of its outputs");
}

Status fmi2DoStep(fmi2::Component c, fmi2::Real from, fmi2::Real by, fmi2::Boolean) {
    return guarded(c, "fmi2DoStep", [&](Instance& instance) {
        const auto [reached, end] = instance.step({from}, {by});
        if (end == StepEnd::completed) return Status::ok;
        instance.log().discard(rubato::format(
            "fmi2DoStep: the step from t = {} s ends at t = {} s: {}", rubato::shortest(from),
            rubato::shortest(reached.seconds),
            end == StepEnd::terminated ? "an inner unit asks for the end of the simulation"
                                       : "an inner unit goes no further"));
        return Status::discard;
    });
}

Status fmi2CancelStep(fmi2::Component c) {
    return unsupported(c, "fmi2CancelStep", "no step is ever under way");
}

Status fmi2GetStatus(fmi2::Component c, fmi2::StatusKind, Status*) {
    return unsupported(c, "fmi2GetStatus", never_pending);
}

Status fmi2GetRealStatus(fmi2::Component c, fmi2::StatusKind kind, fmi2::Real* value) {
    return guarded(c, "fmi2GetRealStatus", [&](Instance& instance) {
        require(kind == fmi2::StatusKind::last_successful_time && value != nullptr,
                "the only status of type Real is fmi2LastSuccessfulTime");
        *value = instance.last_step().reached.seconds;
    });
}

Status fmi2GetIntegerStatus(fmi2::Component c, fmi2::StatusKind, fmi2::Integer*) {
    return unsupported(c, "fmi2GetIntegerStatus", "there is no such status");
}

Status fmi2GetBooleanStatus(fmi2::Component c, fmi2::StatusKind kind, fmi2::Boolean* value) {
    return guarded(c, "fmi2GetBooleanStatus", [&](Instance& instance) {
        require(kind == fmi2::StatusKind::terminated && value != nullptr,
                "the only status of type Boolean is fmi2Terminated");
        *value = instance.last_step().end == StepEnd::terminated ? fmi2::yes : fmi2::no;
    });
}

Status fmi2GetStringStatus(fmi2::Component c, fmi2::StatusKind, fmi2::String*) {
    return unsupported(c, "fmi2GetStringStatus", never_pending);
}
