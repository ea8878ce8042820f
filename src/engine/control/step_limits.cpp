// SPDX-License-Identifier: Apache-2.0
#include "step_limits.hpp"

#include "execution/grid.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato::engine {

namespace {

constexpr double default_shortest = 1e-6;  // of the step
constexpr double default_tolerance = 1e-4; // of the step, as that of events
constexpr double first_part = 0.01;        // of the step, after a restart
constexpr double growth = 3;               // of steps after it, as in Maestro's zero crossings
constexpr double approach = 0.7;           // of the way to a crossing, while it is uncertain
constexpr double aim = 0.8;                // of the change that is allowed

} // namespace

std::unique_ptr<StepLimits> StepLimits::make(const scenario::StepLimitSettings& settings,
                                             const Parts& parts) {
    const bool any = !settings.sampling.empty() || !parts.system.limited_changes.empty() ||
                     parts.system.predicts_crossings;
    return any ? std::unique_ptr<StepLimits>(new StepLimits(settings, parts)) : nullptr;
}

StepLimits::StepLimits(const scenario::StepLimitSettings& settings, const Parts& parts)
    : settings_(settings), system_(parts.system), buffers_(parts.compiled.plan->buffers),
      executor_(parts.executor), search_(parts.search), summary_(parts.summary),
      start_(parts.experiment.start), rounding_(Grid(parts.experiment).shortest()),
      shortest_{parts.experiment.minimum_step.value_or(default_shortest * parts.experiment.step)},
      tolerance_(search_ ? search_->tolerance()
                         : Duration{default_tolerance * parts.experiment.step}),
      first_{std::max(first_part * parts.experiment.step, shortest_.seconds)}, growing_(first_) {
    const auto storage = [&](PortId output) { return storage_of(system_.port(output).type); };
    const auto& slots = parts.compiled.watched_slots;
    for (std::size_t w = 0; w < system_.watched.size(); ++w) {
        const auto& crossing = system_.watched[w].crossing;
        const bool has_root = crossing && crossing->relation != scenario::Relation::equals;
        if (!parts.system.predicts_crossings || !has_root) continue;
        crossings_.push_back({{storage(crossing->output), slots[w], {}}, crossing->value, {}});
    }
    std::size_t next = system_.watched.size();
    for (const scenario::LimitedChange& limit : system_.limited_changes) {
        Quantity quantity{storage(limit.output), slots[next++], {}};
        if (limit.minus) quantity.minus = {storage(*limit.minus), slots[next++]};
        changes_.push_back({quantity, &limit, {}, 0});
    }
    if (!changes_.empty() && can_all_roll_back(parts.units))
        checkpoint_.emplace(*parts.compiled.plan, parts.units);
}

double StepLimits::number(const Quantity& quantity) const {
    const double number = buffers_.number_at(quantity.storage, quantity.slot);
    if (!quantity.minus) return number;
    return number - buffers_.number_at(quantity.minus->first, quantity.minus->second);
}

void StepLimits::restart(Time now) {
    if (!follows_values()) return;
    executor_.watch();
    for (Crossing& crossing : crossings_) crossing.motion.restart(now, number(crossing.quantity));
    for (Change& change : changes_) change.motion.restart(now, number(change.quantity));
    growing_ = first_;
}

void StepLimits::jump(Time now) {
    if (!follows_values()) return;
    executor_.watch();
    const auto restart_jumped = [&](auto& followed) {
        const double value = number(followed.quantity);
        if (value != followed.motion.value()) followed.motion.restart(now, value);
    };
    std::ranges::for_each(crossings_, restart_jumped);
    std::ranges::for_each(changes_, restart_jumped);
}

void StepLimits::commit(const MadeStep& step) {
    const Time now = step.end;
    for (Crossing& crossing : crossings_) crossing.motion.add(now, number(crossing.quantity));
    for (Change& change : changes_) change.motion.add(now, number(change.quantity));
    growing_ = growth * growing_;
}

