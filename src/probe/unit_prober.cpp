// SPDX-License-Identifier: Apache-2.0
#include "unit_prober.hpp"

#include "perturbation.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace rubato::probe {

using rubato::to_string;

namespace {

constexpr std::uint32_t slot = 1; // 0 is the executor's
/// Relative: what a computation that has nothing to do with the input may change by.
constexpr double rounding = 1e-10;

/// Without arrays that are exchanged as a whole.
std::vector<PortId> single_values(const scenario::System& system,
                                  const std::vector<PortId>& ports) {
    std::vector<PortId> result;
    std::ranges::copy_if(ports, std::back_inserter(result),
                         [&](PortId port) { return system.port(port).part.count == 1; });
    return result;
}

std::vector<PortId> ports_of(const scenario::System& system, const scenario::SystemUnit& unit) {
    std::vector<PortId> ports = single_values(system, unit.inputs);
    std::ranges::copy(single_values(system, unit.outputs), std::back_inserter(ports));
    return ports;
}

bool is_not_a_number(const Value& value) {
    const double* real = std::get_if<double>(&value);
    return real && std::isnan(*real);
}

bool is_finite(const Value& value) {
    const double* real = std::get_if<double>(&value);
    return !real || std::isfinite(*real);
}

bool is_same(const Value& a, const Value& b) {
    return a == b || (is_not_a_number(a) && is_not_a_number(b));
}

bool has_moved(const Value& before, const Value& after) {
    const double* a = std::get_if<double>(&before);
    const double* b = std::get_if<double>(&after);
    if (!a || !b) return before != after;
    return std::abs(*b - *a) > rounding * std::max(std::abs(*a), std::abs(*b));
}

} // namespace

UnitProber::UnitProber(const scenario::System& system, UnitId id, unit::Unit& unit)
    : system_(system), id_(id), unit_(unit), ports_(ports_of(system, system.unit(id))),
      input_count_(single_values(system, system.unit(id).inputs).size()), reader_(system, ports_),
      restless_(ports_.size()), fixed_(input_count_) {
    for (auto& seen : seen_) seen.resize(input_count_ * (ports_.size() - input_count_));
}

void UnitProber::probe(const Instant& when, Probing& result) {
    if (given_up_) return;
    bool saved = false;
    try {
        unit_.snapshots()->save(slot);
        saved = true;
        probe_inputs(when, result);
    } catch (const Error& fault) {
        give_up(Obstacle::Kind::fault, when, fault.what(), result);
    }
    if (!saved) return;
    try {
        if (unit_.phase() == unit::Phase::failed) unit_.snapshots()->restore(slot);
        unit_.snapshots()->release(slot);
    } catch (const Error&) { // said already; that the unit stays failed is for the caller to see
    }
}

void UnitProber::probe_inputs(const Instant& when, Probing& result) {
    before_ = reader_.read(unit_);
    const std::vector<Value> again = reader_.read(unit_);
    for (std::size_t port = 0; port < ports_.size(); ++port) {
        if (restless_[port] || is_same(before_[port], again[port])) continue;
        restless_[port] = true;
        note(Obstacle::Kind::not_reproducible, port, when,
             format("{}, then {}", to_string(before_[port], variable(port).type),
                    to_string(again[port], variable(port).type)),
             result);
    }
    restore(when, result);
    for (std::size_t input = 0; input < input_count_ && !given_up_; ++input)
        probe_input(input, when, result);
}

void UnitProber::probe_input(std::size_t input, const Instant& when, Probing& result) {
    if (restless_[input] || all_seen(input, when.initializing)) return;
    const auto values = perturbations(variable(input), before_[input]);
    if (values.empty() && !fixed_[input]) {
        fixed_[input] = true;
        note(Obstacle::Kind::no_perturbation, input, when,
             std::string(to_string(variable(input).type)), result);
    }
    bool is_borne = values.empty();
    for (const Value& value : values) {
        if (given_up_) return;
        is_borne = try_value(input, value, when, result) || is_borne;
    }
    if (is_borne) return;
    for (const Value& value : small_perturbations(variable(input), before_[input])) {
        if (given_up_) return;
        (void)try_value(input, value, when, result);
    }
}

