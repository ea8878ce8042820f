// SPDX-License-Identifier: Apache-2.0
#include "fmi2_instance.hpp"

#include "fmu/log_categories.hpp"
#include "fmu/logged_text.hpp"
#include "fmu/trial.hpp"

#include <rubato/private/format.hpp>

#include <array>
#include <cstdarg>
#include <cstdlib>
#include <utility>

namespace rubato::unit {

using fmi2::Status;

namespace {

std::string_view name_of(Status status) {
    static constexpr std::array<std::string_view, 6> names = {
        "fmi2OK", "fmi2Warning", "fmi2Discard", "fmi2Error", "fmi2Fatal", "fmi2Pending"};
    const auto index = static_cast<std::size_t>(status);
    return index < names.size() ? names[index] : "a status that FMI 2.0 does not have";
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

[[gnu::cold]] void rubato_fmi2_logger(fmi2::ComponentEnvironment environment, fmi2::String name,
                                      Status status, fmi2::String category, fmi2::String message,
                                      ...) {
    if (message == nullptr) return;
    std::va_list arguments;
    va_start(arguments, message);
    const LoggedText logged(message, arguments);
    va_end(arguments);
    UnitLog::write(environment, name, level_of(status), category, logged.text());
}

void* rubato_fmi2_allocate(std::size_t count, std::size_t size) { return std::calloc(count, size); }

void rubato_fmi2_free(void* memory) { std::free(memory); }
}

} // namespace

Fmi2Instance::Fmi2Instance(const std::string& name, fmi2::Type type, const Fmi2Binary& binary,
                           const scenario::UnitDescription& description, InstanceContext context,
                           FaultSink& sink)
    : set_real_(binary.functions.set_real), get_real_(binary.functions.get_real),
      functions_(binary.functions), sink_(sink), log_(context.log, name, context.logging.limit),
      rules_(context.log, name, binary.strictness, sink),
      starts_(description, context.log, name), callbacks_{&rubato_fmi2_logger,
                                                          &rubato_fmi2_allocate, &rubato_fmi2_free,
                                                          nullptr, &log_},
      claim_(std::move(context.claim)) {
    log_.belongs_to(&log_);
    const fmi2::Boolean logs = context.logging.on ? fmi2::yes : fmi2::no;
    component_ = functions_.instantiate(name.c_str(), type, description.identifier.c_str(),
                                        binary.resources.c_str(), &callbacks_, fmi2::no, logs);
    if (component_ != nullptr) {
        if (!context.logging.categories.empty())
            choose_categories(functions_.set_debug_logging, component_, logs, name, context);
        return;
    }
    const std::string reason = log_.take_error();
    sink_.fault("fmi2Instantiate", reason.empty() ? "it returned no instance" : reason);
}

Fmi2Instance::~Fmi2Instance() {
    if (component_ == nullptr) return;
    if (runs_ && functions_.terminate(component_) == Status::fatal) return;
    for (fmi2::FmuState& state : states_) {
        if (state != nullptr) functions_.free_fmu_state(component_, &state);
    }
    functions_.free_instance(component_);
}

void Fmi2Instance::enter_initialization(const Horizon& horizon) {
    if (!is_missing(functions_.setup_experiment)) {
        check(functions_.setup_experiment(component_, horizon.tolerance ? fmi2::yes : fmi2::no,
                                          horizon.tolerance.value_or(0), horizon.start.seconds,
                                          horizon.stop ? fmi2::yes : fmi2::no,
                                          horizon.stop.value_or(Time{}).seconds),
              "fmi2SetupExperiment");
    }
    starts_.begin_initialization();
    starts_.set_all([&](const Bulk& values) { set_now(values); });
    check(functions_.enter_initialization_mode(component_), "fmi2EnterInitializationMode");
}

void Fmi2Instance::exit_initialization() {
    check(functions_.exit_initialization_mode(component_), "fmi2ExitInitializationMode");
    runs_ = true;
    starts_.check([&](const Bulk& values) { return try_get(values); });
}

bool Fmi2Instance::try_get(const Bulk& values) {
    const Trial trial(is_trial_, log_, rules_);
    try {
        get(values);
    } catch (const TrialRefused&) {
        return false;
    }
    return true;
}

void Fmi2Instance::terminate() {
    runs_ = false;
    if (!is_missing(functions_.terminate)) check(functions_.terminate(component_), "fmi2Terminate");
}

void Fmi2Instance::save(std::uint32_t slot) {
    if (slot >= states_.size()) states_.resize(slot + std::size_t{1}, nullptr);
    check(functions_.get_fmu_state(component_, &states_[slot]), "fmi2GetFMUstate");
}

void Fmi2Instance::restore(std::uint32_t slot) {
    if (component_ == nullptr) fail("fmi2SetFMUstate", "after a fatal fault nothing may be called");
    check(functions_.set_fmu_state(component_, states_.at(slot)), "fmi2SetFMUstate");
}

void Fmi2Instance::serialize(std::uint32_t slot, std::vector<std::byte>& bytes) {
    std::size_t size = 0;
    check(functions_.serialized_fmu_state_size(component_, states_.at(slot), &size),
          "fmi2SerializedFMUstateSize");
    const std::size_t start = bytes.size();
    bytes.resize(start + size);
    check(functions_.serialize_fmu_state(component_, states_.at(slot),
                                         reinterpret_cast<fmi2::Byte*>(bytes.data() + start), size),
          "fmi2SerializeFMUstate");
}

void Fmi2Instance::deserialize(std::uint32_t slot, std::span<const std::byte> bytes) {
    if (slot >= states_.size()) states_.resize(slot + std::size_t{1}, nullptr);
    if (states_[slot] != nullptr) functions_.free_fmu_state(component_, &states_[slot]);
    check(functions_.deserialize_fmu_state(component_,
                                           reinterpret_cast<const fmi2::Byte*>(bytes.data()),
                                           bytes.size(), &states_[slot]),
          "fmi2DeSerializeFMUstate");
}

void Fmi2Instance::fail(Status status, const char* call) {
    if (status == Status::fatal) {
        component_ = nullptr;
        is_trial_ = false;
    }
    if (status == missing_function_status<Status>) fail(call, function_is_missing);
    const std::string reason = log_.take_error();
    fail(call, reason.empty() ? format("it returned {} and logged no reason", name_of(status))
                              : format("it returned {}: {}", name_of(status), reason));
}

void Fmi2Instance::fail(const char* call, std::string_view reason) {
    if (is_trial_) throw TrialRefused{};
    runs_ = false;
    sink_.fault(call, reason);
    std::abort(); // fault throws
}

} // namespace rubato::unit
