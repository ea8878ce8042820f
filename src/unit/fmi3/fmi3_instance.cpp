// SPDX-License-Identifier: Apache-2.0
#include "fmi3_instance.hpp"

#include "fmu/log_categories.hpp"
#include "fmu/trial.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace rubato::unit {

using fmi3::Status;

namespace {

std::string_view name_of(Status status) {
    static constexpr std::array<std::string_view, 5> names = {
        "fmi3OK", "fmi3Warning", "fmi3Discard", "fmi3Error", "fmi3Fatal"};
    const auto index = static_cast<std::size_t>(status);
    return index < names.size() ? names[index] : "a status that FMI 3.0 does not have";
}

LogLevel level_of(Status status) {
    switch (status) {
    case Status::ok: return LogLevel::info;
    case Status::warning:
    case Status::discard: return LogLevel::warning;
    default: return LogLevel::error;
    }
}

constexpr bool visible = false;
constexpr const char* instantiate_co_simulation_name = "fmi3InstantiateCoSimulation";

/// Clocks tick at events only; without event mode discrete inputs are set between steps.
bool needs_event_mode(const scenario::UnitDescription& description) {
    return std::ranges::any_of(description.variables, [](const scenario::Variable& variable) {
        return variable.clock.has_value();
    });
}

extern "C" [[gnu::cold]] void rubato_fmi3_log_message(fmi3::InstanceEnvironment environment,
                                                      Status status, fmi3::String category,
                                                      fmi3::String message) {
    if (message == nullptr) return;
    UnitLog::write(environment, nullptr, level_of(status), category, message);
}

extern "C" void rubato_fmi3_intermediate_update(fmi3::InstanceEnvironment environment,
                                                fmi3::Float64 time, fmi3::Boolean set_requested,
                                                fmi3::Boolean get_allowed,
                                                fmi3::Boolean step_finished, fmi3::Boolean,
                                                fmi3::Boolean* early_return_requested,
                                                fmi3::Float64* early_return_time) {
    if (early_return_requested != nullptr) *early_return_requested = false;
    if (early_return_time != nullptr) *early_return_time = time;
    if (Fmi3Updates* const updates = Fmi3Updates::find(environment))
        updates->update(time, set_requested, get_allowed, step_finished);
}

} // namespace

Fmi3Instance::Fmi3Instance(const std::string& name, const Fmi3Binary& binary,
                           const scenario::UnitDescription& description, InstanceContext context,
                           FaultSink& sink, Fmi3Updates* updates)
    : set_float64_(binary.functions.set_float64), get_float64_(binary.functions.get_float64),
      functions_(binary.functions), sink_(sink), updates_(updates),
      log_(context.log, name, context.logging.limit),
      rules_(context.log, name, binary.strictness, sink), starts_(description, context.log, name),
      claim_(std::move(context.claim)) {
    for (const scenario::Variable& variable : description.variables) {
        if (variable.causality == scenario::Causality::structural_parameter)
            structural_.push_back(variable.reference);
    }
    log_.belongs_to(this);
    logs_ = context.logging.on;
    if (functions_.instantiate_model_exchange != nullptr) {
        instantiate_model_exchange(name, binary, description);
        require_instance("fmi3InstantiateModelExchange");
    } else {
        instantiate_co_simulation(name, binary, description);
        require_instance(instantiate_co_simulation_name);
    }
    if (!context.logging.categories.empty())
        choose_categories(functions_.set_debug_logging, instance_, logs_, name, context);
}

void Fmi3Instance::require_instance(const char* call) {
    if (instance_ != nullptr) return;
    const std::string reason = log_.take_error();
    sink_.fault(call, reason.empty() ? "it returned no instance" : reason);
}

void Fmi3Instance::instantiate_model_exchange(const std::string& name, const Fmi3Binary& binary,
                                              const scenario::UnitDescription& description) {
    instance_ = functions_.instantiate_model_exchange(name.c_str(), description.identifier.c_str(),
                                                      binary.resources.c_str(), visible, logs_,
                                                      this, &rubato_fmi3_log_message);
}

