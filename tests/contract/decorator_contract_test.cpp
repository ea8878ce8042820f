// SPDX-License-Identifier: Apache-2.0

/// What a unit around another must pass on: every optional ability, whatever is inside, bit by bit.

#include "composite_form.hpp"
#include "driven.hpp"
#include "support/model_unit.hpp"

#include <rubato/unit/decorator.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace rubato::unit {
namespace {

using scenario::Causality;

/// Uses a unit and notes what it gives, to be compared bit by bit.
class Usage {
public:
    explicit Usage(std::shared_ptr<Unit> unit) : unit_(std::move(unit)) {
        for (const scenario::Variable& variable : unit_->description().variables) {
            const bool is_plain = variable.type == ValueType::float64 && variable.clocks.empty() &&
                                  !variable.is_array() && !variable.derivative_of;
            if (!is_plain) continue;
            if (variable.causality == Causality::input) inputs_.push_back(variable.reference);
            if (variable.causality == Causality::output) outputs_.push_back(variable.reference);
        }
    }

    Unit* operator->() const { return unit_.get(); }
    std::span<const ValueRef> inputs() const { return inputs_; }
    std::span<const ValueRef> outputs() const { return outputs_; }
    std::vector<double>& trace() { return trace_; }

    void begin_initialization() {
        unit_->enter_initialization({.start = {0}, .stop = Time{10}, .tolerance = {}});
        set_inputs();
    }
    void initialize() {
        begin_initialization();
        unit_->exit_initialization();
        if (unit_->event_mode()) leave_event_mode();
        note_outputs();
    }
    void set_inputs() {
        std::vector<double> values;
        for (const ValueRef input : inputs_) values.push_back(std::sin(3 * now_.seconds + input));
        if (!values.empty())
            unit_->set({ValueType::float64, inputs_, values.data(), values.size()});
    }
    /// Handles an event wherever a step ends.
    void step() {
        set_inputs();
        const StepResult result = unit_->step(now_, {step_size});
        now_ = result.reached;
        note(now_.seconds);
        note(static_cast<double>(result.end));
        note_outputs();
        if (!unit_->event_mode()) return;
        unit_->event_mode()->enter();
        leave_event_mode();
        note_outputs();
    }
    void go_back_to(Time time) { now_ = time; }
    Time now() const { return now_; }
    void note(double value) { trace_.push_back(value); }
    void note(std::span<const double> values) {
        trace_.insert(trace_.end(), values.begin(), values.end());
    }

private:
    void leave_event_mode() {
        EventMode& events = *unit_->event_mode();
        EventUpdate update;
        do {
            update = events.update();
            note(update.again);
            note(update.terminate);
            note(update.next_event.value_or(Time{-1}).seconds);
        } while (update.again);
        events.leave();
    }
    void note_outputs() {
        std::vector<double> values(outputs_.size());
        if (!values.empty())
            unit_->get({ValueType::float64, outputs_, values.data(), values.size()});
        note(values);
    }

