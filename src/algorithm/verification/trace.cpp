// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include <rubato/private/format.hpp>

namespace rubato::algorithm::verification {

namespace {

/// Where units and values stand after an operation.
struct Times {
    const scenario::System& system;
    const State& state;

    std::string stands(UnitId unit) const {
        return format("{} at t={}", system.unit(unit).name, state.time[unit.value]);
    }
    std::string operator()(const Get& get) const { return stands(system.port(get.port).unit); }
    std::string operator()(const Set& set) const {
        return format("{}, value from t={}", stands(system.port(set.port).unit),
                      state.input[set.port.value].time);
    }
    std::string operator()(const Step& step) const {
        const Ticks now = state.time[step.unit.value];
        return format("{} from t={} to t={}", system.unit(step.unit).name,
                      now - state.accepted[step.unit.value], now);
    }
    std::string operator()(const Save& save) const { return stands(save.unit); }
    std::string operator()(const Restore& restore) const {
        return format("{} back at t={}", system.unit(restore.unit).name,
                      state.time[restore.unit.value]);
    }
    template <class Compound>
    std::string operator()(const Compound&) const {
        return {};
    }
};

} // namespace

void Tracer::on_step(std::size_t number, const ChosenStep& step) {
    std::string line = format("step {} with h={}", number, step.step);
    const Mode& mode = modes_[step.mode];
    if (!mode.name.empty()) line += format(" in configuration \"{}\"", mode.name);
    lines_.push_back(line + ":");
}

void Tracer::on_operation(const Op& op, const State& state) {
    lines_.push_back(
        format("  {}: {}", words_of(op, system_), std::visit(Times{system_, state}, op)));
}

void Tracer::on_iteration(const Op& loop, int number, bool is_checked) {
    lines_.push_back(format("  {}, iteration {}{}:", words_of(loop, system_), number,
                            is_checked ? ", checked" : ""));
}

} // namespace rubato::algorithm::verification
