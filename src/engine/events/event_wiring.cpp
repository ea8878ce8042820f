// SPDX-License-Identifier: Apache-2.0
#include "event_wiring.hpp"

#include <rubato/core/graph.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace rubato::engine {

using scenario::Causality;
using scenario::Link;
using scenario::Port;
using scenario::System;
using unit::Unit;

namespace {

/// Slots that are handed out before the buffers exist.
class Slots {
public:
    /// The first of `count` neighbours.
    std::uint32_t add(Storage storage, std::uint32_t count) {
        std::uint32_t& used = used_[static_cast<std::size_t>(storage)];
        return std::exchange(used, used + count);
    }
    void allocate(Buffers& buffers) const { buffers.allocate(used_); }

private:
    std::array<std::uint32_t, 4> used_{}; ///< by storage
};

/// A variable of a unit: the unit's number and the index into its description.
using Place = std::pair<std::uint32_t, std::uint32_t>;
/// The same, or a part of an array.
using PlacePart = std::pair<Place, Part>;

class Wirer {
public:
    Wirer(const System& system, std::span<const std::unique_ptr<Unit>> units, Compiled& compiled)
        : system_(system), units_(units), compiled_(compiled) {}

    std::unique_ptr<EventWiring> wire() {
        if (system_.configurations.empty()) {
            configurations_.push_back({&system_.links, &system_.event_links, &system_.clock_links});
        }
        for (const scenario::Configuration& c : system_.configurations)
            configurations_.push_back({&c.links, &c.event_links, &c.clock_links});
        for (std::uint32_t u = 0; u < units_.size(); ++u) add_unit(u);
        collect_outputs();
        add_gets();
        for (std::uint32_t c = 0; c < configurations_.size(); ++c) add_incoming(c);
        bind_inputs();
        add_exports();
        wiring_->order = order();
        find_guessed();
        return std::move(wiring_);
    }

private:
    struct Connections {
        const std::vector<Link>* links;
        const std::vector<Link>* event_links;
        const std::vector<Link>* clock_links;
    };

    const scenario::Variable& variable(const Place& place) const {
        return units_[place.first]->description().variables[place.second];
    }
    static Place place_of(const Port& port) { return {port.unit.value, port.variable}; }
    static PlacePart part_of(const Port& port) { return {place_of(port), port.part}; }
    static PlacePart part_of(const ClockedColumn& column) {
        return {{column.observed.unit.value, column.observed.variable}, column.observed.part};
    }

    // -- units and clocks ----------------------------------------------------------------------

    void add_unit(std::uint32_t u) {
        EventUnit unit{.unit = units_[u].get(), .mode = units_[u]->event_mode()};
        unit.incoming.resize(configurations_.size());
        for (const PortId output : system_.units[u].outputs)
            unit.feeds_through = unit.feeds_through || !system_.port(output).feedthrough.empty();
        if (unit.mode) add_clocks(u, unit);
        wiring_->units.push_back(std::move(unit));
    }

    void add_clocks(std::uint32_t u, EventUnit& unit) {
        const auto& variables = unit.unit->description().variables;
        for (std::uint32_t v = 0; v < variables.size(); ++v) {
            if (!variables[v].clock) continue;
            const auto index = static_cast<std::uint32_t>(wiring_->clocks.size());
            if (variables[v].causality == Causality::input) unit.input_clocks.push_back(index);
            if (variables[v].causality == Causality::output) unit.output_clocks.push_back(index);
            clock_at_[{u, v}] = index;
            wiring_->clocks.push_back({.unit = unit.unit,
                                       .name = variables[v].name,
                                       .reference = variables[v].reference,
                                       .attributes = *variables[v].clock});
        }
        for (std::uint32_t v = 0; v < variables.size(); ++v)
            if (variables[v].clock) wiring_->clocks[clock_at_[{u, v}]].clocks = clocks_of({u, v});
    }

    /// Numbers of the clocks of a clocked variable. Of a unit without event mode nothing is
    /// clocked.
    std::vector<std::uint32_t> clocks_of(const Place& place) const {
        std::vector<std::uint32_t> clocks;
        for (const std::uint32_t clock : variable(place).clocks) {
            const auto found = clock_at_.find({place.first, clock});
            if (found != clock_at_.end()) clocks.push_back(found->second);
        }
        return clocks;
    }

