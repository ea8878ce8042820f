// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <optional>
#include <span>
#include <vector>

namespace rubato::algorithm::verification {

/// Lists of ports, one after the other.
class PortLists {
public:
    void begin_list() { first_.push_back(static_cast<std::uint32_t>(items_.size())); }
    void add(PortId port) { items_.push_back(port); }
    std::span<const PortId> operator[](std::size_t n) const {
        const std::size_t end = n + 1 < first_.size() ? first_[n + 1] : items_.size();
        return std::span(items_).subspan(first_[n], end - first_[n]);
    }

private:
    std::vector<std::uint32_t> first_;
    std::vector<PortId> items_;
};

/// The contracts and links of one configuration, dense. Ports that are not connected in it take no
/// part: they are in none of the lists.
struct Wiring {
    std::vector<UnitId> owner;                   ///< by port
    std::vector<std::optional<PortId>> source;   ///< by input
    std::vector<std::uint8_t> is_connected;      ///< by port
    std::vector<std::uint8_t> is_ever_connected; ///< by port: in this configuration or another
    std::vector<std::uint8_t> is_reactive;       ///< by input
    PortLists inputs;                            ///< by unit
    PortLists feedthrough;                       ///< by output: inputs
    PortLists feedthrough_initial;               ///< by output: inputs

    bool connects(PortId port) const { return is_connected[port.value] != 0; }
    bool connects_ever(PortId port) const { return is_ever_connected[port.value] != 0; }
    bool reactive(PortId port) const { return is_reactive[port.value] != 0; }
};

/// One way in which the system may be stepped.
struct Mode {
    std::string name; ///< of the configuration; empty: there are none
    const Procedure* procedure = nullptr;
    Wiring wiring;
};

/// The modes of a system under an algorithm, in the order of its configurations; the first is the
/// one it starts in. A system without configurations has one per procedure. Procedures must exist.
std::vector<Mode> modes_of(const scenario::System& system, const Algorithm& algorithm);

/// The procedure of that name.
const Procedure* find_procedure(const Algorithm& algorithm, const std::string& name);

} // namespace rubato::algorithm::verification
