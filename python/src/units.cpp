// SPDX-License-Identifier: Apache-2.0
#include "units.hpp"

#include <rubato/private/format.hpp>
#include <rubato/scenario/words.hpp>
#include <rubato/unit/unit.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cmath>

// A model is an object of Python (rubato/_units.py, class Model): `variables` says what its units
// have, `make()` gives a new object, class Instance, which C++ calls with the values of all inputs
// and which answers with those of all outputs. Values are kept here, so that the GIL is needed only
// where the model computes.

namespace rubato::python {

namespace {

using scenario::Causality;
using scenario::UnitDescription;
using scenario::Variability;
using scenario::Variable;

/// What an exception of Python says on its last line: "ValueError: no".
std::string text_of(const nb::python_error& error) {
    std::string type = nb::cast<std::string>(error.type().attr("__name__"));
    std::string text = nb::cast<std::string>(nb::str(error.value()));
    return text.empty() ? type : type + ": " + text;
}

template <class T>
T word(const nb::handle& text) {
    return scenario::find_word<T>(nb::cast<std::string>(text)).value();
}

ValueType type_of(const std::string& name) {
    if (name == "float") return ValueType::float64;
    if (name == "int") return ValueType::int64;
    return name == "bool" ? ValueType::boolean : ValueType::string;
}

/// What Model.description() gives.
UnitDescription read_description(const nb::object& model) {
    UnitDescription description;
    description.model = nb::cast<std::string>(model.attr("name"));
    description.kind = "Python";
    description.source = description.model;
    description.description = nb::cast<std::string>(model.attr("documentation"));
    description.capabilities.variable_step = true;
    description.capabilities.snapshots = nb::cast<bool>(model.attr("can_save"));
    description.capabilities.may_reject_step = nb::cast<bool>(model.attr("can_reject_step"));
    description.capabilities.may_return_early = description.capabilities.may_reject_step;
    description.capabilities.event_mode = nb::cast<bool>(model.attr("has_events"));
    for (nb::handle each : model.attr("variables")) {
        Variable variable;
        variable.name = nb::cast<std::string>(each.attr("name"));
        variable.type = type_of(nb::cast<std::string>(each.attr("type")));
        variable.causality = word<Causality>(each.attr("causality"));
        const bool is_parameter = variable.causality == Causality::parameter;
        const bool is_real = variable.type == ValueType::float64;
        variable.variability = is_parameter ? Variability::fixed
                               : is_real    ? Variability::continuous
                                            : Variability::discrete;
        variable.unit = nb::cast<std::string>(each.attr("unit"));
        if (!variable.unit.empty()) variable.measure = find_measure(variable.unit);
        variable.start = value_of(each.attr("start"));
        if (variable.causality == Causality::output)
            variable.initial = nb::cast<bool>(model.attr("initializes"))
                                   ? scenario::Initial::calculated
                                   : scenario::Initial::exact;
        variable.reference = static_cast<ValueRef>(description.variables.size());
        description.variables.push_back(std::move(variable));
    }
    const auto feedthrough =
        nb::cast<std::vector<std::vector<std::uint32_t>>>(model.attr("feedthrough"));
    const auto initial =
        nb::cast<std::vector<std::vector<std::uint32_t>>>(model.attr("feedthrough_initial"));
    std::size_t o = 0;
    for (const Variable& variable : description.variables) {
        if (variable.causality != Causality::output) continue;
        description.dependencies.push_back({variable.reference, feedthrough[o], initial[o]});
        ++o;
    }
    return description;
}

/// Unit and Instance of Python. Inputs go to Python before it computes, outputs come back after.
class PythonUnit final : public unit::Unit, private unit::Snapshots, private unit::EventMode {
public:
    /// With the GIL.
    PythonUnit(const std::string& name, const UnitDescription& description, const nb::object& model)
        : Unit(name, description), model_(model) {
        for (const Variable& variable : description.variables) {
            values_.push_back(*variable.start);
            if (variable.causality == Causality::output) outputs_.push_back(variable.reference);
        }
        has_feedthrough_ = nb::cast<bool>(model.attr("has_outputs"));
    }