/// There are FMUs that declare event mode and refuse to be instantiated with it.
void Fmi3Instance::instantiate_co_simulation(const std::string& name, const Fmi3Binary& binary,
                                             const scenario::UnitDescription& description) {
    const scenario::Capabilities& can = description.capabilities;
    const auto variables = updates_ ? updates_->variables() : std::span<const ValueRef>();
    const auto instantiate = [&](bool event_mode) {
        instance_ = functions_.instantiate_co_simulation(
            name.c_str(), description.identifier.c_str(), binary.resources.c_str(), visible, logs_,
            event_mode, can.may_return_early || event_mode, variables.data(), variables.size(),
            this, &rubato_fmi3_log_message, updates_ ? &rubato_fmi3_intermediate_update : nullptr);
        has_event_mode_ = event_mode && instance_ != nullptr;
    };
    instantiate(can.event_mode);
    if (instance_ != nullptr || !can.event_mode || needs_event_mode(description)) return;
    const std::string reason = log_.take_error();
    rules_.broken(Rule::event_mode_refused, instantiate_co_simulation_name,
                  reason.empty() ? "it returned no instance with event mode" : reason);
    instantiate(false);
}

Fmi3Instance::~Fmi3Instance() {
    if (instance_ == nullptr) return;
    if (runs_ && functions_.terminate(instance_) == Status::fatal) return;
    for (fmi3::FmuState& state : states_) {
        if (state != nullptr) functions_.free_fmu_state(instance_, &state);
    }
    functions_.free_instance(instance_);
}

void Fmi3Instance::enter_initialization(const Horizon& horizon) {
    starts_.begin_initialization();
    check(functions_.enter_initialization_mode(instance_, horizon.tolerance.has_value(),
                                               horizon.tolerance.value_or(0), horizon.start.seconds,
                                               horizon.stop.has_value(),
                                               horizon.stop.value_or(Time{}).seconds),
          "fmi3EnterInitializationMode");
}

void Fmi3Instance::exit_initialization() {
    check(functions_.exit_initialization_mode(instance_), "fmi3ExitInitializationMode");
    runs_ = true;
    starts_.check([&](const Bulk& values) { return try_get(values); });
}

bool Fmi3Instance::try_get(const Bulk& values) {
    const Trial trial(is_trial_, log_, rules_);
    try {
        get(values);
    } catch (const TrialRefused&) {
        return false;
    }
    return true;
}

void Fmi3Instance::terminate() {
    runs_ = false;
    if (!is_missing(functions_.terminate)) check(functions_.terminate(instance_), "fmi3Terminate");
}

void Fmi3Instance::save(std::uint32_t slot) {
    if (slot >= states_.size()) states_.resize(slot + std::size_t{1}, nullptr);
    check(functions_.get_fmu_state(instance_, &states_[slot]), "fmi3GetFMUState");
}

void Fmi3Instance::restore(std::uint32_t slot) {
    if (instance_ == nullptr) fail("fmi3SetFMUState", "after a fatal fault nothing may be called");
    check(functions_.set_fmu_state(instance_, states_.at(slot)), "fmi3SetFMUState");
}

void Fmi3Instance::serialize(std::uint32_t slot, std::vector<std::byte>& bytes) {
    std::size_t size = 0;
    check(functions_.serialized_fmu_state_size(instance_, states_.at(slot), &size),
          "fmi3SerializedFMUStateSize");
    const std::size_t start = bytes.size();
    bytes.resize(start + size);
    check(functions_.serialize_fmu_state(instance_, states_.at(slot),
                                         reinterpret_cast<fmi3::Byte*>(bytes.data() + start), size),
          "fmi3SerializeFMUState");
}

void Fmi3Instance::deserialize(std::uint32_t slot, std::span<const std::byte> bytes) {
    if (slot >= states_.size()) states_.resize(slot + std::size_t{1}, nullptr);
    if (states_[slot] != nullptr) functions_.free_fmu_state(instance_, &states_[slot]);
    check(functions_.deserialize_fmu_state(instance_,
                                           reinterpret_cast<const fmi3::Byte*>(bytes.data()),
                                           bytes.size(), &states_[slot]),
          "fmi3DeserializeFMUState");
}

void Fmi3Instance::fail(Status status, const char* call) {
    if (status == Status::fatal) {
        instance_ = nullptr;
        is_trial_ = false;
    }
    if (status == missing_function_status<Status>) fail(call, function_is_missing);
    const std::string reason = log_.take_error();
    fail(call, reason.empty() ? format("it returned {} and logged no reason", name_of(status))
                              : format("it returned {}: {}", name_of(status), reason));
}

void Fmi3Instance::fail(const char* call, std::string_view reason) {
    if (is_trial_) throw TrialRefused{};
    runs_ = false;
    sink_.fault(call, reason);
    std::abort(); // fault throws
}

} // namespace rubato::unit