    std::shared_ptr<Unit> unit_;
    std::vector<ValueRef> inputs_, outputs_;
    Time now_;
    std::vector<double> trace_;
};

void use_snapshots(Usage& unit) {
    unit.initialize();
    unit.step();
    unit->snapshots()->save(0);
    const Time saved = unit.now();
    for (int i = 0; i < 3; ++i) unit.step();
    unit->snapshots()->restore(0);
    unit.go_back_to(saved);
    for (int i = 0; i < 3; ++i) unit.step();
    unit->snapshots()->release(0);
    unit.step();
}

void use_input_derivatives(Usage& unit) {
    unit.initialize();
    InputDerivatives& derivatives = *unit->input_derivatives();
    unit.note(derivatives.max_order());
    for (int i = 0; i < 4; ++i) {
        for (unsigned order = 1; order <= derivatives.max_order() && order <= 2; ++order) {
            const std::vector<double> values(unit.inputs().size(), 0.7 / (order + i));
            derivatives.set(unit.inputs(), order, values);
        }
        unit.step();
    }
}

void use_event_mode(Usage& unit) {
    std::vector<ValueRef> timed, periodic;
    for (const scenario::Variable& variable : unit->description().variables) {
        if (!variable.clock || variable.causality != Causality::input) continue;
        if (is_timed(variable.clock->kind)) timed.push_back(variable.reference);
        if (is_periodic(variable.clock->kind)) periodic.push_back(variable.reference);
    }
    unit.begin_initialization();
    std::vector<ClockInterval> intervals(timed.size());
    unit->event_mode()->get_intervals(timed, intervals);
    for (const ClockInterval& interval : intervals) {
        unit.note(static_cast<double>(interval.kind));
        unit.note(interval.interval.seconds);
        unit.note(static_cast<double>(interval.counter));
        unit.note(static_cast<double>(interval.resolution));
    }
    std::vector<Duration> shifts(periodic.size());
    unit->event_mode()->get_shifts(periodic, shifts);
    for (const Duration shift : shifts) unit.note(shift.seconds);
    unit->exit_initialization();
    (void)unit->event_mode()->update();
    unit->event_mode()->leave();
    for (int i = 0; i < 8; ++i) unit.step();
}

void use_intermediate_outputs(Usage& unit) {
    std::vector<ValueRef> told;
    IntermediateOutputs& within = *unit->intermediate_outputs();
    for (const scenario::Variable& variable : unit->description().variables)
        if (variable.causality == Causality::output && within.provides(variable))
            told.push_back(variable.reference);
    unit.note(within.provides_events());
    unit.initialize();
    within.sample(told, 5);
    for (int i = 0; i < 4; ++i) {
        unit.step();
        const InnerSamples& samples = within.samples();
        for (std::size_t sample = 0; sample < samples.count(); ++sample) {
            unit.note(samples.time(sample).seconds);
            unit.note(samples.values(sample));
        }
    }
}

/// ∂outputs/∂inputs · (1, 2, …), while it initializes and between steps.
void use_directional_derivatives(Usage& unit) {
    std::vector<double> seed;
    for (std::size_t i = 0; i < unit.inputs().size(); ++i)
        seed.push_back(1. + static_cast<double>(i));
    const auto ask = [&] {
        std::vector<double> result(unit.outputs().size(), -1);
        EXPECT_EQ(unit->directional_derivatives()->directional_derivative(
                      unit.outputs(), unit.inputs(), seed, result),
                  Evaluation::done);
        unit.note(result);
    };
    unit.begin_initialization();
    ask();
    unit->exit_initialization();
    if (unit->event_mode()) return;
    unit.step();
    ask();
}

void use_solver_statistics(Usage& unit) {
    unit.initialize();
    for (int i = 0; i < 4; ++i) unit.step();
    const SolverStatistics& done = *unit->solver_statistics();
    for (const std::uint64_t count :
         {done.steps, done.evaluations, done.jacobians, done.state_events, done.time_events,
          done.step_events, done.input_events})
        unit.note(static_cast<double>(count));
}

/// An ability that a unit may lack. A new one gets a row here; `direct_calls` have none: they are
/// the way past a decorator.
struct AbilityRow {
    const char* name;
    bool (*has)(Unit& unit);
    void (*use)(Usage& unit);
    bool comes_with_sub_steps; ///< sub-stepping has it, whatever is inside, and in its own way
};
constexpr AbilityRow ability_rows[] = {
    {"snapshots", [](Unit& unit) { return unit.snapshots() != nullptr; }, use_snapshots, false},
    {"input_derivatives", [](Unit& unit) { return unit.input_derivatives() != nullptr; },
     use_input_derivatives, true},
    {"event_mode", [](Unit& unit) { return unit.event_mode() != nullptr; }, use_event_mode, false},
    {"intermediate_outputs", [](Unit& unit) { return unit.intermediate_outputs() != nullptr; },
     use_intermediate_outputs, true},
    {"directional_derivatives",
     [](Unit& unit) { return unit.directional_derivatives() != nullptr; },
     use_directional_derivatives, false},
    {"solver_statistics", [](Unit& unit) { return unit.solver_statistics() != nullptr; },
     use_solver_statistics, false},
};
// One row for each field of Abilities but the direct calls, and serialized states, which isolated
// units do not have.
static_assert(sizeof(Abilities) == (std::size(ability_rows) + 2) * sizeof(void*));

/// A decorator that changes nothing.
class Forwarding final : public Decorator {
public:
    explicit Forwarding(std::unique_ptr<Unit> inner) : Decorator(std::move(inner)) {}
    Abilities abilities() noexcept override { return forwarded(); }
};

std::unique_ptr<Unit> forwarding(std::unique_ptr<Unit> inner) {
    return std::make_unique<Forwarding>(std::move(inner));
}

/// Parameters: the form of the unit, and the model.
class DecoratorContract : public testing::TestWithParam<std::tuple<std::string, std::string>> {
protected:
    /// The unit as it is, or the only one of a scenario.
    std::shared_ptr<Unit> make(bool isolated, std::optional<int> sub_steps) {
        const std::string& form = std::get<0>(GetParam());
        if (!form.starts_with(composite_prefix)) {
            scenario::Unit unit = origin_in(form);
            if (isolated) unit.isolate.emplace();
            unit.sub_steps = sub_steps;
            return library_.instantiate(unit, "");
        }
        scenario::Unit unit = origin_in(form.substr(composite_prefix.size()));
        unit.inputs.clear(); // those of the scenario around it move
        return make_composite(unit, {.sub_steps = sub_steps, .isolate = isolated}, library_);
    }

