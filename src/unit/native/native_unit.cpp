// SPDX-License-Identifier: Apache-2.0
#include "native_unit.hpp"

#include <rubato/core/bytes.hpp>
#include <rubato/model/instance.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace rubato::unit {

using model::AccessResult;
using model::Instance;
using model::ModelType;
using model::Role;
using model::VariableType;
using scenario::Causality;
using scenario::Initial;
using scenario::UnitDescription;
using scenario::Variability;
using scenario::Variable;

namespace {

class NativeUnit final : public Unit,
                         private InputDerivatives,
                         private IntermediateOutputs,
                         private DirectionalDerivatives,
                         private model::StepListener {
public:
    NativeUnit(std::string name, const ModelType& type, const UnitDescription& description)
        : Unit(std::move(name), description),
          instance_(type,
                    type.event_mode ? model::Interface::hybrid : model::Interface::co_simulation) {}

    Abilities abilities() noexcept override {
        return {
            .snapshots = &snapshots_,
            .serialized_states = &snapshots_,
            .input_derivatives = this,
            .event_mode = instance_.is_hybrid() ? &events_ : nullptr,
            .intermediate_outputs =
                description().capabilities.intermediate_outputs ? this : nullptr,
            .directional_derivatives = instance_.type().variations ? this : nullptr,
            .solver_statistics = nullptr,
            .direct_calls = nullptr,
        };
    }

private:
    class States final : public Snapshots, public SerializedStates {
    public:
        explicit States(NativeUnit& unit) : unit_(unit) {}

        void save(std::uint32_t slot) override {
            unit_.require(Call::save);
            unit_.instance_.save(state_at(slot));
            unit_.note_saved(slot);
        }
        void restore(std::uint32_t slot) override {
            unit_.require(Call::restore);
            unit_.instance_.restore(slots_.at(slot).get());
            unit_.note_restored(slot);
        }
        void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override {
            ByteWriter(bytes).put(unit_.saved_phase(slot));
            const std::size_t start = bytes.size();
            bytes.resize(start + unit_.instance_.serialized_size());
            unit_.instance_.serialize(slots_.at(slot).get(), bytes.data() + start);
        }
        void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override {
            const auto phase = ByteReader(bytes).take<Phase>();
            const std::string problem =
                unit_.instance_.deserialize(bytes.subspan(sizeof phase), state_at(slot));
            if (!problem.empty()) throw Error(format("unit \"{}\": {}", unit_.name(), problem));
            unit_.note_saved(slot, phase);
        }

    private:
        std::byte* state_at(std::uint32_t slot) {
            if (slot >= slots_.size()) slots_.resize(slot + std::size_t{1});
            auto& state = slots_[slot];
            if (!state) state = std::make_unique<std::byte[]>(unit_.instance_.saved_size());
            return state.get();
        }

        NativeUnit& unit_;
        std::vector<std::unique_ptr<std::byte[]>> slots_;
    };

    class Events final : public EventMode {
    public:
        explicit Events(NativeUnit& unit) : unit_(unit) {}

        void enter() override {
            unit_.require(Call::enter_event_mode);
            unit_.instance_.enter_event_mode();
            unit_.note_event_mode(true);
        }
        EventUpdate update() override {
            unit_.require(Call::update);
            const double next = unit_.instance_.update_discrete().next_event;
            EventUpdate update;
            if (std::isfinite(next)) update.next_event = Time{next};
            return update;
        }
        void get_intervals(std::span<const ValueRef> clocks,
                           std::span<ClockInterval> intervals) override {
            unit_.require(Call::get_intervals);
            for (std::size_t i = 0; i < clocks.size(); ++i) {
                const auto taken = unit_.instance_.take_interval(clocks[i]);
                intervals[i] = {.kind = taken.known ? ClockInterval::Kind::changed
                                                    : ClockInterval::Kind::unknown,
                                .interval = {taken.seconds},
                                .counter = taken.counter,
                                .resolution = taken.resolution};
            }
        }
        void get_shifts(std::span<const ValueRef>, std::span<Duration> shifts) override {
            unit_.require(Call::get_intervals);
            std::ranges::fill(shifts, Duration{}); // those that have one have it in the description
        }
        void leave() override {
            unit_.require(Call::leave_event_mode);
            unit_.instance_.enter_step_mode();
            unit_.note_event_mode(false);
        }

    private:
        NativeUnit& unit_;
    };

    unsigned max_order() const override { return 2; }

    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override {
        require(Call::set);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            require_done(
                instance_.set_input_derivative(inputs[i], static_cast<int>(order), values[i]),
                "setting input derivatives");
        instance_.update_moving();
    }

    void sample(std::span<const ValueRef> outputs, std::size_t most) override {
        require(Call::get);
        samples_.sample(outputs, most);
        instance_.listen(samples_.is_sampling() ? this : nullptr, false);
    }
    const InnerSamples& samples() const override { return samples_; }
    void set_inputs(double) override {} // they move by their derivatives
    void reached(double time) override {
        const std::span<double> values = samples_.add(Time{time});
        if (!values.empty())
            require_done(instance_.get_reals(samples_.outputs(), values.data()), "get");
    }

    Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                      std::span<const ValueRef> knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) override {
        require(Call::get);
        require_done(instance_.get_variation(unknowns, knowns, seed.data(), sensitivity.data()),
                     "a directional derivative");
        return Evaluation::done;
    }