    unit::Abilities abilities() noexcept override {
        unit::Abilities abilities = unit::Abilities::none();
        if (description().capabilities.snapshots) abilities.snapshots = this;
        if (description().capabilities.event_mode) abilities.event_mode = this;
        return abilities;
    }

private:
    /// What a slot holds.
    struct State {
        std::vector<Value> values;
        bool is_stale = false;
        std::optional<Held> object;
    };

    void save(std::uint32_t slot) override {
        require(Call::save);
        if (slot >= saved_.size()) saved_.resize(slot + std::size_t{1});
        State& state = saved_[slot];
        state.values = values_;
        state.is_stale = is_stale_;
        calling("save", [&] {
            state.object.reset();
            if (instance_) state.object.emplace(nb::object(instance_->get().attr("save")()));
        });
        note_saved(slot);
    }
    void restore(std::uint32_t slot) override {
        require(Call::restore);
        const State& state = saved_.at(slot);
        values_ = state.values;
        is_stale_ = state.is_stale;
        calling("restore", [&] {
            if (!state.object)
                instance_.reset(); // it is made when it is needed
            else
                instance_->get().attr("restore")(state.object->get());
        });
        recover();
        note_restored(slot);
    }

    void enter() override {
        require(Call::enter_event_mode);
        note_event_mode(true);
    }
    unit::EventUpdate update() override {
        require(Call::update);
        std::optional<double> next;
        calling("event", [&] {
            const nb::tuple answer =
                nb::cast<nb::tuple>(instance_->get().attr("event")(time().seconds, values_));
            if (!answer[0].is_none()) next = nb::cast<double>(answer[0]);
            take(nb::object(answer[1]));
        });
        is_stale_ = false;
        if (!next) return {};
        if (!(*next > time().seconds) || !std::isfinite(*next))
            fail("event",
                 format("it announced the next event at t = {} s, which is not later", *next),
                 "return the time of the next event, or None");
        return {.next_event = Time{*next}};
    }
    void leave() override {
        require(Call::leave_event_mode);
        note_event_mode(false);
    }
    void get_intervals(std::span<const ValueRef>, std::span<unit::ClockInterval>) override {}
    void get_shifts(std::span<const ValueRef>, std::span<Duration>) override {}

    void do_enter_initialization(const unit::Horizon& horizon) override {
        start_ = horizon.start;
        is_stale_ = true;
    }
    void do_exit_initialization() override { compute_outputs(); }
    void do_terminate() override {}

