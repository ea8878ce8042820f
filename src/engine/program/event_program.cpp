// SPDX-License-Identifier: Apache-2.0
#include "event_program.hpp"

#include <rubato/algorithm/traversal.hpp>

#include <algorithm>

namespace rubato::engine {

using scenario::Link;
using scenario::Port;
using unit::Unit;

EventProgram::EventProgram(const scenario::System& system,
                           std::span<const std::unique_ptr<Unit>> units, Plan& plan, Calls& calls,
                           std::span<const std::optional<std::uint32_t>> final_slots,
                           std::span<const std::optional<std::uint32_t>> histories)
    : system_(system), units_(units), plan_(plan), calls_(calls), final_slots_(final_slots),
      histories_(histories), clock_of_(system.ports.size()), slots_(system.ports.size()),
      before_(system.ports.size()) {
    add_clocks();
}

void EventProgram::add_clocks() {
    for (const scenario::SystemUnit& unit : system_.units) {
        for (const PortId id : unit.clocks) {
            const Port& port = system_.port(id);
            Unit& owner = *units_[port.unit.value];
            clock_of_[id.value] = static_cast<std::uint32_t>(plan_.clocks.size());
            plan_.clocks.push_back(
                {.unit = &owner,
                 .mode = owner.event_mode(),
                 .name = port.name,
                 .reference = port.reference,
                 .attributes =
                     owner.description().variables[port.variable].clock.value_or(ClockAttributes{}),
                 .is_timed = port.is_timed,
                 .slot = slot(id, false),
                 .owner = port.unit.value});
        }
    }
    for (const scenario::SystemUnit& unit : system_.units)
        for (const PortId id : unit.clocks)
            plan_.clocks[*clock_of_[id.value]].clocks = guards_of(system_.port(id));
}

std::vector<std::uint32_t> EventProgram::guards_of(const Port& port) const {
    std::vector<std::uint32_t> clocks;
    for (const PortId clock : port.clocks) clocks.push_back(clock_of_[clock.value].value());
    return clocks;
}

void EventProgram::begin(const Body& body, std::span<const Link* const> links,
                         std::span<const Link> step_links) {
    links_ = links;
    in_steps_.assign(system_.ports.size(), false);
    for (const Link& link : step_links) in_steps_[link.to.value] = true;
    until_.reset();
    algorithm::for_each_of<algorithm::FixedPoint>(
        body, [&](const algorithm::FixedPoint& loop) { until_ = loop.until; });
    watched_.clear();
}

std::uint32_t EventProgram::slot(PortId id, bool before) {
    if (!before && final_slots_[id.value]) return *final_slots_[id.value];
    auto& assigned = (before ? before_ : slots_)[id.value];
    const Port& port = system_.port(id);
    if (!assigned) assigned = calls_.add_slots(storage_of(port.type), port.part.count);
    return *assigned;
}

/// One call for all outputs of a unit that have the same type and clocks; clocks come singly.
void EventProgram::add_gets(std::span<const Op> run, bool in_loop, Block& block) {
    using Key = std::tuple<UnitId, ValueType, std::vector<PortId>>;
    std::map<Key, std::vector<PortId>> groups;
    const std::size_t clocks_before = plan_.clock_gets.size();
    const std::size_t before = plan_.event_gets.size();
    for (const Op& op : run) {
        const PortId id = std::get<algorithm::Get>(op).port;
        const Port& port = system_.port(id);
        if (port.is_clock())
            plan_.clock_gets.push_back(clock_of_[id.value].value());
        else
            groups[{port.unit, port.type, port.clocks}].push_back(id);
    }
    for (auto& [key, ports] : groups) {
        std::ranges::sort(ports, {}, [&](PortId id) { return slot(id, false); });
        add_get(ports, in_loop);
    }
    if (plan_.clock_gets.size() > clocks_before)
        block.push_back(added(Opcode::get_clock, plan_.clock_gets, clocks_before));
    if (plan_.event_gets.size() > before)
        block.push_back(added(Opcode::event_get, plan_.event_gets, before));
}

void EventProgram::add_get(std::span<const PortId> ports, bool in_loop) {
    const Port& first = system_.port(ports.front());
    EventGet get{.first = static_cast<std::uint32_t>(plan_.gets.size()),
                 .clocks = guards_of(first),
                 .unit = first.unit.value,
                 .in_loop = in_loop};
    for (const PortId id : ports)
        calls_.add_get(variable_of(system_.port(id)), slot(id, false), id == ports.front());
    get.count = static_cast<std::uint32_t>(plan_.gets.size()) - get.first;
    // A loop can deal with values that are not finite, and only a loop.
    for (std::uint32_t i = 0; i < get.count; ++i)
        plan_.gets[get.first + i].checked &= in_loop && get.clocks.empty();
    plan_.event_gets.push_back(std::move(get));
}

void EventProgram::add_sets(std::span<const Op> run, Block& block) {
    const std::size_t clocks_before = plan_.clock_sets.size();
    const std::size_t before = plan_.event_sets.size();
    for (const Op& op : run) {
        const PortId id = std::get<algorithm::Set>(op).port;
        const Link* const link = links_[id.value];
        if (system_.port(id).is_clock()) {
            ClockSet set{.clock = clock_of_[id.value].value()};
            if (link) set.source = clock_of_[link->from.value].value();
            plan_.clock_sets.push_back(set);
        } else if (link) {
            add_set(id, *link);
        }
    }
    if (plan_.clock_sets.size() > clocks_before)
        block.push_back(added(Opcode::set_clock, plan_.clock_sets, clocks_before));
    if (plan_.event_sets.size() > before)
        block.push_back(added(Opcode::event_set, plan_.event_sets, before));
}

void EventProgram::add_set(PortId id, const Link& link) {
    const Port& port = system_.port(id);
    const Port& from = system_.port(link.from);
    const auto held = held_.try_emplace(id, 0);
    if (held.second) held.first->second = calls_.add_slots(storage_of(port.type), port.part.count);
    constexpr double rounding = 1e-10; // what is left without loops
    EventSet set{.call = static_cast<std::uint32_t>(plan_.sets.size()),
                 .held = held.first->second,
                 .clocks = guards_of(port),
                 .port = id,
                 .history = histories_[id.value],
                 .absolute_tolerance = rounding * from.nominal,
                 .relative_tolerance = rounding * from.nominal,
                 .unit = port.unit.value,
                 .in_steps = in_steps_[id.value],
                 .has_event_mode = units_[port.unit.value]->event_mode() != nullptr};
    if (until_) {
        set.absolute_tolerance =
            from.absolute_tolerance.value_or(until_->absolute_tolerance * from.nominal);
        set.relative_tolerance = from.relative_tolerance.value_or(until_->relative_tolerance);
    }
    add_call(id, link, slot(link.from, false));
    if (is_watched(link)) {
        set.watch = static_cast<std::uint32_t>(plan_.sets.size());
        add_call(id, link, watched_slot(link.from));
        watched_.push_back(static_cast<std::uint32_t>(plan_.event_sets.size()));
    }
    plan_.event_sets.push_back(std::move(set));
}

void EventProgram::add_call(PortId id, const Link& link, std::uint32_t from) {
    const Port& port = system_.port(id);
    std::vector<std::uint32_t> sources;
    SetExtras extras;
    const auto change = type_change_of(link, system_);
    for (std::uint32_t e = 0; e < port.part.count; ++e)
        sources.push_back(add_source(extras, e, from + e, link, change));
    const Variable variable = variable_of(port);
    calls_.add_set({&variable, 1}, sources, std::move(extras));
}

/// A discrete input of a unit with event mode, whose source is not bound to events.
bool EventProgram::is_watched(const Link& link) const {
    const Port& from = system_.port(link.from);
    const Port& to = system_.port(link.to);
    const bool is_event_driven = units_[from.unit.value]->event_mode() && !from.is_continuous;
    return !in_steps_[link.to.value] && !is_event_driven && units_[to.unit.value]->event_mode() &&
           to.clocks.empty();
}

/// Reading a source between events leaves its value alone that others see.
std::uint32_t EventProgram::watched_slot(PortId output) {
    const auto [found, is_new] = watched_slots_.try_emplace(output, 0);
    if (is_new) {
        const Port& port = system_.port(output);
        found->second = calls_.add_slots(storage_of(port.type), port.part.count);
        const std::size_t before = plan_.gets.size();
        calls_.add_get(variable_of(port), found->second, true);
        plan_.gets.back().checked = false;
        plan_.event_watch.push_back(added(Opcode::get, plan_.gets, before));
    }
    return found->second;
}

void EventProgram::add_updates(std::span<const Op> run, Block& block) {
    const std::size_t before = plan_.updates.size();
    for (const Op& op : run) {
        const UnitId id = std::get<algorithm::Update>(op).unit;
        Unit& unit = *units_[id.value];
        if (unit.event_mode()) plan_.updates.push_back({&unit, unit.event_mode(), id.value});
    }
    block.push_back(added(Opcode::update, plan_.updates, before));
}

void EventProgram::add_columns(std::span<const ClockedColumn> columns) {
    for (const ClockedColumn& column : columns) {
        const scenario::Observed& observed = column.observed;
        const auto& variable =
            units_[observed.unit.value]->description().variables[observed.variable];
        EventGet get{.first = static_cast<std::uint32_t>(plan_.gets.size()),
                     .count = 1,
                     .unit = observed.unit.value,
                     .in_loop = true}; // it is read whenever it can be
        for (const PortId clock : system_.unit(observed.unit).clocks)
            if (std::ranges::count(variable.clocks, system_.port(clock).variable) > 0)
                get.clocks.push_back(clock_of_[clock.value].value());
        calls_.add_get({observed.unit, variable.type, variable.reference, observed.part},
                       column.slot, true);
        plan_.gets.back().checked = false;
        plan_.clocked_columns.push_back(std::move(get));
    }
}

} // namespace rubato::engine
