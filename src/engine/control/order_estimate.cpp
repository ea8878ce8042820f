// SPDX-License-Identifier: Apache-2.0
#include "order_estimate.hpp"

#include <algorithm>
#include <utility>

namespace rubato::engine {

using scenario::Link;
using scenario::System;

std::vector<Feed> feeds_of(const System& system) {
    std::vector<Feed> couplings;
    for (const Link& link : system.links) {
        const Feed coupling{system.port(link.to).unit, system.port(link.from).unit};
        if (std::ranges::find(couplings, coupling) == couplings.end())
            couplings.push_back(coupling);
    }
    return couplings;
}

namespace {

std::size_t index_of(const Feed& coupling, std::span<const Feed> couplings) {
    return static_cast<std::size_t>(std::ranges::find(couplings, coupling) - couplings.begin());
}

/// Where an element of the output is found that a link starts from.
const double* source_of(const Link& link, std::uint32_t element, const Compiled& compiled) {
    return &compiled.plan->buffers.reals[*compiled.output_slots[link.from.value] + element];
}

} // namespace

// -- input error ---------------------------------------------------------------------------------

InputErrors::InputErrors(const OrderControl& control, const System& system,
                         const Compiled& compiled, std::span<const Feed> couplings)
    : errors_(couplings.size()),
      filters_(couplings.size(), ErrorFilter(static_cast<std::size_t>(control.settings.window))) {
    for (const OrderControl::Input& settings : control.inputs) {
        const auto link = std::ranges::find(system.links, settings.input, &Link::to);
        const scenario::Port& port = system.port(settings.input);
        const Feed coupling{port.unit, system.port(link->from).unit};
        for (std::uint32_t element = 0; element < port.part.count; ++element) {
            inputs_.push_back({.source = source_of(*link, element, compiled),
                               .factor = link->factor,
                               .offset = link->offset,
                               .gain = settings.gain,
                               .weight = settings.weight,
                               .coupling = index_of(coupling, couplings),
                               .history = InputHistory(static_cast<unsigned>(port.approximation))});
        }
    }
}

void InputErrors::start(Time now) {
    for (Input& input : inputs_) input.restart(now);
}

void InputErrors::jump(Time now) {
    for (Input& input : inputs_)
        if (input.value() != input.last) input.restart(now);
}

void InputErrors::Input::restart(Time now) {
    last = value();
    history.restart(now, last);
}

void InputErrors::note(Time now, Duration by) {
    std::ranges::fill(errors_, 0.0);
    for (Input& input : inputs_) {
        const double value = input.value();
        const double predicted = input.history.predicted(now);
        input.error = (value - predicted) * by.seconds + input.error * by.seconds * input.gain;
        errors_[input.coupling] += input.weight * input.error;
        input.history.sample(now, value);
        input.history.commit();
        input.last = value;
    }
    for (std::size_t i = 0; i < errors_.size(); ++i) filters_[i].add(errors_[i]);
}

void InputErrors::find_costs(std::span<double> costs) const {
    for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = filters_[i].mean();
}

// -- power transfer ------------------------------------------------------------------------------

PowerTransfer::PowerTransfer(const OrderControl& control,
                             std::span<const std::unique_ptr<unit::Unit>> units,
                             std::span<const Feed> couplings)
    : couplings_(couplings.begin(), couplings.end()) {
    for (std::size_t u = 0; u < units.size(); ++u) {
        const OrderControl::Energy& settings = control.energies[u];
        Balance balance{.unit = units[u].get(), .energies = settings.parts.size()};
        const auto add = [&](std::uint32_t variable) {
            const scenario::Variable& read = units[u]->description().variables[variable];
            balance.references.push_back(read.reference);
            balance.types.push_back(read.type);
        };
        for (const std::uint32_t part : settings.parts) add(part);
        for (const OrderControl::Loss& loss : settings.losses) {
            add(loss.effort);
            add(loss.displacement);
        }
        balance.values.resize(balance.references.size());
        balance.before.resize(balance.references.size());
        balances_.push_back(std::move(balance));
    }
}

/// One call for all neighbours of one type.
void PowerTransfer::Balance::read() {
    for (std::size_t first = 0; first < references.size();) {
        std::size_t end = first + 1;
        while (end < references.size() && types[end] == types[first]) ++end;
        unit->get({types[first], std::span(references).subspan(first, end - first), &values[first],
                   end - first});
        first = end;
    }
}

double PowerTransfer::Balance::energy(const std::vector<double>& at) const {
    double sum = 0;
    for (std::size_t i = 0; i < energies; ++i) sum += at[i];
    return sum;
}

/// ½ (f⁺ + f) (x⁺ - x) of each
double PowerTransfer::Balance::losses() const {
    double sum = 0;
    for (std::size_t i = energies; i < values.size(); i += 2)
        sum += 0.5 * (values[i] + before[i]) * (values[i + 1] - before[i + 1]);
    return sum;
}

void PowerTransfer::start(Time) {
    for (Balance& balance : balances_) balance.read();
}

void PowerTransfer::note(Time, Duration) {
    for (Balance& balance : balances_) {
        std::swap(balance.before, balance.values);
        balance.read();
        balance.work =
            balance.energy(balance.before) - balance.energy(balance.values) - balance.losses();
    }
}

void PowerTransfer::find_costs(std::span<double> costs) const {
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const double lead =
            balances_[couplings_[i].source.value].work - balances_[couplings_[i].fed.value].work;
        costs[i] = std::max(lead, 0.0);
    }
}

// -- work over bonds -----------------------------------------------------------------------------

BondWork::BondWork(const System& system, const Compiled& compiled,
                   std::span<const Feed> couplings) {
    const auto index = [&](const Link& link) {
        return index_of({system.port(link.to).unit, system.port(link.from).unit}, couplings);
    };
    for (const scenario::Bond& bond : system.bonds) {
        Account account;
        for (const scenario::Bond::Part& part : bond.parts) {
            account.of_taker = index(part.effort);
            account.of_giver = index(part.flow);
            const std::uint32_t elements = system.port(part.effort.from).part.count;
            for (std::uint32_t element = 0; element < elements; ++element) {
                account.parts.push_back({.effort = source_of(part.effort, element, compiled),
                                         .flow = source_of(part.flow, element, compiled),
                                         .factor = part.factor});
            }
        }
        accounts_.push_back(std::move(account));
    }
}

void BondWork::start(Time) {
    for (Account& account : accounts_)
        for (Part& part : account.parts) part.read();
}

void BondWork::note(Time, Duration by) {
    for (Account& account : accounts_) {
        account.work = 0;
        for (Part& part : account.parts) account.work += part.work(by);
    }
}

void BondWork::find_costs(std::span<double> costs) const {
    std::ranges::fill(costs, 0.0);
    for (const Account& account : accounts_) {
        costs[account.of_taker] += std::max(account.work, 0.0);
        costs[account.of_giver] += std::max(-account.work, 0.0);
    }
}

void BondWork::Part::read() {
    e = *effort;
    f = *flow;
}

/// The integral of e f over the step, if both move on straight lines.
double BondWork::Part::work(Duration by) {
    const double e0 = e;
    const double f0 = f;
    read();
    return factor * by.seconds / 6 * (e0 * (2 * f0 + f) + e * (f0 + 2 * f));
}

} // namespace rubato::engine