    /// The unit in a decorator that changes nothing; within a scenario, each unit in one.
    std::shared_ptr<Unit> make_forwarding() {
        const std::string& form = std::get<0>(GetParam());
        if (!form.starts_with(composite_prefix))
            return forwarding(library_.instantiate(origin_in(form), ""));
        scenario::Unit unit = origin_in(form.substr(composite_prefix.size()));
        unit.inputs.clear();
        return make_composite(unit, {.wrap = forwarding}, library_);
    }

    scenario::Unit origin_in(const std::string& form) {
        scenario::Unit unit;
        unit.name = "it";
        unit.origin = scenario::FmuFile{std::string(KIT_FMUS) + "/" + test::folder_of(form) + "/" +
                                        std::get<1>(GetParam()) + ".fmu"};
        unit.type = test::is_model_exchange(form) ? scenario::Interface::model_exchange
                                                  : scenario::Interface::co_simulation;
        unit.inputs = quadratic_inputs(library_.describe(unit, ""));
        return unit;
    }

    static constexpr std::string_view composite_prefix = "composite_";
    Library library_{silent_log()};
};

TEST_P(DecoratorContract, HasEveryAbilityOfTheUnit) {
    const auto bare = make(false, std::nullopt);
    const auto isolated = make(true, std::nullopt);
    const auto sub_stepped = make(false, 3);
    const auto both = make(true, 3);
    const auto forwarded = make_forwarding();
    EXPECT_EQ(forwarded->direct_calls(), nullptr);
    EXPECT_EQ(forwarded->serialized_states() != nullptr, bare->serialized_states() != nullptr);
    for (const AbilityRow& ability : ability_rows) {
        const bool expected = ability.has(*bare);
        EXPECT_EQ(ability.has(*isolated), expected) << ability.name;
        EXPECT_EQ(ability.has(*forwarded), expected) << ability.name;
        const bool in_parts = expected || ability.comes_with_sub_steps;
        EXPECT_EQ(ability.has(*sub_stepped), in_parts) << ability.name;
        EXPECT_EQ(ability.has(*both), in_parts) << ability.name;
    }
}

TEST_P(DecoratorContract, EveryAbilityGivesTheSameToTheLastBit) {
    for (const AbilityRow& ability : ability_rows) {
        SCOPED_TRACE(ability.name);
        const auto trace = [&](bool isolated, std::optional<int> sub_steps) {
            Usage unit(make(isolated, sub_steps));
            ability.use(unit);
            return unit.trace();
        };
        const bool is_bare = ability.has(*make(false, std::nullopt));
        if (is_bare) {
            const std::vector<double> expected = trace(false, std::nullopt);
            EXPECT_THAT(expected, testing::Not(testing::IsEmpty()));
            EXPECT_EQ(trace(true, std::nullopt), expected);
            Usage forwarded(make_forwarding());
            ability.use(forwarded);
            EXPECT_EQ(forwarded.trace(), expected);
            // One sub-step is the whole step, but that inputs do not move within it.
            if (ability.use != use_input_derivatives) {
                EXPECT_EQ(trace(false, 1), expected);
            }
        }
        if (is_bare || ability.comes_with_sub_steps) {
            EXPECT_EQ(trace(true, 3), trace(false, 3));
        }
    }
}

TEST_P(DecoratorContract, ASerializedStateIsContinuedWithTheSameBits) {
    for (const auto& made : {make(false, std::nullopt), make(false, 3), make_forwarding()}) {
        Usage unit(made);
        if (unit->serialized_states() == nullptr) continue;
        unit.initialize();
        unit.step();
        unit->snapshots()->save(0);
        const Time saved = unit.now();
        std::vector<std::byte> bytes;
        unit->serialized_states()->serialize(0, bytes);
        const auto steps = [&] {
            unit.trace().clear();
            for (int i = 0; i < 3; ++i) unit.step();
            return unit.trace();
        };
        const std::vector<double> expected = steps();
        unit->serialized_states()->deserialize(1, bytes);
        unit->snapshots()->restore(1);
        unit.go_back_to(saved);
        EXPECT_EQ(steps(), expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, DecoratorContract,
                         testing::Combine(testing::Values("fmi1", "fmi2", "fmi3", "fmi1_me",
                                                          "fmi2_me", "fmi3_me"),
                                          testing::Values("msd1", "relay", "spring")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Composites, DecoratorContract,
                         testing::Combine(testing::Values("composite_fmi1", "composite_fmi2",
                                                          "composite_fmi3", "composite_fmi2_me",
                                                          "composite_fmi3_me"),
                                          testing::Values("msd1", "relay", "spring")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Clocked, DecoratorContract,
                         testing::Combine(testing::Values("fmi3"),
                                          testing::Values("timer_switch", "sampled_controller")),
                         name_of);

} // namespace
} // namespace rubato::unit
