// SPDX-License-Identifier: Apache-2.0
#include "simulation_parts.hpp"

#include <rubato/core/bytes.hpp>

#include <algorithm>
#include <stdexcept>

namespace rubato::engine {

Simulation::Simulation(scenario::System system, const algorithm::Algorithm& algorithm,
                       std::vector<std::unique_ptr<unit::Unit>> units,
                       const scenario::Experiment& experiment, Log& log, SimulationOptions options)
    : implementation_(std::make_unique<Implementation>(
          std::move(system), algorithm, std::move(units), experiment, log, std::move(options))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::initialize() {
    begin_initialization();
    end_initialization();
}

void Simulation::begin_initialization() {
    enter_initialization();
    solve_initialization();
}

void Simulation::end_initialization() {
    Implementation& self = *implementation_;
    self.call_units([&] {
        self.exit_initialization();
        self.driver.handle_first_events();
        self.start();
    });
}

void Simulation::step() {
    if (implementation_->driver.is_at_end())
        throw std::logic_error("Simulation::step: the stop time is reached");
    Implementation& self = *implementation_;
    self.call_units([&] {
        if (self.step() == Flow::proceed && self.driver.has_events())
            (void)self.driver.handle_events();
    });
}

Summary Simulation::run(const Observation& wanted) {
    Implementation& self = *implementation_;
    Observation observation = wanted;
    initialize();
    if (observation.interval)
        self.recording_times = RecordingTimes(self.horizon.start, *observation.interval,
                                              self.driver.grid().shortest());
    if (observation.points) observation.points->assign(1, self.driver.now());
    self.look_into_steps(observation);
    self.begin_recording(observation);
    if (EventSearch* const search = self.driver.event_search())
        search->report_to(observation.recorder);
    try {
        self.record(observation);
        self.end_point();
        if (observation.pacing) observation.pacing->begin(self.driver.now());
        self.summary.end =
            self.summary.ended_by.empty() ? self.run_to_end(observation) : RunEnd::terminated;
        terminate();
    } catch (...) {
        self.fail_recording(observation);
    }
    self.call_units([&] {
        if (observation.recorder) observation.recorder->end();
        self.conclude_summary();
    });
    return self.summary;
}

SavedRun Simulation::save() {
    SavedRun saved = empty_run();
    save(saved);
    return saved;
}

SavedRun Simulation::empty_run() {
    Implementation& self = *implementation_;
    self.let_units_be_saved();
    const auto slots = self.compiled.plan->slots;
    SavedRun saved;
    saved.owner_ = &self;
    saved.slot_ = {new std::uint32_t(slots->take()), [slots](const std::uint32_t* slot) {
                       slots->give_back(*slot);
                       delete slot;
                   }};
    return saved;
}

void Simulation::save(SavedRun& over) {
    Implementation& self = *implementation_;
    if (over.owner_ != &self)
        throw std::logic_error("Simulation::save: the saved run is of another simulation");
    unit::calling_units([&] {
        for (const auto& each : self.units) each->snapshots()->save(*over.slot_);
    });
    over.time_ = self.driver.now();
    auto archive = StateArchive::saving(over.state_);
    self.visit_state(archive);
}

void Simulation::restore(const SavedRun& saved) {
    Implementation& self = *implementation_;
    if (saved.owner_ != &self)
        throw std::logic_error("Simulation::restore: the saved run is of another simulation");
    unit::calling_units([&] {
        for (const auto& each : self.units) each->snapshots()->restore(*saved.slot_);
    });
    auto archive = StateArchive::restoring(saved.state_);
    self.visit_state(archive);
    self.done.store(self.driver.now().seconds, std::memory_order_relaxed);
}

void Simulation::release(const SavedRun& saved) {
    unit::calling_units([&] {
        for (const auto& each : implementation_->units) each->snapshots()->release(*saved.slot_);
    });
}

void Simulation::serialize(const SavedRun& saved, std::vector<std::byte>& bytes) {
    ByteWriter writer(bytes);
    writer.put(saved.time_);
    writer.put_all(std::span<const std::byte>(saved.state_));
    unit::calling_units([&] {
        for (const auto& each : implementation_->units)
            writer.put_part([&](std::vector<std::byte>& to) {
                each->serialized_states()->serialize(*saved.slot_, to);
            });
    });
}

SavedRun Simulation::deserialize(std::span<const std::byte> bytes) {
    ByteReader reader(bytes);
    SavedRun saved = empty_run();
    saved.time_ = reader.take<Time>();
    saved.state_ = reader.take_all<std::byte>();
    unit::calling_units([&] {
        for (const auto& each : implementation_->units)
            each->serialized_states()->deserialize(*saved.slot_, reader.take_part());
    });
    reader.require_end();
    return saved;
}

Time Simulation::time() const { return implementation_->driver.now(); }

bool Simulation::has_ended() const { return implementation_->driver.is_at_end(); }

const Summary& Simulation::summary() const { return implementation_->summary; }

Trust Simulation::trust() const {
    const TrustMeter* const meter = implementation_->driver.trust_meter();
    return meter ? meter->report() : Trust{};
}

double Simulation::progress() const {
    const Grid& grid = implementation_->driver.grid();
    const double done =
        implementation_->done.load(std::memory_order_relaxed) - grid.start().seconds;
    return std::max(0.0, done / (grid.stop() - grid.start()).seconds);
}

const scenario::System& Simulation::system() const { return implementation_->system; }

unit::Unit& Simulation::unit(UnitId id) const { return *implementation_->units[id.value]; }

} // namespace rubato::engine
