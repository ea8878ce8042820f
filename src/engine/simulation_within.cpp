// SPDX-License-Identifier: Apache-2.0
#include "simulation_parts.hpp"

// What a simulation does as a unit of another one.

namespace rubato::engine {

void Simulation::take_inputs_from(ExternalInputs& inputs) {
    implementation_->executor.take_inputs_from(&inputs);
}

void Simulation::enter_initialization() {
    implementation_->call_units([&] { implementation_->enter_initialization(); });
}

void Simulation::solve_initialization() {
    implementation_->call_units([&] { implementation_->solve_initialization(); });
}

void Simulation::propagate() {
    implementation_->call_units([&] { implementation_->propagate(); });
}

void Simulation::begin_span(Time from, Duration by) {
    implementation_->driver.begin_span(from, by);
}

unit::StepResult Simulation::advance() {
    unit::StepResult result;
    implementation_->call_units([&] { result = implementation_->advance(); });
    return result;
}

bool Simulation::is_near(Time start) const {
    return time() - start <= implementation_->driver.grid().shortest();
}

bool Simulation::handle_events() {
    bool proceeds = true;
    implementation_->call_units(
        [&] { proceeds = implementation_->driver.handle_events() == Flow::proceed; });
    return proceeds;
}

void Simulation::exit_initialization() {
    implementation_->call_units([&] { implementation_->exit_initialization(); });
}

void Simulation::begin_event() {
    implementation_->call_units([&] { implementation_->driver.begin_event(); });
}

void Simulation::exchange_at_event() {
    implementation_->call_units([&] { implementation_->events->exchange(); });
}

unit::EventUpdate Simulation::end_instant() {
    unit::EventUpdate update;
    implementation_->call_units([&] { update = implementation_->events->end_instant(); });
    return update;
}

void Simulation::end_event() {
    implementation_->call_units([&] { implementation_->end_event(); });
}

void Simulation::terminate() {
    implementation_->call_units([&] {
        const Time now = implementation_->driver.now();
        unit::note_time(now.seconds);
        for (const auto& each : implementation_->units) {
            each->stand_at(now); // direct calls pass by the unit
            each->terminate();
        }
    });
}

std::span<const Column> Simulation::observe() {
    implementation_->call_units([&] { implementation_->executor.observe(); });
    return implementation_->compiled.columns;
}

} // namespace rubato::engine