Time StepLimits::latest_end(Time now, Duration longest) const {
    double end = unbounded;
    for (const scenario::SamplingInstants& sampling : settings_.sampling)
        end = std::min(end, next_sample(sampling, now).seconds);
    if (!follows_values()) return {end};
    Duration step = std::min(longest, growing_);
    for (const Crossing& crossing : crossings_) step = std::min(step, until_crossing(crossing));
    for (const Change& change : changes_) step = std::min(step, until_changed(change, step));
    return {std::min(end, now.seconds + std::max(step, shortest_).seconds)};
}

Time StepLimits::next_sample(const scenario::SamplingInstants& sampling, Time now) const {
    const double start = sampling.start.value_or(start_);
    const double passed = std::floor((now.seconds - start + rounding_.seconds) / sampling.period);
    return {start + std::max(passed + 1, 0.) * sampling.period};
}

/// While line and parabola differ, a part of the way is safe; what they agree on, or what is as
/// near as the tolerance, is stepped over.
Duration StepLimits::until_crossing(const Crossing& crossing) const {
    const auto arrival = crossing.motion.time_to(crossing.level);
    if (!arrival) return {unbounded};
    const auto [line, parabola, has_parabola] = *arrival;
    const double soonest = std::min(line, parabola);
    if (!std::isfinite(soonest)) return {unbounded};
    const bool is_near = soonest <= tolerance_.seconds;
    const bool is_certain =
        std::abs(line - parabola) <= tolerance_.seconds && (has_parabola || is_near);
    if (is_certain) return {parabola + 0.5 * tolerance_.seconds};
    return {std::max(approach * soonest, tolerance_.seconds)};
}

Duration StepLimits::until_changed(const Change& change, Duration longest) const {
    const double allowed =
        aim * (change.limit->absolute + change.limit->relative * std::abs(change.motion.value()));
    Duration ahead = longest;
    while (ahead > shortest_ && change.motion.change_after(ahead).value_or(0) > allowed)
        ahead = 0.9 * ahead;
    return ahead;
}

StepLimits::Exceeded StepLimits::largest_change(Time now) const {
    Exceeded largest{.when = now};
    for (const Change& change : changes_) {
        const double after = number(change.quantity);
        const double size = std::max(std::abs(change.before), std::abs(after));
        const double allowed = change.limit->absolute + change.limit->relative * size;
        const double changed = std::abs(after - change.before);
        const double factor = changed == 0 ? 0 : changed / allowed;
        if (factor > largest.factor) largest = {factor, change.limit, now};
    }
    largest.factor = executor_.decisions().largest(largest.factor);
    return largest;
}

Attempt StepLimits::begin(const Attempt& wanted) {
    for (Change& change : changes_) change.before = number(change.quantity);
    return wanted;
}

Judgement StepLimits::judge(const Attempt& made, Flow flow) {
    if (flow != Flow::proceed) return Judgement::accept();
    if (!search_) executor_.watch();
    if (changes_.empty() || executor_.end() <= made.from) return Judgement::accept();
    const Exceeded worst = largest_change(made.from);
    if (worst.factor <= 1) return Judgement::accept();
    const Duration by = executor_.end() - made.from;
    if (!checkpoint_ || by <= (1 + sliver) * shortest_) {
        ++summary_.exceeded;
        if (worst.factor > worst_.factor) worst_ = worst;
        return Judgement::accept();
    }
    ++summary_.shortened;
    const Duration shorter = std::max(std::clamp(aim / worst.factor, 0.1, aim) * by, shortest_);
    return Judgement::repeat({made.from, shorter, made.from + shorter});
}

std::string StepLimits::worst_exceeded() const {
    if (!worst_.limit) return {};
    const scenario::LimitedChange& limit = *worst_.limit;
    return format("{}{} from t = {} s on, by a factor of {:.3g}", system_.name_of(limit.output),
                  limit.minus ? " - " + system_.name_of(*limit.minus) : std::string(),
                  shortest(worst_.when.seconds), worst_.factor);
}

} // namespace rubato::engine
