// SPDX-License-Identifier: Apache-2.0
#include "trust_meter.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace rubato::engine {

namespace {

std::string name_of(const scenario::System& system, PortId id, std::uint32_t element) {
    const bool is_array = system.port(id).part.count > 1;
    return system.name_of(id) + (is_array ? "[" + std::to_string(element + 1) + "]" : "");
}

} // namespace

TrustMeter::TrustMeter(const scenario::System& system, const Couplings& couplings,
                       std::span<const std::unique_ptr<unit::Unit>> units)
    : ranges_(couplings.sources().size()) {
    const std::size_t configurations = std::max<std::size_t>(1, system.configurations.size());
    std::map<std::pair<PortId, std::uint32_t>, std::uint32_t> known; // by input and source
    for (std::size_t c = 0; c < configurations; ++c) {
        std::vector<std::uint32_t>& entries = entries_.emplace_back();
        for (const Coupling& coupling : couplings.in(c)) {
            const auto next = static_cast<std::uint32_t>(errors_.size());
            const auto [found, is_new] =
                known.emplace(std::pair(coupling.to, coupling.source), next);
            entries.push_back(found->second);
            if (!is_new) continue;
            const Source& source = couplings.sources()[coupling.source];
            const scenario::Port& port = system.port(source.port);
            const auto& variable = units[port.unit.value]->description().variables[port.variable];
            sources_.push_back(coupling.source);
            errors_.push_back({.from = name_of(system, source.port, source.element),
                               .to = name_of(system, coupling.to, source.element),
                               .unit = variable.unit});
        }
    }
    for (const scenario::Bond& bond : system.bonds) {
        accounts_.emplace_back(bond, couplings, configurations);
        balances_.push_back({.name = bond.name, .is_measured = bond.is_measured});
    }
}

void TrustMeter::note_ranges(const Couplings& couplings) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        const Source& source = couplings.sources()[i];
        if (!has_ranges_) ranges_[i] = {source.past[0], source.past[0]};
        ranges_[i].least = std::min(ranges_[i].least, source.value);
        ranges_[i].most = std::max(ranges_[i].most, source.value);
    }
    has_ranges_ = true;
}

void TrustMeter::begin_step() {
    for (BondBalance& balance : balances_) balance.residual = 0;
}

void TrustMeter::note(const Couplings& couplings, std::size_t configuration) {
    note_ranges(couplings);
    const double h = couplings.step().seconds;
    const auto inputs = couplings.in(configuration);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        CouplingError& error = errors_[entries_[configuration][i]];
        const double deviation = couplings.largest_deviation(inputs[i]);
        error.accumulated += h * deviation;
        if (deviation <= error.largest) continue;
        error.largest = deviation;
        error.when = couplings.end();
    }
    for (std::size_t i = 0; i < accounts_.size(); ++i) {
        const BondStep step = accounts_[i].over_step(couplings, configuration);
        BondBalance& balance = balances_[i];
        balance.transferred += step.transferred;
        balance.exchanged += step.exchanged;
        balance.created += step.created;
        balance.residual += step.created;
        balance.power = step.transferred / h;
    }
}

std::vector<Column> TrustMeter::bond_columns() const {
    std::vector<Column> columns;
    for (const BondBalance& balance : balances_) {
        const std::string name = "bonds." + balance.name;
        columns.push_back(
            {name + ".power", balance.is_measured ? "W" : "", ValueType::float64, &balance.power});
        columns.push_back({name + ".residual", balance.is_measured ? "J" : "", ValueType::float64,
                           &balance.residual});
    }
    return columns;
}

Trust TrustMeter::report() const {
    Trust trust{errors_, balances_};
    for (std::size_t i = 0; i < errors_.size(); ++i) {
        const Range& range = ranges_[sources_[i]];
        constexpr double rounding = 1e-12; // beside the value: it does not move
        const double size = std::max(std::abs(range.least), std::abs(range.most));
        const double moved = range.most - range.least;
        trust.couplings[i].range = moved > rounding * size ? moved : 0;
    }
    return trust;
}

} // namespace rubato::engine