    void do_enter_initialization(const Horizon& horizon) override {
        try {
            instance_.enter_initialization(horizon.start.seconds);
        } catch (const std::exception& fault) {
            fail("setting its structural parameters", fault.what());
        }
    }

    void do_exit_initialization() override {
        try {
            instance_.exit_initialization();
        } catch (const std::exception& fault) {
            fail("initialization", fault.what());
        }
    }

    void do_terminate() override { instance_.terminate(); }

    StepResult do_step(Time from, Duration by) override {
        samples_.begin(from, by);
        try {
            const Time end{instance_.step(from.seconds, by.seconds)};
            if (end < from + by) samples_.end(end);
            if (instance_.at_event()) return {end, StepEnd::event};
            return {end, end < from + by ? StepEnd::rejected : StepEnd::completed};
        } catch (const std::exception& fault) {
            fail("a step", fault.what());
        }
    }

    void do_set(const Bulk& values) override {
        switch (storage_of(values.type)) {
        case Storage::real:
            return require_done(instance_.set_reals(values.references, values.reals().data()),
                                "set");
        case Storage::integer:
            return require_done(instance_.set_integers(values.references, values.integers().data()),
                                "set");
        case Storage::boolean:
            return require_done(instance_.set<bool>(values.references, values.booleans().data()),
                                "set");
        case Storage::string: return set_texts(values);
        }
    }

    void do_get(const Bulk& values) override {
        switch (storage_of(values.type)) {
        case Storage::real:
            return require_done(instance_.get_reals(values.references, values.reals().data()),
                                "get");
        case Storage::integer:
            return require_done(instance_.get_integers(values.references, values.integers().data()),
                                "get");
        case Storage::boolean:
            return require_done(instance_.get(values.references, values.booleans().data()), "get");
        case Storage::string: return get_texts(values);
        }
    }

    void require_done(AccessResult result, std::string_view call) {
        if (!result.ok()) [[unlikely]]
            fail(call, instance_.explain(result));
    }

    void set_texts(const Bulk& values) {
        texts_.assign(values.strings().begin(), values.strings().end());
        require_done(instance_.set_texts(values.type, values.references, texts_.data()), "set");
    }

    void get_texts(const Bulk& values) {
        texts_.resize(values.count);
        require_done(instance_.get_texts(values.type, values.references, texts_.data()), "get");
        std::ranges::transform(texts_, values.strings().begin(),
                               [](std::string_view text) { return std::string(text); });
    }

    Instance instance_;
    std::vector<std::string_view> texts_; ///< on their way
    InnerSamples samples_;
    States snapshots_{*this};
    Events events_{*this};
};

} // namespace

std::unique_ptr<Unit> make_native_unit(std::string name, const ModelType& type,
                                       const UnitDescription& description) {
    return std::make_unique<NativeUnit>(std::move(name), type, description);
}

} // namespace rubato::unit
