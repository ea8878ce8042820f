// SPDX-License-Identifier: Apache-2.0
#include "fmi3_unit.hpp"

#include "fmu/step_reach.hpp"

#include <rubato/core/bytes.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

namespace rubato::unit {

using fmi3::Status;

Fmi3Unit::Fmi3Unit(std::string name, const Fmi3Binary& binary,
                   const scenario::UnitDescription& description, InstanceContext context)
    : Unit(std::move(name), description), updates_(description),
      instance_(this->name(), binary, description, std::move(context), *this,
                updates_.variables().empty() ? nullptr : &updates_),
      intervals_(instance_, description), do_step_(binary.functions.do_step),
      derivatives_(*this, binary.input_derivatives) {
    updates_.belong_to(instance_);
}

Abilities Fmi3Unit::abilities() noexcept {
    const scenario::Capabilities& capabilities = description().capabilities;
    return {
        .snapshots = instance_.has_snapshots() ? &states_ : nullptr,
        .serialized_states = instance_.can_serialize() ? &states_ : nullptr,
        .input_derivatives = capabilities.input_derivatives > 0 ? &derivatives_ : nullptr,
        .event_mode = instance_.has_event_mode() ? &events_ : nullptr,
        .intermediate_outputs = capabilities.intermediate_outputs ? this : nullptr,
        .directional_derivatives =
            is_usable(functions().get_directional_derivative) ? this : nullptr,
        .solver_statistics = nullptr,
        .direct_calls = nullptr,
    };
}

void Fmi3Unit::fault(std::string_view call, std::string_view reason) { fail(call, reason); }

void Fmi3Unit::do_enter_initialization(const Horizon& horizon) {
    instance_.enter_initialization(horizon);
}

void Fmi3Unit::do_exit_initialization() { instance_.exit_initialization(); }

void Fmi3Unit::do_terminate() { instance_.terminate(); }

void Fmi3Unit::do_set(const Bulk& values) {
    if (updates_.follows_inputs()) updates_.follow(values);
    instance_.set(values);
}

void Fmi3Unit::do_get(const Bulk& values) { instance_.get(values); }

StepResult Fmi3Unit::do_step(Time from, Duration by) {
    if (!updates_.are_used()) [[likely]]
        return step_alone(from, by);
    updates_.begin_step(from, by);
    StepResult result;
    try {
        result = step_alone(from, by);
        updates_.leave_step();
    } catch (...) {
        updates_.leave_step();
        updates_.rethrow_fault(); // which is why the step has failed
        throw;
    }
    updates_.end_step(result.reached);
    return result;
}

void Fmi3Unit::sample(std::span<const ValueRef> outputs, std::size_t most) {
    require(Call::get);
    updates_.samples().sample(outputs, most);
}

StepResult Fmi3Unit::step_alone(Time from, Duration by) {
    bool event = false, terminate = false, early = false;
    double reached = from.seconds;
    instance_.getting().end_check();
    const bool may_go_back = saved_.precede(from, by);
    const Status status = do_step_(instance(), from.seconds, by.seconds, !may_go_back, &event,
                                   &terminate, &early, &reached);
    if (status > Status::discard) [[unlikely]]
        instance_.fail(status, "fmi3DoStep");
    if (status == Status::discard) [[unlikely]]
        return discarded(from, by, reached);
    if (terminate || early || event) [[unlikely]] {
        const StepEnd end = terminate ? StepEnd::terminated
                            : event   ? StepEnd::event
                                      : StepEnd::rejected;
        return step_fell_short(from, by, early || terminate ? reached : (from + by).seconds, end);
    }
    return {from + by, StepEnd::completed};
}

/// The FMU is where it was, and what it says is undefined (FMI 3.0.2 section 2.2.4). Still, a time
/// within the step is as good for the next attempt as any.
StepResult Fmi3Unit::discarded(Time from, Duration by, double reached) {
    const bool suggests = reached > from.seconds && reached < (from + by).seconds;
    return {suggests ? Time{reached} : from, StepEnd::rejected};
}

StepResult Fmi3Unit::step_fell_short(Time from, Duration by, double reported, StepEnd end) {
    const auto reached = reach_of(reported, from, by);
    if (!reached) {
        instance_.fail("fmi3DoStep",
                       format("it did not make the whole step and reports {} s as the last "
                              "successful time, which is not within the step",
                              shortest(reported)));
    }
    const bool is_whole = end == StepEnd::rejected && *reached == from + by;
    return {*reached, is_whole ? StepEnd::completed : end};
}

void Fmi3Unit::States::save(std::uint32_t slot) {
    unit_.require(Call::save);
    unit_.saved_.note(slot, unit_.time());
    unit_.instance_.save(slot);
    unit_.note_saved(slot);
    if (!unit_.updates_.follows_inputs()) return;
    if (slot >= inputs_.size()) inputs_.resize(slot + std::size_t{1});
    inputs_[slot] = unit_.updates_.inputs().save();
}

void Fmi3Unit::States::restore(std::uint32_t slot) {
    unit_.require(Call::restore);
    unit_.instance_.restore(slot);
    unit_.note_restored(slot);
    if (unit_.updates_.follows_inputs()) unit_.updates_.inputs().restore(inputs_.at(slot));
}

void Fmi3Unit::States::serialize(std::uint32_t slot, std::vector<std::byte>& bytes) {
    ByteWriter writer(bytes);
    writer.put(unit_.saved_phase(slot));
    const bool follows_inputs = slot < inputs_.size();
    writer.put_all(follows_inputs ? std::span<const InputMotion::Input>(inputs_[slot])
                                  : std::span<const InputMotion::Input>());
    unit_.instance_.serialize(slot, bytes);
}

void Fmi3Unit::States::deserialize(std::uint32_t slot, std::span<const std::byte> bytes) {
    ByteReader reader(bytes);
    const auto phase = reader.take<Phase>();
    auto inputs = reader.take_all<InputMotion::Input>();
    const bool follows_inputs = unit_.updates_.follows_inputs();
    if (inputs.size() != (follows_inputs ? unit_.updates_.inputs().save().size() : 0))
        ByteReader::fail();
    unit_.saved_.note(slot, unit_.time());
    unit_.instance_.deserialize(slot, reader.rest());
    unit_.note_saved(slot, phase);
    if (!follows_inputs) return;
    if (slot >= inputs_.size()) inputs_.resize(slot + std::size_t{1});
    inputs_[slot] = std::move(inputs);
}

unsigned Fmi3Unit::Derivatives::max_order() const {
    return unit_.description().capabilities.input_derivatives;
}

/// An input moves by itself where another one carries its derivative; else it is moved.
void Fmi3Unit::Derivatives::set(std::span<const ValueRef> inputs, unsigned order,
                                std::span<const double> values) {
    unit_.require(Call::set);
    InputMotion& moved = unit_.updates_.inputs();
    references_.clear();
    values_.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (const auto carrier = map_.find(inputs[i], order)) {
            references_.push_back(*carrier);
            values_.push_back(values[i]);
        } else if (const auto input = moved.find(inputs[i])) {
            moved.set_derivative(*input, order, values[i]);
        } else {
            unit_.instance_.fail(
                "fmi3SetFloat64",
                format("the input with value reference {} cannot be set within steps, and no input "
                       "is declared its derivative of order {}",
                       inputs[i], order));
        }
    }
    if (!references_.empty()) unit_.instance_.set_reals(references_, values_);
}

Evaluation Fmi3Unit::directional_derivative(std::span<const ValueRef> unknowns,
                                            std::span<const ValueRef> knowns,
                                            std::span<const double> seed,
                                            std::span<double> sensitivity) {
    require(Call::get);
    const Status status = functions().get_directional_derivative(
        instance(), unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), seed.data(),
        seed.size(), sensitivity.data(), sensitivity.size());
    if (status == Status::discard) return Evaluation::refused;
    instance_.check(status, "fmi3GetDirectionalDerivative");
    return Evaluation::done;
}

} // namespace rubato::unit