    // -- outputs -------------------------------------------------------------------------------

    void collect_outputs() {
        for (const Connections& connections : configurations_) {
            for (const auto* links : {connections.links, connections.event_links})
                for (const Link& link : *links) outputs_.insert(part_of(system_.port(link.from)));
        }
        for (const ClockedColumn& column : compiled_.clocked_columns)
            outputs_.insert(part_of(column));
    }

    /// One call for all outputs of a unit that have the same type and clocks.
    void add_gets() {
        using Key = std::tuple<std::uint32_t, ValueType, std::vector<std::uint32_t>>;
        std::map<Key, std::vector<PlacePart>> groups;
        for (const PlacePart& output : outputs_) {
            const Place& place = output.first;
            groups[{place.first, variable(place).type, clocks_of(place)}].push_back(output);
        }
        Slots slots;
        for (const auto& [key, outputs] : groups)
            for (const PlacePart& output : outputs)
                output_slot_[output] =
                    slots.add(storage_of(std::get<ValueType>(key)), output.second.count);
        slots.allocate(wiring_->outputs);
        for (const auto& [key, outputs] : groups)
            wiring_->units[std::get<0>(key)].gets.push_back(
                {bulk_of(std::get<ValueType>(key), outputs), std::get<2>(key)});
    }

    Bulk bulk_of(ValueType type, const std::vector<PlacePart>& outputs) {
        auto& references =
            *wiring_->references.emplace_back(std::make_unique<std::vector<ValueRef>>());
        auto& parts = *wiring_->parts.emplace_back(std::make_unique<std::vector<Part>>());
        std::size_t count = 0;
        for (const auto& [place, part] : outputs) {
            references.push_back(variable(place).reference);
            parts.push_back(part);
            count += part.count;
        }
        const bool any_array =
            std::ranges::any_of(parts, [](const Part& part) { return part != Part{}; });
        if (!any_array) parts.clear();
        return {type, references, output_at(outputs.front()), count, parts};
    }

    void* output_at(const PlacePart& output) {
        return wiring_->outputs.at(storage_of(variable(output.first).type),
                                   output_slot_.at(output));
    }

    // -- connections ---------------------------------------------------------------------------

    void add_incoming(std::uint32_t configuration) {
        const Connections& connections = configurations_[configuration];
        for (const Link& link : *connections.links) add_input(link, configuration, true);
        for (const Link& link : *connections.event_links) add_input(link, configuration, false);
        for (const Link& link : *connections.clock_links) {
            const Port& to = system_.port(link.to);
            wiring_->units[to.unit.value].incoming[configuration].clocks.push_back(
                {clock_at_.at(place_of(system_.port(link.from))), clock_at_.at(place_of(to))});
        }
    }

    void add_input(const Link& link, std::uint32_t configuration, bool in_steps) {
        const Port& from = system_.port(link.from);
        const Port& to = system_.port(link.to);
        EventInput input{.port = link.to,
                         .type = to.type,
                         .reference = to.reference,
                         .part = to.part,
                         .source = output_at(part_of(from)),
                         .factor = link.factor,
                         .offset = link.offset,
                         .change = type_change_of(link, system_),
                         .tolerance = relative_tolerance * from.nominal,
                         .clocks = clocks_of(place_of(to)),
                         .history = compiled_.histories[link.to.value],
                         .in_steps = in_steps};
        input.is_watched = is_watched(link, in_steps);
        if (input.is_watched && !std::ranges::count(wiring_->watched, from.unit.value))
            wiring_->watched.push_back(from.unit.value);
        const auto [slot, is_new] = input_slot_.try_emplace(link.to.value, 0);
        if (is_new) slot->second = input_slots_.add(storage_of(to.type), to.part.count);
        wiring_->units[to.unit.value].incoming[configuration].inputs.push_back(std::move(input));
    }

