// SPDX-License-Identifier: Apache-2.0
#include "own_steps.hpp"

#include "held_inputs.hpp"
#include "moving_inputs.hpp"
#include "read_values.hpp"

#include <rubato/unit/decorator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rubato::unit {

namespace {

std::vector<std::uint32_t> variables_of(const std::vector<MovingVariable>& moving) {
    std::vector<std::uint32_t> variables;
    for (const MovingVariable& each : moving) variables.push_back(each.variable);
    return variables;
}

class OwnSteps final : public Decorator, private InputDerivatives, private DirectionalDerivatives {
public:
    OwnSteps(std::unique_ptr<Unit> inner, Duration step, const std::vector<MovingVariable>& inputs,
             const std::vector<MovingVariable>& outputs)
        : Decorator(std::move(inner)), step_(step), inputs_(this->inner(), variables_of(inputs)),
          history_(description(), outputs) {
        InputDerivatives* const derivatives = this->inner().input_derivatives();
        const unsigned possible = derivatives ? derivatives->max_order() : MovingInputs::max_order;
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            orders_.push_back(std::min(
                std::ranges::find(inputs, inputs_.variable(i), &MovingVariable::variable)->order,
                possible));
        state_.at_point.resize(inputs_.size());
        towards_.resize(inputs_.size());
    }

    Abilities abilities() noexcept override {
        const Abilities inner = forwarded();
        return {
            .snapshots = inner.snapshots,
            .serialized_states = inner.serialized_states,
            .input_derivatives = this,
            .event_mode = nullptr,           // events of others are between its points
            .intermediate_outputs = nullptr, // what is within its steps is in the past
            .directional_derivatives = inner.directional_derivatives ? this : nullptr,
            .solver_statistics = inner.solver_statistics,
            .direct_calls = nullptr,
        };
    }

private:
    /// All that changes, but the inner unit, the polynomials and the history.
    struct State {
        Time reached;                       ///< by the inner unit
        Time now;                           ///< of the others
        std::uint64_t next = 1;             ///< number of the next point
        bool is_at_point = true;            ///< the others are where the inner unit is
        std::uint64_t inner = 1;            ///< number of the state of the inner unit
        MovingInputs::Polynomials at_point; ///< of the inputs that move, where it is
    };
    struct Saved {
        State state;
        MovingInputs::Polynomials polynomials;
        HeldInputs held;
        OutputHistory::Samples samples;
    };

    /// The inner unit saves only what it has not saved in this slot before.
    void do_save(std::uint32_t slot) override {
        Saved& saved = saved_in(slot);
        if (saved.state.inner != state_.inner) Decorator::do_save(slot);
        saved.state = state_;
        saved.polynomials = inputs_.polynomials();
        saved.held = held_;
        saved.samples = history_.samples();
    }
    void do_restore(std::uint32_t slot) override {
        const Saved& saved = saved_.at(slot);
        if (saved.state.inner != state_.inner || phase() == Phase::failed)
            Decorator::do_restore(slot);
        state_ = saved.state;
        inputs_.polynomials() = saved.polynomials;
        held_ = saved.held;
        history_.go_back_to(saved.samples);
    }
    void do_release(std::uint32_t slot) override {
        if (slot < saved_.size()) saved_[slot].state.inner = 0;
        Decorator::do_release(slot);
    }
    void do_serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override {
        ByteWriter writer(bytes);
        const Saved& saved = saved_.at(slot);
        writer.put(saved.state.reached);
        writer.put(saved.state.now);
        writer.put(saved.state.next);
        writer.put(std::uint8_t{saved.state.is_at_point});
        writer.put_all(std::span<const InputPolynomial>(saved.state.at_point));
        writer.put_all(std::span<const InputPolynomial>(saved.polynomials));
        saved.held.write(writer);
        OutputHistory::write(saved.samples, writer);
        Decorator::do_serialize(slot, bytes);
    }
    void do_deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override {
        ByteReader reader(bytes);
        Saved saved;
        saved.state.reached = reader.take<Time>();
        saved.state.now = reader.take<Time>();
        saved.state.next = reader.take<std::uint64_t>();
        saved.state.is_at_point = reader.take<std::uint8_t>() != 0;
        saved.state.inner = ++last_inner_;
        saved.state.at_point = reader.take_all<InputPolynomial>();
        saved.polynomials = reader.take_all<InputPolynomial>();
        if (saved.state.at_point.size() != inputs_.size() ||
            saved.polynomials.size() != inputs_.size())
            ByteReader::fail();
        saved.held.read(reader);
        saved.samples = history_.read(reader);
        Decorator::do_deserialize(slot, reader.rest());
        saved_in(slot) = std::move(saved);
    }
    Saved& saved_in(std::uint32_t slot) {
        while (slot >= saved_.size()) saved_.emplace_back().state.inner = 0;
        return saved_[slot];
    }

