// SPDX-License-Identifier: Apache-2.0
#include "sub_stepping.hpp"

#include "moving_inputs.hpp"

#include <rubato/core/bytes.hpp>

#include <type_traits>
#include <utility>

namespace rubato::unit {

namespace {

class SubStepping final : public Unit,
                          private InputDerivatives,
                          private IntermediateOutputs,
                          private DirectionalDerivatives {
public:
    SubStepping(std::unique_ptr<Unit> inner, unsigned count,
                const std::vector<std::uint32_t>& moving)
        : Unit(inner->name(), inner->description()), inner_(std::move(inner)), count_(count),
          inputs_(*inner_, moving) {}

    Abilities abilities() noexcept override {
        const Abilities inner = inner_->abilities();
        return {
            .snapshots = inner.snapshots ? &states_ : nullptr,
            .serialized_states = inner.serialized_states ? &states_ : nullptr,
            .input_derivatives = this,
            .event_mode = inner.event_mode ? &events_ : nullptr,
            .intermediate_outputs = count_ > 1 ? this : inner.intermediate_outputs,
            .directional_derivatives = inner.directional_derivatives ? this : nullptr,
            .solver_statistics = inner.solver_statistics,
            .direct_calls = nullptr, // they would pass by the smaller steps
        };
    }

private:
    class States final : public Snapshots, public SerializedStates {
    public:
        explicit States(SubStepping& unit) : unit_(unit) {}

        void save(std::uint32_t slot) override {
            unit_.require(Call::save);
            unit_.inner_->snapshots()->save(slot);
            if (slot >= polynomials_.size()) polynomials_.resize(slot + std::size_t{1});
            polynomials_[slot] = unit_.inputs_.polynomials();
            unit_.note_saved(slot);
        }
        void restore(std::uint32_t slot) override {
            unit_.require(Call::restore);
            unit_.inner_->snapshots()->restore(slot);
            unit_.inputs_.polynomials() = polynomials_.at(slot);
            unit_.note_restored(slot);
        }
        void release(std::uint32_t slot) override { unit_.inner_->snapshots()->release(slot); }
        void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override {
            ByteWriter writer(bytes);
            writer.put(unit_.saved_phase(slot));
            writer.put_all(std::span<const InputPolynomial>(polynomials_.at(slot)));
            unit_.inner_->serialized_states()->serialize(slot, bytes);
        }
        void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override {
            ByteReader reader(bytes);
            const auto phase = reader.take<Phase>();
            auto polynomials = reader.take_all<InputPolynomial>();
            if (polynomials.size() != unit_.inputs_.size()) ByteReader::fail();
            unit_.inner_->serialized_states()->deserialize(slot, reader.rest());
            if (slot >= polynomials_.size()) polynomials_.resize(slot + std::size_t{1});
            polynomials_[slot] = std::move(polynomials);
            unit_.note_saved(slot, phase);
        }

    private:
        SubStepping& unit_;
        std::vector<MovingInputs::Polynomials> polynomials_; ///< by slot
    };

    class Events final : public EventMode {
    public:
        explicit Events(SubStepping& unit) : unit_(unit) {}

        void enter() override {
            unit_.passing_on([&] { inner().enter(); });
            unit_.note_event_mode(true);
        }
        EventUpdate update() override {
            return unit_.passing_on([&] { return inner().update(); });
        }
        void get_intervals(std::span<const ValueRef> clocks,
                           std::span<ClockInterval> intervals) override {
            unit_.passing_on([&] { inner().get_intervals(clocks, intervals); });
        }
        void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) override {
            unit_.passing_on([&] { inner().get_shifts(clocks, shifts); });
        }
        void leave() override {
            unit_.passing_on([&] { inner().leave(); });
            unit_.note_event_mode(false);
        }

    private:
        EventMode& inner() { return *unit_.inner_->event_mode(); }
        SubStepping& unit_;
    };

    /// Errors of the inner unit, which has the same name, are this one's.
    template <class Action>
    std::invoke_result_t<Action> passing_on(Action&& action) {
        try {
            return action();
        } catch (...) {
            note_fault();
            throw;
        }
    }

    void do_enter_initialization(const Horizon& horizon) override {
        passing_on([&] { inner_->enter_initialization(horizon); });
    }
    void do_exit_initialization() override {
        passing_on([&] { inner_->exit_initialization(); });
    }
    void do_terminate() override {
        passing_on([&] { inner_->terminate(); });
    }
    void do_get(const Bulk& values) override {
        passing_on([&] { inner_->get(values); });
    }
    void do_set(const Bulk& values) override {
        passing_on([&] { inner_->set(values); });
        inputs_.take(values);
    }

    unsigned max_order() const override { return MovingInputs::max_order; }

    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override {
        require(Call::set);
        inputs_.take_derivatives(inputs, order, values);
    }

    Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                      std::span<const ValueRef> knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) override {
        return passing_on([&] {
            return inner_->directional_derivatives()->directional_derivative(unknowns, knowns, seed,
                                                                             sensitivity);
        });
    }

    StepResult do_step(Time from, Duration by) override {
        return passing_on([&] { return sub_steps(from, by); });
    }

    bool provides(const scenario::Variable& output) const override {
        return output.type == ValueType::float64 && !output.is_array() && output.clocks.empty();
    }
    void sample(std::span<const ValueRef> outputs, std::size_t most) override {
        samples_.sample(outputs, most);
    }
    const InnerSamples& samples() const override { return samples_; }

    /// Between two inner steps, with the inputs of that time.
    void note(Time now) {
        const std::span<double> values = samples_.add(now);
        if (!values.empty())
            inner_->get({ValueType::float64, samples_.outputs(), values.data(), values.size()});
    }

    StepResult sub_steps(Time from, Duration by) {
        const double h = by.seconds / count_;
        const bool is_sampled = samples_.is_sampling();
        samples_.begin(from, by);
        for (unsigned i = 0; i < count_; ++i) {
            const double tau = i * h;
            if (i > 0) inputs_.set_at(*inner_, tau);
            if (i > 0 && is_sampled) note(from + Duration{tau});
            const StepResult result = inner_->step(from + Duration{tau}, Duration{h});
            if (result.end != StepEnd::completed) [[unlikely]]
                return settle(result, result.reached - from);
        }
        return settle({from + by, StepEnd::completed}, by);
    }

    /// Where the step has ended, polynomials go on from there.
    StepResult settle(StepResult result, Duration made) {
        inputs_.set_at(*inner_, made.seconds);
        inputs_.advance(made.seconds);
        return result;
    }

    std::unique_ptr<Unit> inner_;
    const unsigned count_;
    MovingInputs inputs_;
    InnerSamples samples_;
    States states_{*this};
    Events events_{*this};
};

} // namespace

std::unique_ptr<Unit> make_sub_stepping(std::unique_ptr<Unit> inner, unsigned count,
                                        const std::vector<std::uint32_t>& moving) {
    return std::make_unique<SubStepping>(std::move(inner), count, moving);
}

} // namespace rubato::unit
