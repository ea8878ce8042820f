// SPDX-License-Identifier: Apache-2.0
#include "fmi2_unit.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
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

std::string_view view_of(fmi2::String text) { return text == nullptr ? "" : text; }

extern "C" {

[[gnu::cold]] void rubato_fmi2_logger(fmi2::ComponentEnvironment environment, fmi2::String,
                                      Status status, fmi2::String category, fmi2::String message,
                                      ...) {
    if (environment == nullptr || message == nullptr) return;
    std::array<char, 4096> text{}; // longer messages are cut
    std::va_list arguments;
    va_start(arguments, message);
    const int length = std::vsnprintf(text.data(), text.size(), message, arguments);
    va_end(arguments);
    const std::string_view formatted = length < 0 ? message : text.data();
    static_cast<UnitLog*>(environment)->write(level_of(status), view_of(category), formatted);
}

void* rubato_fmi2_allocate(std::size_t count, std::size_t size) { return std::calloc(count, size); }

void rubato_fmi2_free(void* memory) { std::free(memory); }
}

} // namespace

Fmi2Unit::Fmi2Unit(std::string name, const Fmi2Binary& binary,
                   const scenario::UnitDescription& description, Log& log,
                   std::shared_ptr<void> claim)
    : Unit(std::move(name), description), set_real_(binary.functions.set_real),
      get_real_(binary.functions.get_real), do_step_(binary.functions.do_step),
      functions_(binary.functions),
      log_(log, this->name()), callbacks_{&rubato_fmi2_logger, &rubato_fmi2_allocate,
                                          &rubato_fmi2_free, nullptr, &log_},
      claim_(std::move(claim)) {
    component_ = functions_.instantiate(this->name().c_str(), fmi2::Type::co_simulation,
                                        description.identifier.c_str(), binary.resources.c_str(),
                                        &callbacks_, fmi2::no, fmi2::yes);
    if (component_ != nullptr) return;
    const std::string reason = log_.take_error();
    fail("fmi2Instantiate", reason.empty() ? "it returned no instance" : reason);
}

Fmi2Unit::~Fmi2Unit() {
    if (component_ == nullptr) return;
    if (phase() == Phase::stepping && functions_.terminate(component_) == Status::fatal) return;
    states_.free();
    functions_.free_instance(component_);
}

Snapshots* Fmi2Unit::snapshots() noexcept {
    return functions_.get_fmu_state == nullptr ? nullptr : &states_;
}

InputDerivatives* Fmi2Unit::input_derivatives() noexcept {
    return functions_.set_real_input_derivatives == nullptr ? nullptr : &derivatives_;
}

std::optional<DirectCalls> Fmi2Unit::direct_calls() noexcept {
    // fmi2Status is an int by the standard's ABI: the functions are of these types but for its
    // name.
    return DirectCalls{component_, reinterpret_cast<decltype(DirectCalls::get)>(get_real_),
                       reinterpret_cast<decltype(DirectCalls::set)>(set_real_),
                       reinterpret_cast<decltype(DirectCalls::step)>(do_step_)};
}

void Fmi2Unit::do_raise(const char* call, int status) {
    fail_with(static_cast<Status>(status), call);
}

StepResult Fmi2Unit::do_conclude(Time from, Duration by, int status) {
    return step_fell_short(static_cast<Status>(status), from, by);
}

void Fmi2Unit::do_enter_initialization(const Horizon& horizon) {
    check(functions_.setup_experiment(component_, horizon.tolerance ? fmi2::yes : fmi2::no,
                                      horizon.tolerance.value_or(0), horizon.start.seconds,
                                      horizon.stop ? fmi2::yes : fmi2::no,
                                      horizon.stop.value_or(Time{}).seconds),
          "fmi2SetupExperiment");
    check(functions_.enter_initialization_mode(component_), "fmi2EnterInitializationMode");
}

void Fmi2Unit::do_exit_initialization() {
    check(functions_.exit_initialization_mode(component_), "fmi2ExitInitializationMode");
}

void Fmi2Unit::do_terminate() { check(functions_.terminate(component_), "fmi2Terminate"); }

StepResult Fmi2Unit::do_step(Time from, Duration by) {
    const Status status = do_step_(component_, from.seconds, by.seconds, 1 - may_roll_back_);
    if (status > Status::warning) [[unlikely]]
        return step_fell_short(status, from, by);
    return {from + by, StepEnd::completed};
}

StepResult Fmi2Unit::step_fell_short(Status status, Time from, Duration by) {
    if (status == Status::pending) {
        fail("fmi2DoStep", "it steps asynchronously (fmi2Pending), although it was given no "
                           "callback to say when it has finished");
    }
    if (status != Status::discard) fail_with(status, "fmi2DoStep");

    double reached = from.seconds;
    if (functions_.get_real_status(component_, fmi2::StatusKind::last_successful_time, &reached) !=
        Status::ok) {
        reached = from.seconds;
    }
    if (!(reached >= from.seconds && reached <= (from + by).seconds)) {
        fail("fmi2DoStep", format("it discarded the step and reports {} s as the last successful "
                                  "time, which is not within the step",
                                  shortest(reached)));
    }
    fmi2::Boolean terminated = fmi2::no;
    const Status told =
        functions_.get_boolean_status(component_, fmi2::StatusKind::terminated, &terminated);
    const bool ends = told == Status::ok && terminated != fmi2::no;
    return {Time{reached}, ends ? StepEnd::terminated : StepEnd::rejected};
}

void Fmi2Unit::fail_with(Status status, const char* call) {
    if (status == Status::fatal) component_ = nullptr;
    const std::string reason = log_.take_error();
    fail(call, reason.empty() ? format("it returned {} and logged no reason", name_of(status))
                              : format("it returned {}: {}", name_of(status), reason));
}

void Fmi2Unit::States::save(std::uint32_t slot) {
    unit_.require(Call::save);
    if (slot >= slots_.size()) slots_.resize(slot + std::size_t{1}, nullptr);
    unit_.may_roll_back_ = fmi2::yes;
    unit_.check(unit_.functions_.get_fmu_state(unit_.component_, &slots_[slot]), "fmi2GetFMUstate");
}

void Fmi2Unit::States::restore(std::uint32_t slot) {
    unit_.require(Call::restore);
    if (unit_.component_ == nullptr)
        unit_.fail("fmi2SetFMUstate", "after a fatal fault nothing may be called");
    unit_.check(unit_.functions_.set_fmu_state(unit_.component_, slots_.at(slot)),
                "fmi2SetFMUstate");
    unit_.recover();
}

void Fmi2Unit::States::free() {
    for (fmi2::FmuState& state : slots_) {
        if (state != nullptr) unit_.functions_.free_fmu_state(unit_.component_, &state);
    }
    slots_.clear();
}

unsigned Fmi2Unit::Derivatives::max_order() const {
    return unit_.description().capabilities.input_derivatives;
}

void Fmi2Unit::Derivatives::set(std::span<const ValueRef> inputs, unsigned order,
                                std::span<const double> values) {
    unit_.require(Call::set);
    orders_.assign(inputs.size(), static_cast<fmi2::Integer>(order));
    unit_.check(unit_.functions_.set_real_input_derivatives(
                    unit_.component_, inputs.data(), inputs.size(), orders_.data(), values.data()),
                "fmi2SetRealInputDerivatives");
}

} // namespace rubato::unit