    /// What was read of the inner unit no longer holds.
    void note_change() { state_.inner = ++last_inner_; }

    void do_enter_initialization(const Horizon& horizon) override {
        start_ = state_.reached = state_.now = horizon.start;
        stop_ = horizon.stop;
        Decorator::do_enter_initialization(horizon);
    }

    void do_get(const Bulk& values) override {
        if (phase() != Phase::stepping) return Decorator::do_get(values);
        forwarding([&] { read_.get(inner(), values, state_.inner); });
        if (state_.is_at_point) return;
        held_.read(values);
        history_.extrapolate(values, state_.now);
    }

    void do_set(const Bulk& values) override {
        inputs_.take(values);
        if (phase() == Phase::stepping && !state_.is_at_point) {
            values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t count) {
                if (!inputs_.contains(values.type, reference))
                    held_.hold(values, reference, first, count);
            });
            return;
        }
        note_change();
        Decorator::do_set(values);
        held_.forget(values);
    }

    unsigned max_order() const override { return MovingInputs::max_order; }
    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override {
        require(Call::set);
        inputs_.take_derivatives(inputs, order, values);
    }

    /// Between its points no output depends on an input.
    Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                      std::span<const ValueRef> knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) override {
        if (phase() == Phase::stepping && !state_.is_at_point) {
            std::ranges::fill(sensitivity, 0);
            return Evaluation::done;
        }
        return forwarding([&] {
            return inner().directional_derivatives()->directional_derivative(unknowns, knowns, seed,
                                                                             sensitivity);
        });
    }

    StepResult do_step(Time from, Duration by) override {
        return forwarding([&] { return advance(from, by); });
    }

    /// Times that differ by rounding only are the same.
    bool is_same(Time a, Time b) const {
        const double size = std::max(std::abs(a.seconds), std::abs(b.seconds));
        return std::abs(a.seconds - b.seconds) <=
               1e-9 * step_.seconds + 8 * std::numeric_limits<double>::epsilon() * size;
    }

    Time point_number(std::uint64_t n) const { return start_ + static_cast<double>(n) * step_; }

    /// Where the inner unit goes next, if that is not after `end`.
    std::optional<Time> next_point(Time end) const {
        const Time point = point_number(state_.next);
        if (is_same(point, end)) return end;
        if (point < end) return point;
        const bool is_last = stop_ && (end > *stop_ || is_same(end, *stop_));
        if (is_last && !is_same(state_.reached, end) && description().capabilities.variable_step)
            return end;
        return std::nullopt;
    }

    StepResult advance(Time from, Duration by) {
        const Time end = from + by;
        if (state_.is_at_point) {
            state_.reached = from;
            if (is_same(from, point_number(state_.next))) ++state_.next; // where a step ended early
            leave_point(0);
        }
        while (const std::optional<Time> point = next_point(end)) {
            const StepResult result = go_to(*point, from, by);
            if (result.end != StepEnd::completed) [[unlikely]]
                return conclude(result, from);
            if (*point == end) break;
            leave_point((*point - from).seconds);
        }
        return conclude({end, StepEnd::completed}, from);
    }

    /// What the inner unit has at its point before it continues: `tau` into the step of the others.
    void leave_point(double tau) {
        if (held_.any()) note_change();
        held_.set_all(inner());
        history_.sample(inner(), state_.reached, 1e-6 * step_);
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const InputPolynomial& input = inputs_.polynomials()[i];
            state_.at_point[i] = {input.at(tau), input.slope_at(tau), input.second};
        }
    }

    StepResult conclude(StepResult result, Time from) {
        inputs_.advance((result.reached - from).seconds);
        state_.now = result.reached;
        state_.is_at_point = is_same(state_.reached, result.reached);
        return result;
    }

    /// One step of the inner unit. What it does not complete before `from`, where the others have
    /// been already, it does in several.
    StepResult go_to(Time point, Time from, Duration by) {
        aim((point - state_.reached).seconds, (point - from).seconds);
        constexpr int most_parts = 1000;
        const Time first = state_.reached;
        for (int part = 0; part < most_parts; ++part) {
            give_inputs((state_.reached - first).seconds);
            note_change();
            const bool is_same_step = state_.reached == from && point == from + by;
            const StepResult result =
                inner().step(state_.reached, is_same_step ? by : point - state_.reached);
            const bool has_moved = result.reached > state_.reached;
            state_.reached = result.reached;
            if (result.end == StepEnd::completed) {
                state_.reached = point;
                if (is_same(point, point_number(state_.next))) ++state_.next;
                give_end_of_inputs((point - first).seconds);
                return {point, StepEnd::completed};
            }
            const bool is_past = result.reached < from && !is_same(result.reached, from);
            if (!is_past || result.end == StepEnd::terminated)
                return {std::max(result.reached, from), result.end};
            if (!has_moved) break;
        }
        return {from, StepEnd::rejected};
    }

    /// The polynomials of the inputs over a step of the inner unit, of length `span`, from what
    /// they were at its point to what they are at its end, `tau` into the step of the others.
    void aim(double span, double tau) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const InputPolynomial& from = state_.at_point[i];
            const double rise = inputs_.polynomials()[i].at(tau) - from.start;
            towards_[i] = orders_[i] == 1 ? InputPolynomial{from.start, rise / span, 0}
                                          : InputPolynomial{from.start, from.first,
                                                            2 * (rise / span - from.first) / span};
        }
    }

    /// To an inner unit that takes no derivatives: what the inputs are at the start.
    void give_inputs(double tau) {
        if (inputs_.size() == 0) return;
        inputs_.set(inner(), [&](std::size_t i) { return towards_[i].at(tau); });
        InputDerivatives* const derivatives = inner().input_derivatives();
        if (!derivatives) return;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const ValueRef reference = inputs_.reference(i);
            const double first = towards_[i].slope_at(tau);
            derivatives->set({&reference, 1}, 1, {&first, 1});
            if (orders_[i] > 1) derivatives->set({&reference, 1}, 2, {&towards_[i].second, 1});
        }
    }
    void give_end_of_inputs(double span) {
        if (inputs_.size() > 0)
            inputs_.set(inner(), [&](std::size_t i) { return towards_[i].at(span); });
    }

    const Duration step_;
    Time start_;
    std::optional<Time> stop_;
    MovingInputs inputs_;
    std::vector<unsigned> orders_;      ///< of the inputs that move
    MovingInputs::Polynomials towards_; ///< of a step of the inner unit, from its start
    OutputHistory history_;
    HeldInputs held_;
    ReadValues read_;
    State state_;
    std::uint64_t last_inner_ = 1; ///< number of a state, given last
    std::vector<Saved> saved_;     ///< by slot
};

} // namespace

std::unique_ptr<Unit> make_own_steps(std::unique_ptr<Unit> inner, Duration step,
                                     const std::vector<MovingVariable>& inputs,
                                     const std::vector<MovingVariable>& outputs) {
    return std::make_unique<OwnSteps>(std::move(inner), step, inputs, outputs);
}

} // namespace rubato::unit
