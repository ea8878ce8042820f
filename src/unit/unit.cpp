// SPDX-License-Identifier: Apache-2.0
#include "part_access.hpp"

#include <rubato/core/bytes.hpp>
#include <rubato/core/errors.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/unit/unit.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace rubato::unit {

std::string_view to_string(Phase phase) {
    static constexpr std::array<std::string_view, 6> names = {
        "instantiated", "initializing", "stepping", "event mode", "terminated", "failed"};
    return names.at(static_cast<std::size_t>(phase));
}

Unit::Unit(std::string name, const scenario::UnitDescription& description)
    : description_(description), name_(std::make_unique<std::string>(std::move(name))) {
    note_time(std::numeric_limits<double>::quiet_NaN());
    note_call(this, "instantiate");
}

Unit::~Unit() {
    if (call_under_way.unit.load(std::memory_order_relaxed) == this) note_no_call();
}

PartAccess& Unit::part_access() {
    if (!part_access_) {
        part_access_ = std::make_unique<PartAccess>([this](const Bulk& whole) { do_get(whole); },
                                                    [this](const Bulk& whole) { do_set(whole); });
    }
    return *part_access_;
}

void Unit::get_parts(const Bulk& values) {
    if (std::ranges::all_of(values.parts, &Part::is_whole)) return do_get(values);
    part_access().get(values);
}

void Unit::set_parts(const Bulk& values) {
    if (std::ranges::all_of(values.parts, &Part::is_whole)) return do_set(values);
    part_access().set(values);
}

void Unit::enter_initialization(const Horizon& horizon) {
    require(Call::enter_initialization);
    time_ = horizon.start;
    note_time(horizon.start.seconds);
    do_enter_initialization(horizon);
    phase_ = Phase::initializing;
}

void Unit::exit_initialization() {
    require(Call::exit_initialization);
    do_exit_initialization();
    note_event_mode(event_mode() != nullptr);
}

void Unit::terminate() {
    require(Call::terminate);
    do_terminate();
    phase_ = Phase::terminated;
}

void Unit::note_saved(std::uint32_t slot, Phase phase) {
    if (slot >= saved_phases_.size()) saved_phases_.resize(slot + std::size_t{1});
    if (phase > Phase::failed) ByteReader::fail();
    saved_phases_[slot] = phase;
}

void Unit::note_fault() {
    if (phase_ != Phase::failed) phase_before_fault_ = phase_;
    phase_ = Phase::failed;
}

void Unit::fail_saying(const std::string& message) {
    note_fault();
    throw UnitError(message, {}, name(), time_.seconds);
}

void Unit::fail(std::string_view call, std::string_view reason, std::string_view hint) {
    note_fault();
    const bool is_before = phase_before_fault_ == Phase::instantiated;
    const std::string when = is_before ? std::string("before initialization")
                                       : format("at t = {} s", shortest(time_.seconds));
    throw UnitError(format("unit \"{}\" failed in {} {}: {}", name(), call, when, reason), hint,
                    name(), is_before ? std::nullopt : std::optional(time_.seconds));
}

void Unit::raise(Time now, const char* call, int status) {
    time_ = now;
    do_raise(call, status);
    std::abort(); // do_raise throws
}

StepResult Unit::conclude(Time from, Duration by, int status) {
    time_ = from;
    const StepResult result = do_conclude(from, by, status);
    time_ = result.reached;
    return result;
}

void Unit::do_raise(const char* call, int status) { fail(call, format("status {}", status)); }

StepResult Unit::do_conclude(Time, Duration, int status) {
    fail("step", format("status {}", status));
}

void Unit::refuse(Call call) const {
    note_no_call(); // the fault is the caller's
    throw std::logic_error(format("unit \"{}\": {} is not allowed in phase {}", name(),
                                  call_names[static_cast<std::size_t>(call)], to_string(phase_)));
}

} // namespace rubato::unit
