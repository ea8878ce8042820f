// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/bytes.hpp>
#include <rubato/unit/decorator.hpp>

namespace rubato::unit {

class Decorator::States final : public Snapshots, public SerializedStates {
public:
    explicit States(Decorator& unit) : unit_(unit) {}

    void save(std::uint32_t slot) override {
        unit_.require(Call::save);
        unit_.do_save(slot);
        unit_.note_saved(slot);
    }
    void restore(std::uint32_t slot) override {
        unit_.require(Call::restore);
        unit_.do_restore(slot);
        unit_.note_restored(slot);
    }
    void release(std::uint32_t slot) override { unit_.do_release(slot); }
    void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override {
        ByteWriter(bytes).put(unit_.saved_phase(slot));
        unit_.do_serialize(slot, bytes);
    }
    void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override {
        ByteReader reader(bytes);
        const auto phase = reader.take<Phase>();
        unit_.do_deserialize(slot, reader.rest());
        unit_.note_saved(slot, phase);
    }

private:
    Decorator& unit_;
};

class Decorator::Derivatives final : public InputDerivatives, public DirectionalDerivatives {
public:
    explicit Derivatives(Decorator& unit) : unit_(unit) {}

    unsigned max_order() const override { return unit_.inner().input_derivatives()->max_order(); }
    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override {
        unit_.forwarding([&] { unit_.inner().input_derivatives()->set(inputs, order, values); });
    }
    Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                      std::span<const ValueRef> knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) override {
        return unit_.forwarding([&] {
            return unit_.inner().directional_derivatives()->directional_derivative(
                unknowns, knowns, seed, sensitivity);
        });
    }

private:
    Decorator& unit_;
};

class Decorator::Events final : public EventMode {
public:
    explicit Events(Decorator& unit) : unit_(unit) {}

    void enter() override {
        unit_.forwarding([&] { inner().enter(); });
        unit_.note_event_mode(true);
    }
    EventUpdate update() override {
        return unit_.forwarding([&] { return inner().update(); });
    }
    void get_intervals(std::span<const ValueRef> clocks,
                       std::span<ClockInterval> intervals) override {
        unit_.forwarding([&] { inner().get_intervals(clocks, intervals); });
    }
    void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) override {
        unit_.forwarding([&] { inner().get_shifts(clocks, shifts); });
    }
    void leave() override {
        unit_.forwarding([&] { inner().leave(); });
        unit_.note_event_mode(false);
    }

private:
    EventMode& inner() { return *unit_.inner().event_mode(); }
    Decorator& unit_;
};

Decorator::Decorator(std::unique_ptr<Unit> inner)
    : Unit(inner->name(), inner->description()), inner_(std::move(inner)),
      states_(std::make_unique<States>(*this)), derivatives_(std::make_unique<Derivatives>(*this)),
      events_(std::make_unique<Events>(*this)) {}

Decorator::~Decorator() = default;

Abilities Decorator::forwarded() noexcept {
    const Abilities inner = inner_->abilities();
    return {
        .snapshots = inner.snapshots ? states_.get() : nullptr,
        .serialized_states = inner.serialized_states ? states_.get() : nullptr,
        .input_derivatives = inner.input_derivatives ? derivatives_.get() : nullptr,
        .event_mode = inner.event_mode ? events_.get() : nullptr,
        .intermediate_outputs = inner.intermediate_outputs,
        .directional_derivatives = inner.directional_derivatives ? derivatives_.get() : nullptr,
        .solver_statistics = inner.solver_statistics,
        .direct_calls = nullptr,
    };
}

void Decorator::do_enter_initialization(const Horizon& horizon) {
    forwarding([&] { inner_->enter_initialization(horizon); });
}
void Decorator::do_exit_initialization() {
    forwarding([&] { inner_->exit_initialization(); });
}
void Decorator::do_terminate() {
    forwarding([&] { inner_->terminate(); });
}
void Decorator::do_set(const Bulk& values) {
    forwarding([&] { inner_->set(values); });
}
void Decorator::do_get(const Bulk& values) {
    forwarding([&] { inner_->get(values); });
}
StepResult Decorator::do_step(Time from, Duration by) {
    return forwarding([&] { return inner_->step(from, by); });
}
void Decorator::do_save(std::uint32_t slot) {
    forwarding([&] { inner_->snapshots()->save(slot); });
}
void Decorator::do_restore(std::uint32_t slot) {
    forwarding([&] { inner_->snapshots()->restore(slot); });
}
void Decorator::do_release(std::uint32_t slot) { inner_->snapshots()->release(slot); }
void Decorator::do_serialize(std::uint32_t slot, std::vector<std::byte>& bytes) {
    inner_->serialized_states()->serialize(slot, bytes);
}
void Decorator::do_deserialize(std::uint32_t slot, std::span<const std::byte> bytes) {
    inner_->serialized_states()->deserialize(slot, bytes);
}

} // namespace rubato::unit
