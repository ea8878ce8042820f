// SPDX-License-Identifier: Apache-2.0
#include "fmi1_unit.hpp"

#include "fmu/refused_derivatives.hpp"
#include "fmu/step_reach.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <utility>

namespace rubato::unit {

using fmi1::Status;

Fmi1Unit::Fmi1Unit(std::string name, const Fmi1Binary& binary,
                   const scenario::UnitDescription& description, InstanceContext context)
    : Unit(std::move(name), description),
      instance_(this->name(), scenario::Interface::co_simulation, binary, description,
                std::move(context), *this) {}

Abilities Fmi1Unit::abilities() noexcept {
    Abilities all = Abilities::none();
    if (is_usable(instance_.functions().set_real_input_derivatives))
        all.input_derivatives = &derivatives_;
    return all;
}

void Fmi1Unit::initialize() {
    if (!horizon_) return;
    const Horizon horizon = *std::exchange(horizon_, std::nullopt);
    instance_.check(instance_.functions().initialize_slave(
                        instance_.component(), horizon.start.seconds,
                        horizon.stop ? fmi1::yes : fmi1::no, horizon.stop.value_or(Time{}).seconds),
                    "fmiInitializeSlave");
    instance_.starts();
}

void Fmi1Unit::do_get(const Bulk& values) {
    initialize();
    instance_.get(values);
}

StepResult Fmi1Unit::do_step(Time from, Duration by) {
    instance_.getting().end_check();
    const Status status =
        instance_.functions().do_step(instance_.component(), from.seconds, by.seconds, fmi1::yes);
    if (status > Status::warning) [[unlikely]]
        return step_fell_short(status, from, by);
    return {from + by, StepEnd::completed};
}

StepResult Fmi1Unit::step_fell_short(Status status, Time from, Duration by) {
    if (status == Status::pending) {
        instance_.fail("fmiDoStep", "it steps asynchronously (fmiPending), although it was given "
                                    "no callback to say when it has finished");
    }
    if (status != Status::discard) instance_.fail(status, "fmiDoStep");

    double reported = from.seconds;
    if (instance_.functions().get_real_status(instance_.component(),
                                              fmi1::StatusKind::last_successful_time,
                                              &reported) != Status::ok) {
        reported = from.seconds;
    }
    const auto reached = reach_of(reported, from, by);
    if (!reached) {
        instance_.fail("fmiDoStep", format("it discarded the step and reports {} s as the last "
                                           "successful time, which is not within the step",
                                           shortest(reported)));
    }
    return {*reached, *reached == from + by ? StepEnd::completed : StepEnd::rejected};
}

unsigned Fmi1Unit::Derivatives::max_order() const {
    return unit_.description().capabilities.input_derivatives;
}

/// What an FMU does not take once is not offered again.
void Fmi1Unit::Derivatives::set(std::span<const ValueRef> inputs, unsigned order,
                                std::span<const double> values) {
    unit_.require(Call::set);
    if (are_refused_) return;
    orders_.assign(inputs.size(), static_cast<fmi1::Integer>(order));
    const Status status = unit_.instance_.set_input_derivatives(inputs, orders_, values);
    are_refused_ = refuses_derivatives(unit_.instance_, status, "fmiSetRealInputDerivatives");
}

} // namespace rubato::unit
