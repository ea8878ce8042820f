// SPDX-License-Identifier: Apache-2.0
#include "loop_entry.hpp"

#include <algorithm>

namespace rubato::algorithm::verification {

namespace {

void sort_out(std::vector<PortId>& ports) {
    std::ranges::sort(ports);
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
}

} // namespace

LoopEntry::LoopEntry(const scenario::System& system, const LoopPorts& ports, const State& state)
    : units_(ports.stepped), inputs_(ports.set) {
    for (const UnitId unit : units_) {
        const std::vector<PortId>& own = system.unit(unit).inputs;
        inputs_.insert(inputs_.end(), own.begin(), own.end());
        times_.push_back(state.time[unit.value]);
    }
    sort_out(inputs_);
    for (const PortId input : inputs_) input_.push_back(state.input[input.value]);
    for (const LoopGet& get : ports.got) outputs_.push_back(get.port);
    sort_out(outputs_);
    for (const PortId output : outputs_) {
        final_slot_.push_back(state.final_slot[output.value]);
        tentative_slot_.push_back(state.tentative_slot[output.value]);
    }
}

void LoopEntry::come_again(State& state) const {
    for (std::size_t n = 0; n < units_.size(); ++n) state.time[units_[n].value] = times_[n];
    for (std::size_t n = 0; n < inputs_.size(); ++n) state.input[inputs_[n].value] = input_[n];
    for (std::size_t n = 0; n < outputs_.size(); ++n) {
        state.final_slot[outputs_[n].value] = final_slot_[n];
        state.tentative_slot[outputs_[n].value] = tentative_slot_[n];
    }
}

void LoopEntry::go_back(const Wiring& wiring, const LoopPorts& ports, State& state) const {
    for (std::size_t n = 0; n < units_.size(); ++n) state.time[units_[n].value] = times_[n];
    for (std::size_t n = 0; n < inputs_.size(); ++n) {
        const auto& source = wiring.source[inputs_[n].value];
        const auto got = source ? std::ranges::lower_bound(outputs_, *source) : outputs_.end();
        const bool is_got = got != outputs_.end() && *got == *source;
        const bool is_stepped = std::ranges::binary_search(units_, wiring.owner[inputs_[n].value]);
        const bool is_guess =
            is_got && !is_stepped && std::ranges::binary_search(ports.listed, *source) &&
            input_[n] == final_slot_[static_cast<std::size_t>(got - outputs_.begin())];
        state.input[inputs_[n].value] = is_guess ? state.final_slot[source->value] : input_[n];
    }
    for (std::size_t n = 0; n < outputs_.size(); ++n) {
        if (std::ranges::binary_search(ports.listed, outputs_[n])) continue;
        state.final_slot[outputs_[n].value] = final_slot_[n];
        state.tentative_slot[outputs_[n].value] = tentative_slot_[n];
    }
}

} // namespace rubato::algorithm::verification