bool UnitProber::try_value(std::size_t input, const Value& value, const Instant& when,
                           Probing& result) {
    Refusal& refusal = refusals_[input];
    ++refusal.tried;
    std::vector<Value> after;
    std::string trouble;
    try {
        set_value(unit_, system_.port(ports_[input]), value);
        after = reader_.read(unit_);
        trouble = find_not_finite(after);
    } catch (const Error& fault) {
        trouble = fault.what();
    }
    if (trouble.empty()) {
        note_influences(input, value, after, when, result);
    } else {
        note_refusal(input, value, when, trouble);
    }
    restore(when, result);
    return trouble.empty();
}

void UnitProber::note_influences(std::size_t input, const Value& value,
                                 const std::vector<Value>& after, const Instant& when,
                                 Probing& result) {
    auto& seen = seen_[when.initializing ? 1 : 0];
    const std::size_t output_count = ports_.size() - input_count_;
    for (std::size_t output = 0; output < output_count; ++output) {
        const std::size_t port = input_count_ + output;
        const std::size_t pair = input * output_count + output;
        if (restless_[port] || seen[pair] || !has_moved(before_[port], after[port])) continue;
        seen[pair] = true;
        result.influences.push_back(
            {ports_[input], ports_[port], when, before_[input], value, before_[port], after[port]});
    }
}

void UnitProber::note_refusal(std::size_t input, const Value& value, const Instant& when,
                              std::string reason) {
    Refusal& refusal = refusals_[input];
    if (refusal.refused++ > 0) return;
    refusal.input = ports_[input];
    refusal.when = when;
    refusal.value = value;
    refusal.reason = std::move(reason);
}

std::vector<Refusal> UnitProber::refusals() const {
    std::vector<Refusal> result;
    for (const auto& [input, refusal] : refusals_) {
        if (refusal.refused > 0) result.push_back(refusal);
    }
    return result;
}

std::optional<std::size_t> UnitProber::find_difference(const std::vector<Value>& values) const {
    for (std::size_t port = 0; port < ports_.size(); ++port) {
        if (!restless_[port] && !is_same(values[port], before_[port])) return port;
    }
    return std::nullopt;
}

std::string UnitProber::find_not_finite(const std::vector<Value>& after) const {
    for (std::size_t port = input_count_; port < ports_.size(); ++port) {
        if (is_finite(before_[port]) && !is_finite(after[port])) {
            return format("output \"{}\" is {}", name(port),
                          is_not_a_number(after[port]) ? "not a number" : "infinite");
        }
    }
    return {};
}

void UnitProber::restore(const Instant& when, Probing& result) {
    unit_.snapshots()->restore(slot);
    const std::vector<Value> values = reader_.read(unit_);
    const auto port = find_difference(values);
    if (!port) return;
    give_up(Obstacle::Kind::not_restored, when,
            format("\"{}\" was {} when its state was saved and is {} when it is restored",
                   name(*port), to_string(before_[*port], variable(*port).type),
                   to_string(values[*port], variable(*port).type)),
            result);
}

void UnitProber::give_up(Obstacle::Kind kind, const Instant& when, std::string reason,
                         Probing& result) {
    given_up_ = true;
    note(kind, {}, when, std::move(reason), result);
}

void UnitProber::note(Obstacle::Kind kind, std::optional<std::size_t> port, const Instant& when,
                      std::string reason, Probing& result) const {
    const auto id = port ? std::optional(ports_[*port]) : std::nullopt;
    result.obstacles.push_back({kind, id_, id, when, std::move(reason)});
}

bool UnitProber::all_seen(std::size_t input, bool initializing) const {
    const auto& seen = seen_[initializing ? 1 : 0];
    const std::size_t output_count = ports_.size() - input_count_;
    for (std::size_t output = 0; output < output_count; ++output) {
        if (!seen[input * output_count + output] && !restless_[input_count_ + output]) return false;
    }
    return true;
}

const scenario::Variable& UnitProber::variable(std::size_t port) const {
    return unit_.description().variables[system_.port(ports_[port]).variable];
}

} // namespace rubato::probe
