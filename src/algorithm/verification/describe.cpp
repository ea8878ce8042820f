// SPDX-License-Identifier: Apache-2.0
#include "describe.hpp"

#include "trace.hpp"

#include <rubato/algorithm/traversal.hpp>
#include <rubato/private/format.hpp>

#include <utility>

namespace rubato::algorithm::verification {

namespace {

/// "one from t=3", "none yet"
std::string held(const Stamp& value) {
    return value.defined ? format("one from t={}", value.time) : "none yet";
}

} // namespace

Violation Describer::describe(const Finding& finding) {
    const std::size_t mode = finding.steps.empty() ? 0 : finding.steps.back().mode;
    wiring_ = &modes_[mode].wiring;
    const Breach& breach = finding.breach;
    const Words words = explain(breach);

    Tracer tracer(system_, modes_);
    replay(system_, algorithm_, modes_, finding, tracer);
    std::vector<std::string> trace = tracer.take();

    if (!breach.op) {
        const Body& body =
            finding.steps.empty() ? algorithm_.initialization : modes_[mode].procedure->body;
        trace.push_back(format("  end of {}: {}", places_.of_body(body), words.what));
        return {format("at the end of {}, {}", places_.of_body(body), words.what), words.hint,
                std::move(trace)};
    }
    const std::string op = words_of(*breach.op, system_);
    trace.push_back(format("  {}: {}", op, words.what));
    return {format("{} ({}): {}", op, places_.of(*breach.op), words.what), words.hint,
            std::move(trace)};
}

Describer::Words Describer::explain(const Breach& breach) const {
    switch (breach.rule) {
    case Rule::set_needs_value:
    case Rule::delayed_set_needs_present:
    case Rule::reactive_set_needs_future: return explain_set(breach);
    case Rule::get_needs_inputs: return explain_get(breach);
    case Rule::step_needs_present:
    case Rule::step_needs_future: return explain_step(breach);
    case Rule::same_as_needs_step:
        return {format("{} has not stepped yet in this co-simulation step", name(breach.other)),
                format("step {} before", name(breach.other))};
    case Rule::restore_needs_save:
        return {format("{} has not been saved in this co-simulation step", name(breach.unit)),
                format("save {} before the loop", name(breach.unit))};
    case Rule::input_needs_start:
    case Rule::output_needs_start: return explain_start(breach);
    case Rule::fixed_point_needs_end: return explain_fixed_point(breach);
    case Rule::negotiation_needs_end: return explain_negotiation(breach);
    case Rule::units_advance:
    case Rule::units_together:
    case Rule::units_in_step: break;
    }
    return explain_advance(breach);
}

Describer::Words Describer::explain_set(const Breach& breach) const {
    const PortId from = source(breach.port);
    const std::string unit = name(breach.unit), output = name(from), input = name(breach.port);
    const bool tentative = std::get<Set>(*breach.op).tentative;
    if (is_tainted(breach.value)) return explain_taint(breach);
    if (breach.rule == Rule::set_needs_value) {
        return {format("there is no {}value of {} yet", tentative ? "tentative " : "", output),
                format("get {}{} before", tentative ? "tentative " : "", output)};
    }
    const std::string stand = format("{} stands at t={}, the value of {} is from t={}", unit,
                                     breach.unit_time, output, breach.value.time);
    if (breach.rule == Rule::reactive_set_needs_future) {
        return {
            format("{} is reactive, its value must be from after the time at which {} stands: {}",
                   input, unit, stand),
            how_to_get_ahead(breach)};
    }
    const bool ahead = breach.value.time > breach.unit_time;
    return {format("{} is delayed, its value must be from the time at which {} stands: {}", input,
                   unit, stand),
            ahead ? format("set {} after {} has stepped as far as {}, or get {} before {} steps",
                           input, unit, name(breach.other), output, name(breach.other))
                  : how_to_catch_up(breach)};
}

/// For an input that should be from the time at which its unit stands, and is from before.
std::string Describer::how_to_catch_up(const Breach& breach) const {
    const std::string output = name(source(breach.port)), from = name(breach.other);
    if (breach.other_time == breach.unit_time)
        return format("get {} and set {} before: {} stands at t={} already", output,
                      name(breach.port), from, breach.unit_time);
    return format("step {} before, then get {} and set {}", from, output, name(breach.port));
}

/// For a reactive input whose source should have gone first.
std::string Describer::how_to_get_ahead(const Breach& breach) const {
    const PortId from = source(breach.port);
    const UnitId first = breach.other;
    if (breach.other_time > breach.unit_time) {
        return format("get {} and set {} before: {} stands at t={} already", name(from),
                      name(breach.port), name(first), breach.other_time);
    }
    if (must_step_before(breach.unit, first)) {
        return format("{} and {} each wait for the other to step first: put the operations between "
                      "them into a fixed-point loop with roll-back",
                      name(first), name(breach.unit));
    }
    return format("step {}, get {} and set {}, all before {} steps", name(first), name(from),
                  name(breach.port), name(breach.unit));
}

/// Reactive inputs make `second` wait for `first`, over however many units.
bool Describer::must_step_before(UnitId first, UnitId second) const {
    std::vector<std::uint8_t> seen(system_.units.size());
    std::vector<UnitId> open{second};
    while (!open.empty()) {
        const UnitId unit = open.back();
        open.pop_back();
        for (const PortId input : wiring_->inputs[unit.value]) {
            if (!wiring_->reactive(input)) continue;
            const UnitId before = owner(source(input));
            if (before == first) return true;
            if (std::exchange(seen[before.value], std::uint8_t{1}) == 0) open.push_back(before);
        }
    }
    return false;
}

/// For a value that has a time, but may not be used.
Describer::Words Describer::explain_taint(const Breach& breach) const {
    const std::string input = name(breach.port), output = name(source(breach.port));
    std::string holds = format("{} is given", input);
    if (std::holds_alternative<Get>(*breach.op))
        holds = format("{} feeds through to it and holds", input);
    else if (std::holds_alternative<Step>(*breach.op))
        holds = format("{} holds", input);
    if (breach.value == uncompared) {
        return {format("{} what {} was in the iteration before, which the loop does not compare: "
                       "it may end before {} has settled",
                       holds, output, output),
                format("compare {}, too, or get it before it is used", output)};
    }
    if (breach.value == unreliable) {
        return {format("{} what {} was when inputs of {} did not keep their contracts", holds,
                       output, name(breach.other)),
                format("get {} anew before", output)};
    }
    return {format("{} what {} was two iterations ago: the loop may end before they agree", holds,
                   output),
            format("set {} before", input)};
}

Describer::Words Describer::explain_get(const Breach& breach) const {
    const std::string input = name(breach.port);
    if (is_tainted(breach.value)) return explain_taint(breach);
    if (!breach.value.defined) {
        return {format("{} feeds through to it and has not been set yet", input),
                format("set {} before", input)};
    }
    return {format("{} feeds through to it and must hold a value from the time at which {} stands: "
                   "{} stands at t={}, {} holds one from t={}",
                   input, name(breach.unit), name(breach.unit), breach.unit_time, input,
                   breach.value.time),
            format("set {} before, with a value of {} from t={}; if that depends on this output in "
                   "turn, put these operations into a fixed-point loop",
                   input, name(source(breach.port)), breach.wanted)};
}

Describer::Words Describer::explain_step(const Breach& breach) const {
    const std::string unit = name(breach.unit), input = name(breach.port);
    if (is_tainted(breach.value)) return explain_taint(breach);
    const bool ahead = breach.value.defined && breach.value.time > breach.unit_time;
    if (breach.rule == Rule::step_needs_present) {
        return {
            format("{} is delayed and must hold a value from the time at which {} stands, t={}; "
                   "it holds {}",
                   input, unit, breach.unit_time, held(breach.value)),
            ahead ? format("set {} after {} has stepped", input, unit) : how_to_catch_up(breach)};
    }
    const bool rejected =
        ahead && breach.value.time < breach.wanted && system_.unit(breach.other).can_reject_step;
    return {
        format("{} is reactive and must hold a value from the end of the step, t={}; {} stands "
               "at t={}, {} holds {}{}",
               input, breach.wanted, unit, breach.unit_time, input, held(breach.value),
               rejected ? format(": {} has accepted no more of its step", name(breach.other)) : ""),
        ahead ? format("step {} as far as {}, or put both into a negotiation", unit,
                       name(breach.other))
              : how_to_get_ahead(breach)};
}

Describer::Words Describer::explain_start(const Breach& breach) const {
    const bool is_input = breach.rule == Rule::input_needs_start;
    return {format("{} has no value", name(breach.port)),
            format("{} {} in the initialization", is_input ? "set" : "get", name(breach.port))};
}

namespace {

bool is_got(const Body& body, PortId port, bool tentative) {
    bool found = false;
    for_each_of<Get>(body, [&](const Get& get) {
        if (get.port == port && get.tentative == tentative) found = true;
    });
    return found;
}

} // namespace

Describer::Words Describer::explain_fixed_point(const Breach& breach) const {
    const auto& loop = std::get<FixedPoint>(*breach.op);
    const std::string output = name(breach.port);
    const std::string what =
        format("it does not come to an end: after {} iterations the final and the tentative value "
               "of {} are still from different times",
               breach.wanted, output);
    const bool tentative = !loop.retry.empty();
    if (tentative && !is_got(loop.iterate, breach.port, true))
        return {what, format("get tentative {} in every iteration", output)};
    return {what, format("get {} in every iteration, when its unit stands at one and the same time",
                         output)};
}

Describer::Words Describer::explain_negotiation(const Breach& breach) const {
    return {format("there is no agreement after {} iterations", breach.wanted),
            "step by the common step in the loop: it shrinks to what all accept"};
}

Describer::Words Describer::explain_advance(const Breach& breach) const {
    const std::string unit = name(breach.unit), other = name(breach.other);
    if (breach.rule == Rule::units_advance) {
        return {format("{} has not advanced", unit),
                format("step {} once, and do not restore it after", unit)};
    }
    if (breach.rule == Rule::units_in_step) {
        return {format("all units have advanced by {} in a step of {}", breach.unit_time,
                       breach.wanted),
                "step each unit once"};
    }
    return {
        format("{} has advanced by {}, {} by {}", unit, breach.unit_time, other, breach.wanted),
        format("step each unit once, {} as far as {}; if one can reject a step, put both into a "
               "negotiation",
               unit, other)};
}

} // namespace rubato::algorithm::verification
