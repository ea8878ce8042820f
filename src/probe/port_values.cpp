// SPDX-License-Identifier: Apache-2.0
#include "port_values.hpp"

#include <algorithm>
#include <memory>

namespace rubato::probe {

void set_value(unit::Unit& unit, const scenario::Port& port, Value value) {
    std::visit(
        [&](auto& held) {
            unit.set({port.type, {&port.reference, 1}, &held, 1, {&port.part, 1}});
        },
        value);
}

PortReader::PortReader(const scenario::System& system, std::span<const PortId> ports)
    : count_(ports.size()) {
    for (std::size_t place = 0; place < ports.size(); ++place) {
        const scenario::Port& port = system.port(ports[place]);
        auto group = std::ranges::find(groups_, port.type, &Group::type);
        if (group == groups_.end()) group = groups_.insert(group, {port.type, {}, {}, {}});
        group->references.push_back(port.reference);
        group->parts.push_back(port.part);
        group->places.push_back(place);
    }
}

namespace {

template <class T>
void read_into(std::vector<Value>& values, unit::Unit& unit, ValueType type,
               std::span<const ValueRef> references, std::span<const Part> parts,
               std::span<const std::size_t> places) {
    const auto read = std::make_unique<T[]>(places.size());
    unit.get({type, references, read.get(), places.size(), parts});
    for (std::size_t i = 0; i < places.size(); ++i) values[places[i]] = std::move(read[i]);
}

} // namespace

std::vector<Value> PortReader::read(unit::Unit& unit) const {
    std::vector<Value> values(count_);
    for (const auto& [type, references, parts, places] : groups_) {
        const auto read_group = [&, type = type, &references = references, &parts = parts,
                                 &places = places]<class T>() {
            read_into<T>(values, unit, type, references, parts, places);
        };
        with_type_of(storage_of(type), read_group);
    }
    return values;
}

} // namespace rubato::probe
