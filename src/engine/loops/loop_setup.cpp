// SPDX-License-Identifier: Apache-2.0
#include "loop_setup.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::engine {

using scenario::LoopMethod;

namespace {

/// "msd1.x1, msd1.v1": what an iteration starts from.
std::string names(const FixedPointLoop& loop, const scenario::System& system) {
    constexpr std::size_t most = 4;
    const auto& values = loop.values[static_cast<std::size_t>(Storage::real)];
    std::vector<std::string> listed;
    for (std::size_t i = 0; i < loop.guessed && listed.size() <= most; ++i) {
        std::string name = system.name_of(values[i].port);
        if (listed.empty() || listed.back() != name) listed.push_back(std::move(name));
    }
    if (listed.size() > most) listed.back() = "…";
    return listed.empty() ? "discrete values" : format("{}", fmt::join(listed, ", "));
}

void collect_within(const SetCall& call, std::vector<const unit::InnerSamples*>& within) {
    if (!call.extras) return;
    for (const ApproximatedInputs& inputs : call.extras->approximations)
        for (const InnerValue& value : inputs.within)
            if (value.samples) within.push_back(value.samples);
}

void collect_within(const Block& block, const Plan& plan,
                    std::vector<const unit::InnerSamples*>& within) {
    for (const Instruction& range : block) {
        if (range.opcode == Opcode::negotiate) {
            collect_within(plan.negotiations[range.first].iterate, plan, within);
        } else if (range.opcode == Opcode::fixed_point) {
            collect_within(plan.fixed_points[range.first].iterate, plan, within);
        } else if (range.opcode == Opcode::section) {
            for (const Section::Branch& branch : plan.sections[range.first].branches)
                collect_within(branch.block, plan, within);
        } else if (range.opcode == Opcode::set) {
            for (std::uint32_t i = range.first; i < range.first + range.count; ++i)
                collect_within(plan.sets[i], within);
        }
    }
}

/// Newton's Jacobian cannot know of values from within steps, which follow one iteration behind.
LoopMethod method_for(const FixedPointLoop& loop, LoopMethod wanted) {
    if (loop.until.iterations || loop.guessed == 0) return LoopMethod::plain;
    const bool is_possible = wanted != LoopMethod::newton || loop.within.empty();
    return is_possible ? wanted : LoopMethod::iqn_ils;
}

void prepare(FixedPointLoop& loop, const Plan& plan, const scenario::System& system,
             scenario::LoopSettings settings) {
    const LoopSize size{.all = loop.values[static_cast<std::size_t>(Storage::real)].size(),
                        .guessed = loop.guessed};
    loop.first.resize(size.all);
    std::array<std::uint32_t, 4> counts{};
    for (std::size_t storage = 1; storage < counts.size(); ++storage)
        counts[storage] = static_cast<std::uint32_t>(loop.values[storage].size());
    loop.first_discrete.allocate(counts);
    loop.start.resize(size.all);
    loop.weights.resize(size.guessed);
    loop.last.resize(size.guessed);
    collect_within(loop.iterate, plan, loop.within);
    settings.method = method_for(loop, settings.method);
    const bool may_differentiate =
        settings.method == LoopMethod::newton || settings.method == LoopMethod::automatic;
    if (may_differentiate) loop.derivatives = LoopDerivatives::make(plan, loop);
    loop.solver = make_loop_solver(settings, size, loop.derivatives != nullptr);
    loop.work.over = names(loop, system);
    loop.work.method =
        settings.method == LoopMethod::automatic ? LoopMethod::plain : settings.method;
}

} // namespace

void add_value(FixedPointLoop& loop, const scenario::Port& port, bool is_guessed, LoopValue value) {
    const algorithm::Convergence& until = loop.until;
    value.nominal = port.nominal;
    value.absolute_tolerance =
        port.absolute_tolerance.value_or(until.absolute_tolerance * port.nominal);
    value.relative_tolerance = port.relative_tolerance.value_or(until.relative_tolerance);
    if (is_guessed && storage_of(port.type) == Storage::real) loop.guessed += port.part.count;
    auto& values = loop.values[static_cast<std::size_t>(storage_of(port.type))];
    for (std::uint32_t e = 0; e < port.part.count; ++e, ++value.now, ++value.before)
        values.push_back(value);
}

void add_follower(std::array<std::vector<LoopValue>, 4>& followers, const scenario::Port& port,
                  std::uint32_t tentative_slot, std::uint32_t final_slot) {
    auto& values = followers[static_cast<std::size_t>(storage_of(port.type))];
    for (std::uint32_t e = 0; e < port.part.count; ++e)
        values.push_back({.now = tentative_slot + e, .before = final_slot + e});
}

namespace {

/// What a source is where an input has this value.
Value before_scaling(const scenario::Link& link, const Value& value) {
    if (const auto* real = std::get_if<double>(&value)) return (*real - link.offset) / link.factor;
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return static_cast<std::int64_t>((static_cast<double>(*integer) - link.offset) /
                                         link.factor);
    return value;
}

} // namespace

void add_guess(Plan& plan, const scenario::Link& link, const scenario::Port& input,
               std::span<const FirstGuess> given, std::uint32_t slot) {
    const auto guess = std::ranges::find(given, link.to, &FirstGuess::input);
    if (guess == given.end() || link.factor == 0) return;
    for (const Value& value : guess->values)
        plan.guesses.push_back({storage_of(input.type), slot++, before_scaling(link, value)});
}

void prepare_loops(Plan& plan, const scenario::System& system,
                   const scenario::LoopSettings& settings) {
    for (FixedPointLoop& loop : plan.fixed_points) prepare(loop, plan, system, settings);
}

} // namespace rubato::engine