    void do_set(const Bulk& bulk) override {
        with_type_of(storage_of(bulk.type), [&]<class T>() {
            bulk.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t) {
                values_[reference] = bulk.as<T>()[first];
            });
        });
        is_stale_ = true;
    }
    void do_get(const Bulk& bulk) override {
        if (phase() == unit::Phase::initializing || has_feedthrough_) compute_outputs();
        with_type_of(storage_of(bulk.type), [&]<class T>() {
            bulk.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t) {
                bulk.as<T>()[first] = std::get<T>(values_[reference]);
            });
        });
    }

    /// Computes outputs anew if an input has changed since.
    void compute_outputs() {
        if (!is_stale_) return;
        is_stale_ = false;
        if (phase() == unit::Phase::initializing) {
            calling("initialize", [&] {
                instance_.emplace(model_.get().attr("make")());
                take(instance_->get().attr("initialize")(start_.seconds, values_));
            });
        } else if (has_feedthrough_) {
            calling("outputs",
                    [&] { take(instance_->get().attr("update")(time().seconds, values_)); });
        }
    }

    unit::StepResult do_step(Time from, Duration by) override {
        double reached = 0;
        calling("step", [&] {
            const nb::tuple answer = nb::cast<nb::tuple>(
                instance_->get().attr("step")(from.seconds, by.seconds, values_));
            reached = nb::cast<double>(answer[0]);
            take(nb::object(answer[1]));
        });
        is_stale_ = false;
        const Time end = from + by;
        if (!(reached >= from.seconds) || reached > end.seconds)
            fail("step",
                 format("it returned the time {}, which is not within the step from {} to "
                        "{} s",
                        reached, from.seconds, end.seconds),
                 "return nothing, or the time that was reached");
        if (reached == end.seconds) return {end, unit::StepEnd::completed};
        const bool is_event = description().capabilities.event_mode;
        return {Time{reached}, is_event ? unit::StepEnd::event : unit::StepEnd::rejected};
    }

    /// The outputs from Python.
    void take(const nb::object& list) {
        std::size_t o = 0;
        for (nb::handle each : list) {
            const Variable& output = description().variables[outputs_[o++]];
            values_[output.reference] = checked(each, output);
        }
    }

    Value checked(nb::handle object, const Variable& output) {
        const char* const expected = output.type == ValueType::float64   ? "a number"
                                     : output.type == ValueType::int64   ? "an int"
                                     : output.type == ValueType::boolean ? "a bool"
                                                                         : "a str";
        try {
            switch (storage_of(output.type)) {
            case Storage::real: return finite(nb::cast<double>(object), output);
            case Storage::integer: return nb::cast<std::int64_t>(object);
            case Storage::boolean: return nb::cast<bool>(object);
            case Storage::string: return nb::cast<std::string>(object);
            }
        } catch (const nb::cast_error&) {
        }
        fail("step",
             format("its output \"{}\" is {}, not {}", output.name,
                    nb::cast<std::string>(nb::repr(object)), expected),
             "assign a value of the annotated type");
    }

    double finite(double value, const Variable& output) {
        if (std::isfinite(value)) return value;
        fail("step", format("its output \"{}\" is {}", output.name, value),
             "a value that others use must be finite");
    }

    /// Calls Python; what that raises ends the run.
    template <class Body>
    void calling(const char* call, Body&& body) {
        const nb::gil_scoped_acquire gil;
        try {
            body();
        } catch (nb::python_error& error) {
            note_fault();
            const std::string message = format("unit \"{}\" failed in {} at t = {} s: {}", name(),
                                               call, time().seconds, text_of(error));
            nb::object cause = nb::borrow(error.value());
            if (error.traceback().is_valid())
                PyException_SetTraceback(cause.ptr(), error.traceback().ptr());
            throw PythonUnitError(message, name(), time().seconds, Held(std::move(cause)));
        }
    }

    Held model_;
    std::optional<Held> instance_;
    std::vector<Value> values_; ///< of all variables
    std::vector<ValueRef> outputs_;
    std::vector<State> saved_; ///< by slot
    Time start_;
    bool is_stale_ = true; ///< an input has changed since outputs were computed
    bool has_feedthrough_ = false;
};

class PythonFactory final : public unit::UnitFactory {
public:
    explicit PythonFactory(Session& session) : session_(session) {}

    bool makes(const scenario::UnitOrigin& origin) const override {
        const auto* const native = std::get_if<scenario::NativeModel>(&origin);
        return native && session_.models.contains(native->name);
    }
    const UnitDescription& describe(const scenario::Unit& unit,
                                    const std::filesystem::path&) override {
        const std::string& name = std::get<scenario::NativeModel>(unit.origin).name;
        const auto known = descriptions_.find(name);
        if (known != descriptions_.end()) return known->second;
        const nb::gil_scoped_acquire gil;
        return descriptions_.emplace(name, read_description(session_.models.at(name).get()))
            .first->second;
    }
    std::unique_ptr<unit::Unit> instantiate(const scenario::Unit& unit,
                                            const std::filesystem::path& folder) override {
        const UnitDescription& description = describe(unit, folder);
        const nb::gil_scoped_acquire gil;
        const std::string& name = std::get<scenario::NativeModel>(unit.origin).name;
        return std::make_unique<PythonUnit>(unit.name, description, session_.models.at(name).get());
    }

private:
    Session& session_;
    std::map<std::string, UnitDescription> descriptions_; ///< by the name of the model
};

} // namespace

std::unique_ptr<unit::UnitFactory> make_unit_factory(Session& session) {
    return std::make_unique<PythonFactory>(session);
}

} // namespace rubato::python
