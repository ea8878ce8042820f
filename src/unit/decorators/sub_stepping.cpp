// SPDX-License-Identifier: Apache-2.0
#include "sub_stepping.hpp"

#include <rubato/core/bytes.hpp>
#include <rubato/private/format.hpp>
#include <rubato/unit/decorator.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rubato::unit {

namespace {

class SubStepping final : public Decorator, private InputDerivatives, private IntermediateOutputs {
public:
    SubStepping(std::unique_ptr<Unit> inner, unsigned count,
                const std::vector<std::uint32_t>& moving)
        : Decorator(std::move(inner)), count_(count), values_(moving.size()),
          motions_(moving.size()) {
        references_.reserve(moving.size());
        for (const ValueType type : {ValueType::float64, ValueType::float32})
            add_bulk(type, moving);
    }

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
    /// u(τ) = start + τ (first + τ second / 2), τ counted from the start of the step.
    struct Motion {
        double start = 0, first = 0, second = 0;
        double at(double tau) const { return start + tau * (first + 0.5 * tau * second); }
    };

    void do_save(std::uint32_t slot) override {
        Decorator::do_save(slot);
        keep(slot, motions_);
    }
    void do_restore(std::uint32_t slot) override {
        Decorator::do_restore(slot);
        motions_ = saved_motions_.at(slot);
    }
    void do_serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override {
        ByteWriter(bytes).put_all(std::span<const Motion>(saved_motions_.at(slot)));
        Decorator::do_serialize(slot, bytes);
    }
    void do_deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override {
        ByteReader reader(bytes);
        const std::vector<Motion> motions = reader.take_all<Motion>();
        if (motions.size() != motions_.size()) ByteReader::fail();
        Decorator::do_deserialize(slot, reader.rest());
        keep(slot, motions);
    }
    void keep(std::uint32_t slot, const std::vector<Motion>& motions) {
        if (slot >= saved_motions_.size()) saved_motions_.resize(slot + std::size_t{1});
        saved_motions_[slot] = motions;
    }

    void add_bulk(ValueType type, const std::vector<std::uint32_t>& moving) {
        const std::size_t first = references_.size();
        for (const std::uint32_t variable : moving) {
            const scenario::Variable& input = description().variables[variable];
            if (input.type == type) references_.push_back(input.reference);
        }
        const std::size_t count = references_.size() - first;
        if (count > 0)
            bulks_.push_back({type, std::span(references_).subspan(first), &values_[first], count});
    }

    void do_set(const Bulk& values) override {
        Decorator::do_set(values);
        if (storage_of(values.type) != Storage::real) return;
        const double* const given = values.reals().data();
        values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t) {
            const auto moving = std::ranges::find(references_, reference);
            if (moving != references_.end())
                motions_[static_cast<std::size_t>(moving - references_.begin())].start =
                    given[first];
        });
    }

    unsigned max_order() const override { return 2; }

    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override {
        require(Call::set);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const auto moving = std::ranges::find(references_, inputs[i]);
            if (moving == references_.end() || order == 0 || order > max_order())
                throw std::logic_error(format("unit \"{}\": input {} has no derivative of order {}",
                                              name(), inputs[i], order));
            Motion& motion = motions_[static_cast<std::size_t>(moving - references_.begin())];
            (order == 1 ? motion.first : motion.second) = values[i];
        }
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
            if (i > 0) move_inputs(tau);
            if (i > 0 && is_sampled) note(from + Duration{tau});
            const StepResult result = inner().step(from + Duration{tau}, Duration{h});
            if (result.end != StepEnd::completed) [[unlikely]]
                return settle(result, result.reached - from);
        }
        return settle({from + by, StepEnd::completed}, by);
    }

    void move_inputs(double tau) {
        for (std::size_t i = 0; i < motions_.size(); ++i) values_[i] = motions_[i].at(tau);
        for (const Bulk& bulk : bulks_) inner().set(bulk);
    }

    /// Where the step has ended, polynomials go on from there.
    StepResult settle(StepResult result, Duration made) {
        move_inputs(made.seconds);
        for (std::size_t i = 0; i < motions_.size(); ++i) {
            Motion& motion = motions_[i];
            motion = {values_[i], motion.first + made.seconds * motion.second, motion.second};
        }
        return result;
    }

    const unsigned count_;
    // By input that moves.
    std::vector<ValueRef> references_;
    std::vector<double> values_; ///< on their way to the inner unit
    std::vector<Motion> motions_;
    std::vector<std::vector<Motion>> saved_motions_; ///< by slot
    std::vector<Bulk> bulks_;                        ///< of references_ and values_, one per type
    InnerSamples samples_;
};

} // namespace

std::unique_ptr<Unit> make_sub_stepping(std::unique_ptr<Unit> inner, unsigned count,
                                        const std::vector<std::uint32_t>& moving) {
    return std::make_unique<SubStepping>(std::move(inner), count, moving);
}

} // namespace rubato::unit
