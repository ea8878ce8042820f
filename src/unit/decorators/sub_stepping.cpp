// SPDX-License-Identifier: Apache-2.0
#include "sub_stepping.hpp"

#include "moving_inputs.hpp"

#include <rubato/core/bytes.hpp>
#include <rubato/unit/decorator.hpp>

#include <utility>

namespace rubato::unit {

namespace {

class SubStepping final : public Decorator, private InputDerivatives, private IntermediateOutputs {
public:
    SubStepping(std::unique_ptr<Unit> inner, unsigned count,
                const std::vector<std::uint32_t>& moving)
        : Decorator(std::move(inner)), count_(count), inputs_(this->inner(), moving) {}

    Abilities abilities() noexcept override {
        const Abilities inner = forwarded();
        return {
            .snapshots = inner.snapshots,
            .serialized_states = inner.serialized_states,
            .input_derivatives = this,
            .event_mode = inner.event_mode,
            .intermediate_outputs = count_ > 1 ? this : inner.intermediate_outputs,
            .directional_derivatives = inner.directional_derivatives,
            .solver_statistics = inner.solver_statistics,
            .direct_calls = nullptr,
        };
    }

private:
    void do_save(std::uint32_t slot) override {
        Decorator::do_save(slot);
        keep(slot, inputs_.polynomials());
    }
    void do_restore(std::uint32_t slot) override {
        Decorator::do_restore(slot);
        inputs_.polynomials() = saved_.at(slot);
    }
    void do_serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override {
        ByteWriter(bytes).put_all(std::span<const InputPolynomial>(saved_.at(slot)));
        Decorator::do_serialize(slot, bytes);
    }
    void do_deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override {
        ByteReader reader(bytes);
        const auto polynomials = reader.take_all<InputPolynomial>();
        if (polynomials.size() != inputs_.size()) ByteReader::fail();
        Decorator::do_deserialize(slot, reader.rest());
        keep(slot, polynomials);
    }
    void keep(std::uint32_t slot, const MovingInputs::Polynomials& polynomials) {
        if (slot >= saved_.size()) saved_.resize(slot + std::size_t{1});
        saved_[slot] = polynomials;
    }

    void do_set(const Bulk& values) override {
        Decorator::do_set(values);
        inputs_.take(values);
    }

    unsigned max_order() const override { return MovingInputs::max_order; }

    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override {
        require(Call::set);
        inputs_.take_derivatives(inputs, order, values);
    }

    StepResult do_step(Time from, Duration by) override {
        return forwarding([&] { return sub_steps(from, by); });
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
            inner().get({ValueType::float64, samples_.outputs(), values.data(), values.size()});
    }

    StepResult sub_steps(Time from, Duration by) {
        const double h = by.seconds / count_;
        const bool is_sampled = samples_.is_sampling();
        samples_.begin(from, by);
        for (unsigned i = 0; i < count_; ++i) {
            const double tau = i * h;
            if (i > 0) inputs_.set_at(inner(), tau);
            if (i > 0 && is_sampled) note(from + Duration{tau});
            const StepResult result = inner().step(from + Duration{tau}, Duration{h});
            if (result.end != StepEnd::completed) [[unlikely]]
                return settle(result, result.reached - from);
        }
        return settle({from + by, StepEnd::completed}, by);
    }

    /// Where the step has ended, polynomials go on from there.
    StepResult settle(StepResult result, Duration made) {
        inputs_.set_at(inner(), made.seconds);
        inputs_.advance(made.seconds);
        return result;
    }

    const unsigned count_;
    MovingInputs inputs_;
    std::vector<MovingInputs::Polynomials> saved_; ///< by slot
    InnerSamples samples_;
};

} // namespace

std::unique_ptr<Unit> make_sub_stepping(std::unique_ptr<Unit> inner, unsigned count,
                                        const std::vector<std::uint32_t>& moving) {
    return std::make_unique<SubStepping>(std::move(inner), count, moving);
}

} // namespace rubato::unit
