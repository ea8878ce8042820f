// SPDX-License-Identifier: Apache-2.0
#include "fmi2_unit.hpp"

#include "fmu/refused_derivatives.hpp"
#include "fmu/step_reach.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <utility>

namespace rubato::unit {

using fmi2::Status;

Fmi2Unit::Fmi2Unit(std::string name, const Fmi2Binary& binary,
                   const scenario::UnitDescription& description, InstanceContext context)
    : Unit(std::move(name), description), instance_(this->name(), fmi2::Type::co_simulation, binary,
                                                    description, std::move(context), *this),
      do_step_(binary.functions.do_step),
      // fmi2Status is an int by the standard's ABI: the functions are of these types but for its
      // name.
      direct_calls_{component(), reinterpret_cast<decltype(DirectCalls::get)>(functions().get_real),
                    reinterpret_cast<decltype(DirectCalls::set)>(functions().set_real),
                    reinterpret_cast<decltype(DirectCalls::step)>(do_step_)} {}

Abilities Fmi2Unit::abilities() noexcept {
    return {
        .snapshots = instance_.has_snapshots() ? &states_ : nullptr,
        .serialized_states = instance_.can_serialize() ? &states_ : nullptr,
        .input_derivatives =
            is_usable(functions().set_real_input_derivatives) ? &derivatives_ : nullptr,
        .event_mode = nullptr,
        .intermediate_outputs = nullptr,
        .directional_derivatives =
            is_usable(functions().get_directional_derivative) ? this : nullptr,
        .solver_statistics = nullptr,
        .direct_calls = instance_.getting().is_one_by_one() ? nullptr : &direct_calls_,
    };
}

void Fmi2Unit::do_raise(const char* call, int status) {
    instance_.fail(static_cast<Status>(status), call);
}

StepResult Fmi2Unit::do_conclude(Time from, Duration by, int status) {
    return step_fell_short(static_cast<Status>(status), from, by);
}

void Fmi2Unit::fault(std::string_view call, std::string_view reason) { fail(call, reason); }

void Fmi2Unit::do_enter_initialization(const Horizon& horizon) {
    instance_.enter_initialization(horizon);
}

void Fmi2Unit::do_exit_initialization() { instance_.exit_initialization(); }

void Fmi2Unit::do_terminate() { instance_.terminate(); }

void Fmi2Unit::do_set(const Bulk& values) { instance_.set(values); }

void Fmi2Unit::do_get(const Bulk& values) { instance_.get(values); }

StepResult Fmi2Unit::do_step(Time from, Duration by) {
    instance_.getting().end_check();
    const bool may_go_back = saved_.precede(from, by);
    const Status status =
        do_step_(component(), from.seconds, by.seconds, may_go_back ? fmi2::no : fmi2::yes);
    if (status > Status::warning) [[unlikely]]
        return step_fell_short(status, from, by);
    return {from + by, StepEnd::completed};
}

StepResult Fmi2Unit::step_fell_short(Status status, Time from, Duration by) {
    if (status == Status::pending) {
        instance_.fail("fmi2DoStep", "it steps asynchronously (fmi2Pending), although it was given "
                                     "no callback to say when it has finished");
    }
    if (status != Status::discard) instance_.fail(status, "fmi2DoStep");

    double reported = from.seconds;
    if (functions().get_real_status(component(), fmi2::StatusKind::last_successful_time,
                                    &reported) != Status::ok) {
        reported = from.seconds;
    }
    const auto reached = reach_of(reported, from, by);
    if (!reached) {
        instance_.fail("fmi2DoStep", format("it discarded the step and reports {} s as the last "
                                            "successful time, which is not within the step",
                                            shortest(reported)));
    }
    fmi2::Boolean terminated = fmi2::no;
    const Status answer =
        functions().get_boolean_status(component(), fmi2::StatusKind::terminated, &terminated);
    const bool ends = answer == Status::ok && terminated != fmi2::no;
    if (ends) return {*reached, StepEnd::terminated};
    return {*reached, *reached == from + by ? StepEnd::completed : StepEnd::rejected};
}

void Fmi2Unit::States::save(std::uint32_t slot) {
    unit_.require(Call::save);
    unit_.saved_.note(slot, unit_.time());
    unit_.instance_.save(slot);
}

void Fmi2Unit::States::restore(std::uint32_t slot) {
    unit_.require(Call::restore);
    unit_.instance_.restore(slot);
    unit_.recover();
}

void Fmi2Unit::States::serialize(std::uint32_t slot, std::vector<std::byte>& bytes) {
    unit_.instance_.serialize(slot, bytes);
}

void Fmi2Unit::States::deserialize(std::uint32_t slot, std::span<const std::byte> bytes) {
    unit_.saved_.note(slot, unit_.time());
    unit_.instance_.deserialize(slot, bytes);
}

unsigned Fmi2Unit::Derivatives::max_order() const {
    return unit_.description().capabilities.input_derivatives;
}

/// What an FMU does not take once is not offered again.
Evaluation Fmi2Unit::directional_derivative(std::span<const ValueRef> unknowns,
                                            std::span<const ValueRef> knowns,
                                            std::span<const double> seed,
                                            std::span<double> sensitivity) {
    require(Call::get);
    const Status status = functions().get_directional_derivative(
        component(), unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), seed.data(),
        sensitivity.data());
    if (status == Status::discard) return Evaluation::refused;
    instance_.check(status, "fmi2GetDirectionalDerivative");
    return Evaluation::done;
}

void Fmi2Unit::Derivatives::set(std::span<const ValueRef> inputs, unsigned order,
                                std::span<const double> values) {
    unit_.require(Call::set);
    if (are_refused_) return;
    orders_.assign(inputs.size(), static_cast<fmi2::Integer>(order));
    const Status status = unit_.functions().set_real_input_derivatives(
        unit_.component(), inputs.data(), inputs.size(), orders_.data(), values.data());
    are_refused_ = refuses_derivatives(unit_.instance_, status, "fmi2SetRealInputDerivatives");
}

} // namespace rubato::unit