    /// A discrete input of a unit with event mode, whose source is not bound to events.
    bool is_watched(const Link& link, bool in_steps) const {
        const Port& from = system_.port(link.from);
        const Port& to = system_.port(link.to);
        const bool is_event_driven = units_[from.unit.value]->event_mode() && !from.is_continuous;
        return !in_steps && !is_event_driven && units_[to.unit.value]->event_mode() &&
               variable(place_of(to)).clocks.empty();
    }

    void bind_inputs() {
        input_slots_.allocate(wiring_->inputs);
        for (EventUnit& unit : wiring_->units)
            for (Incoming& incoming : unit.incoming)
                for (EventInput& input : incoming.inputs)
                    input.held = wiring_->inputs.at(storage_of(input.type),
                                                    input_slot_.at(input.port.value));
    }

    void add_exports() {
        for (std::uint32_t p = 0; p < system_.ports.size(); ++p) {
            const Port& port = system_.ports[p];
            if (port.direction != scenario::Direction::output || !compiled_.output_slots[p])
                continue;
            if (!output_slot_.contains(part_of(port))) continue;
            const Storage storage = storage_of(port.type);
            wiring_->exports.push_back(
                {storage, output_at(part_of(port)),
                 compiled_.plan->buffers.at(storage, *compiled_.output_slots[p]), port.part.count});
        }
        for (const ClockedColumn& column : compiled_.clocked_columns) {
            wiring_->exports.push_back({column.storage, output_at(part_of(column)),
                                        compiled_.plan->buffers.at(column.storage, column.slot)});
        }
    }

    std::vector<std::uint32_t> order() const {
        Graph graph(units_.size());
        for (const Connections& connections : configurations_) {
            for (const auto* links : {connections.links, connections.event_links})
                for (const Link& link : *links)
                    graph.add_edge(system_.port(link.from).unit.value,
                                   system_.port(link.to).unit.value);
            for (const Link& link : *connections.clock_links)
                graph.add_edge(system_.port(link.from).unit.value,
                               system_.port(link.to).unit.value);
        }
        std::vector<std::uint32_t> order;
        for (const auto& component : strongly_connected_components(graph))
            order.insert(order.end(), component.begin(), component.end());
        return order;
    }

    /// Both ends of a connection that closes a circle at once feed through.
    void find_guessed() {
        std::vector<std::size_t> place(units_.size());
        for (std::size_t n = 0; n < place.size(); ++n) place[wiring_->order[n]] = n;
        std::set<PlacePart> guessed;
        const auto look_at = [&](const Link& link) {
            const Port& from = system_.port(link.from);
            const std::uint32_t source = from.unit.value;
            const std::uint32_t target = system_.port(link.to).unit.value;
            if (storage_of(from.type) != Storage::real || place[source] < place[target]) return;
            if (!wiring_->units[source].feeds_through || !wiring_->units[target].feeds_through)
                return;
            if (!guessed.insert(part_of(from)).second) return;
            auto* const values = static_cast<double*>(output_at(part_of(from)));
            for (std::uint32_t e = 0; e < from.part.count; ++e)
                wiring_->guessed.push_back({values + e, relative_tolerance * from.nominal});
        };
        for (const Connections& connections : configurations_)
            for (const auto* links : {connections.links, connections.event_links})
                std::ranges::for_each(*links, look_at);
    }

    static constexpr double relative_tolerance = 1e-10;

    const System& system_;
    std::span<const std::unique_ptr<Unit>> units_;
    Compiled& compiled_;
    std::unique_ptr<EventWiring> wiring_ = std::make_unique<EventWiring>();
    std::vector<Connections> configurations_;
    std::map<Place, std::uint32_t> clock_at_;
    std::set<PlacePart> outputs_; ///< that are got at events
    std::map<PlacePart, std::uint32_t> output_slot_;
    std::map<std::uint32_t, std::uint32_t> input_slot_; ///< by port
    Slots input_slots_;
};

} // namespace

std::unique_ptr<EventWiring> wire_events(const System& system,
                                         std::span<const std::unique_ptr<Unit>> units,
                                         Compiled& compiled) {
    const bool any = std::ranges::any_of(
        units, [](const std::unique_ptr<Unit>& unit) { return unit->event_mode() != nullptr; });
    return any ? Wirer(system, units, compiled).wire() : nullptr;
}

} // namespace rubato::engine
