// SPDX-License-Identifier: Apache-2.0
#include "fmi3_unit.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <array>

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

std::string_view view_of(fmi3::String text) { return text == nullptr ? "" : text; }

extern "C" [[gnu::cold]] void rubato_fmi3_log_message(fmi3::InstanceEnvironment environment,
                                                      Status status, fmi3::String category,
                                                      fmi3::String message) {
    if (environment == nullptr) return;
    static_cast<UnitLog*>(environment)
        ->write(level_of(status), view_of(category), view_of(message));
}

} // namespace

Fmi3Unit::Fmi3Unit(std::string name, const Fmi3Binary& binary,
                   const scenario::UnitDescription& description, Log& log,
                   std::shared_ptr<void> claim)
    : Unit(std::move(name), description), set_float64_(binary.functions.set_float64),
      get_float64_(binary.functions.get_float64), do_step_(binary.functions.do_step),
      functions_(binary.functions), derivatives_(*this, binary.input_derivatives),
      log_(log, this->name()), claim_(std::move(claim)) {
    constexpr bool visible = false, logging_on = true, event_mode_used = false;
    instance_ = functions_.instantiate(this->name().c_str(), description.identifier.c_str(),
                                       binary.resources.c_str(), visible, logging_on,
                                       event_mode_used, description.capabilities.may_return_early,
                                       nullptr, 0, &log_, &rubato_fmi3_log_message, nullptr);
    if (instance_ != nullptr) return;
    const std::string reason = log_.take_error();
    fail("fmi3InstantiateCoSimulation", reason.empty() ? "it returned no instance" : reason);
}

Fmi3Unit::~Fmi3Unit() {
    if (instance_ == nullptr) return;
    if (phase() == Phase::stepping && functions_.terminate(instance_) == Status::fatal) return;
    states_.free();
    functions_.free_instance(instance_);
}

Snapshots* Fmi3Unit::snapshots() noexcept {
    return functions_.get_fmu_state == nullptr ? nullptr : &states_;
}

InputDerivatives* Fmi3Unit::input_derivatives() noexcept {
    return description().capabilities.input_derivatives == 0 ? nullptr : &derivatives_;
}

void Fmi3Unit::do_enter_initialization(const Horizon& horizon) {
    check(functions_.enter_initialization_mode(instance_, horizon.tolerance.has_value(),
                                               horizon.tolerance.value_or(0), horizon.start.seconds,
                                               horizon.stop.has_value(),
                                               horizon.stop.value_or(Time{}).seconds),
          "fmi3EnterInitializationMode");
}

void Fmi3Unit::do_exit_initialization() {
    check(functions_.exit_initialization_mode(instance_), "fmi3ExitInitializationMode");
}

void Fmi3Unit::do_terminate() { check(functions_.terminate(instance_), "fmi3Terminate"); }

StepResult Fmi3Unit::do_step(Time from, Duration by) {
    bool event = false, terminate = false, early = false;
    double reached = from.seconds;
    const Status status = do_step_(instance_, from.seconds, by.seconds, !may_roll_back_, &event,
                                   &terminate, &early, &reached);
    if (status > Status::discard) [[unlikely]]
        fail_with(status, "fmi3DoStep");
    if (status == Status::discard) [[unlikely]]
        return discarded(from, by, reached);
    if (terminate || early) [[unlikely]] {
        const StepEnd end = terminate ? StepEnd::terminated
                            : event   ? StepEnd::event
                                      : StepEnd::rejected;
        return step_fell_short(from, by, reached, end);
    }
    return {from + by, StepEnd::completed};
}

/// The FMU is where it was, and what it says is undefined (FMI 3.0.2 section 2.2.4). Still, a time
/// within the step is as good for the next attempt as any.
StepResult Fmi3Unit::discarded(Time from, Duration by, double reached) {
    const bool suggests = reached > from.seconds && reached < (from + by).seconds;
    return {suggests ? Time{reached} : from, StepEnd::rejected};
}

StepResult Fmi3Unit::step_fell_short(Time from, Duration by, double reached, StepEnd end) {
    if (!(reached >= from.seconds && reached <= (from + by).seconds)) {
        fail("fmi3DoStep", format("it did not make the whole step and reports {} s as the last "
                                  "successful time, which is not within the step",
                                  shortest(reached)));
    }
    return {Time{reached}, end};
}

void Fmi3Unit::fail_with(Status status, const char* call) {
    if (status == Status::fatal) instance_ = nullptr;
    const std::string reason = log_.take_error();
    fail(call, reason.empty() ? format("it returned {} and logged no reason", name_of(status))
                              : format("it returned {}: {}", name_of(status), reason));
}

void Fmi3Unit::States::save(std::uint32_t slot) {
    unit_.require(Call::save);
    if (slot >= slots_.size()) slots_.resize(slot + std::size_t{1}, nullptr);
    unit_.may_roll_back_ = true;
    unit_.check(unit_.functions_.get_fmu_state(unit_.instance_, &slots_[slot]), "fmi3GetFMUState");
}

void Fmi3Unit::States::restore(std::uint32_t slot) {
    unit_.require(Call::restore);
    if (unit_.instance_ == nullptr)
        unit_.fail("fmi3SetFMUState", "after a fatal fault nothing may be called");
    unit_.check(unit_.functions_.set_fmu_state(unit_.instance_, slots_.at(slot)),
                "fmi3SetFMUState");
    unit_.recover();
}

void Fmi3Unit::States::free() {
    for (fmi3::FmuState& state : slots_) {
        if (state != nullptr) unit_.functions_.free_fmu_state(unit_.instance_, &state);
    }
    slots_.clear();
}

unsigned Fmi3Unit::Derivatives::max_order() const {
    return unit_.description().capabilities.input_derivatives;
}

void Fmi3Unit::Derivatives::set(std::span<const ValueRef> inputs, unsigned order,
                                std::span<const double> values) {
    unit_.require(Call::set);
    references_.clear();
    for (const ValueRef input : inputs) {
        const auto derivative = map_.find(input, order);
        if (!derivative) {
            unit_.fail("fmi3SetFloat64",
                       format("no input is declared the derivative of order {} of the input with "
                              "value reference {}",
                              order, input));
        }
        references_.push_back(*derivative);
    }
    unit_.check(unit_.set_float64_(unit_.instance_, references_.data(), references_.size(),
                                   values.data(), values.size()),
                "fmi3SetFloat64");
}

} // namespace rubato::unit
