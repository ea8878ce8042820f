// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/functions.hpp>
#include <rubato/model/member.hpp>
#include <rubato/model/model_type.hpp>

#include <concepts>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

/// A model is a trivially copyable class with
///
///   public members                                parameters, inputs, states, outputs; their
///                                                 in-class initializers are the start values
///   static void declare(Declaration<Self>& model) says which member is what
///   void derivatives(double time, Self& der) const   for each state x: der.x = …
///   void outputs(double time)                     computes outputs and locals from the other
///                                                 members; only if there are such
///   double longest_step(double time) const        how long a step [s] it can make from here; only
///                                                 if it limits its steps
///   std::array<double, N> crossings(double time) const
///                                                 N values; an event when one crosses zero
///   double next_event(double time) const          when time alone brings about the next event
///   void event(double time)                       changes discrete members and states
///   void variations(double time, const Self& d, Self& result) const
///                                                 partial derivatives, multiplied by d
///
/// where `time` may be left out, and one line `RUBATO_MODEL(name, Class)` after it
/// (docs/how-to/write-a-model.md).
namespace rubato::model {

/// What a model's declare() fills in.
template <class Model>
class Declaration {
public:
    /// One variable, to say more about it.
    class Variable {
    public:
        /// A state or discrete variable that others may read.
        Variable& given_out() {
            entry().is_output = true;
            return *this;
        }
        /// An output that changes at once with these inputs, which stand before it.
        template <class... T>
        Variable& fed_by(T Model::*... inputs) {
            (entry().feedthrough.push_back(owner_.reference_of(inputs)), ...);
            return *this;
        }

        /// An array of which only the first elements are used: as many as the structural parameters
        /// say, multiplied, row by row.
        template <class... T>
        Variable& shaped_by(std::uint64_t Model::*first, T... others) {
            entry().shape = {};
            entry().sizes = {offset_of(first), offset_of(others)...};
            return *this;
        }

        /// The names of an enumeration's values, which count from 1.
        Variable& items(const std::vector<std::string>& names) {
            entry().items = names;
            return *this;
        }

        /// A variable that changes only when one of these clocks ticks, which stand before it.
        Variable& clocked_by(std::same_as<bool Model::*> auto... clocks) {
            (entry().clocks.push_back(owner_.clock_of(clocks)), ...);
            return *this;
        }

        /// A clock whose intervals are whole parts of a second, so many of them: they are rounded
        /// to these, and its ticks are counted in them.
        Variable& counted_in(std::uint64_t parts_of_a_second) {
            if (!entry().clock || !entry().interval || parts_of_a_second == 0)
                throw std::logic_error("model \"" + owner_.type_.name + "\": \"" + entry().name +
                                       "\" is counted in parts of a second, but is no clock whose "
                                       "interval is a member");
            entry().resolution = parts_of_a_second;
            entry().clock->gives_fractions = true;
            return *this;
        }

        /// A state whose derivative depends on no states and inputs but these.
        Variable& driven_by(double Model::*first, std::same_as<double Model::*> auto... others) {
            entry().driven_by = {offset_of(first), offset_of(others)...};
            return *this;
        }

    private:
        friend class Declaration;
        Variable(Declaration& owner, std::size_t index) : owner_(owner), index_(index) {}
        VariableType& entry() { return owner_.type_.variables[index_]; }
        Declaration& owner_;
        std::size_t index_;
    };

    /// Made by RUBATO_MODEL.
    explicit Declaration(ModelType& type) : type_(type) {}

    /// Events are to be handled together with those of other units: steps end at them. A model
    /// with clocks need not say so.
    void event_mode() { type_.event_mode = true; }

    /// What the model is, in a sentence.
    void description(std::string text) { type_.description = std::move(text); }
    /// What a new instance solves with, and its largest inner step [s] (0: the whole step).
    void solver(Solver solver, double inner_step = 0) {
        type_.solver = solver;
        type_.inner_step = inner_step;
    }
    /// What the model suggests for its simulation.
    void experiment(Experiment experiment) { type_.experiment = experiment; }

    /// A value that is set before the simulation. Here and below: the member, its name, its unit of
    /// measure (empty: none) and what it is.
    template <class T>
    Variable parameter(T Model::*member, std::string name, std::string unit, std::string text) {
        return add(member, Role::parameter, std::move(name), std::move(unit), std::move(text));
    }
    /// A parameter that sets the sizes of arrays; to be declared before them.
    Variable structural(std::uint64_t Model::*member, std::string name, std::string text) {
        return add(member, Role::structural, std::move(name), {}, std::move(text));
    }
    /// A value that others set during the simulation.
    template <class T>
    Variable input(T Model::*member, std::string name, std::string unit, std::string text) {
        return add(member, Role::input, std::move(name), std::move(unit), std::move(text));
    }
    /// A value that outputs() computes for others.
    template <class T>
    Variable output(T Model::*member, std::string name, std::string unit, std::string text) {
        return add(member, Role::output, std::move(name), std::move(unit), std::move(text));
    }
    /// A value that outputs() computes, to be looked at only.
    template <class T>
    Variable local(T Model::*member, std::string name, std::string unit, std::string text) {
        return add(member, Role::local, std::move(name), std::move(unit), std::move(text));
    }
    /// A double, or an array of them, whose derivative derivatives() computes.
    template <class T>
    Variable state(T Model::*member, std::string name, std::string unit, std::string text) {
        static_assert(std::same_as<typename Member<T>::Element, double>, "a state is a double");
        return add(member, Role::state, std::move(name), std::move(unit), std::move(text));
    }
    /// A value that changes at events only.
    template <class T>
    Variable discrete(T Model::*member, std::string name, std::string unit, std::string text) {
        return add(member, Role::discrete, std::move(name), std::move(unit), std::move(text));
    }

    // Clocks are true while they tick; event() looks at them.

    /// Ticks at start + shift + n·interval. With a resolution the counters say how long these are.
    Variable periodic_clock(bool Model::*member, std::string name, ClockPeriod period,
                            std::string text) {
        const auto parts = static_cast<double>(period.resolution);
        if (period.resolution != 0) {
            period.interval = static_cast<double>(period.interval_counter) / parts;
            period.shift = static_cast<double>(period.shift_counter) / parts;
        }
        return add_clock(member, {ClockKind::constant, period, period.resolution != 0},
                         std::move(name), std::move(text));
    }
    /// The same; the interval is a parameter [s].
    Variable periodic_clock(bool Model::*member, std::string name, double Model::*interval,
                            std::string text) {
        return add_timed_clock(member, ClockKind::fixed, std::move(name), interval,
                               std::move(text));
    }
    /// The same; the interval is a member that event() may change, or whoever runs the model: the
    /// next tick then comes so long after the change.
    Variable tunable_clock(bool Model::*member, std::string name, double Model::*interval,
                           std::string text) {
        return add_timed_clock(member, ClockKind::tunable, std::move(name), interval,
                               std::move(text));
    }
    /// `interval` [s] is the time to the first tick and, after each tick, to the next.
    Variable changing_clock(bool Model::*member, std::string name, double Model::*interval,
                            std::string text) {
        return add_timed_clock(member, ClockKind::changing, std::move(name), interval,
                               std::move(text));
    }
    /// Ticks once, `countdown` [s] after event() or a start value has set it to 0 or more. The kit
    /// makes it negative when it has taken notice.
    Variable countdown_clock(bool Model::*member, std::string name, double Model::*countdown,
                             std::string text) {
        return add_timed_clock(member, ClockKind::countdown, std::move(name), countdown,
                               std::move(text));
    }
    /// Ticks when another unit says so.
    Variable triggered_clock(bool Model::*member, std::string name, std::string text) {
        return add_clock(member, {ClockKind::triggered, {}, false}, std::move(name),
                         std::move(text));
    }
    /// Ticks when event() sets it.
    Variable output_clock(bool Model::*member, std::string name, std::string text) {
        Variable clock =
            add_clock(member, {ClockKind::triggered, {}, false}, std::move(name), std::move(text));
        return clock.given_out();
    }

private:
    Variable add_clock(bool Model::*member, ClockAttributes attributes, std::string name,
                       std::string text) {
        Variable clock = add(member, Role::clock, std::move(name), "", std::move(text));
        clock.entry().type = ValueType::clock;
        clock.entry().clock = attributes;
        type_.event_mode = true;
        return clock;
    }
    Variable add_timed_clock(bool Model::*member, ClockKind kind, std::string name,
                             double Model::*interval, std::string text) {
        Variable clock = add_clock(member, {kind, {}, false}, std::move(name), std::move(text));
        clock.entry().interval = offset_of(interval);
        return clock;
    }

    template <class T>
    static std::uint32_t offset_of(T Model::*member) {
        static const Model probe{};
        const auto* const start = reinterpret_cast<const std::byte*>(&probe);
        return static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(&(probe.*member)) -
                                          start);
    }

    template <class T>
    Variable add(T Model::*member, Role role, std::string name, std::string unit,
                 std::string text) {
        VariableType variable;
        variable.name = std::move(name);
        using Element = typename Member<T>::Element;
        variable.type = value_type_of<Element>();
        variable.stride = sizeof(Element);
        variable.capacity = Member<T>::count;
        Member<T>::add_shape(variable.shape);
        variable.role = role;
        variable.is_output = role == Role::output;
        variable.offset = offset_of(member);
        variable.unit = std::move(unit);
        variable.description = std::move(text);
        type_.variables.push_back(std::move(variable));
        return {*this, type_.variables.size() - 1};
    }

    template <class T>
    ValueRef reference_of(T Model::*input) const {
        return find(offset_of(input), Role::input,
                    "fed_by() names a member that is not declared as an input");
    }
    ValueRef clock_of(bool Model::*clock) const {
        return find(offset_of(clock), Role::clock,
                    "clocked_by() names a member that is not declared as a clock");
    }
    ValueRef find(std::uint32_t offset, Role role, const char* otherwise) const {
        for (std::size_t i = 0; i < type_.variables.size(); ++i)
            if (type_.variables[i].offset == offset && type_.variables[i].role == role)
                return static_cast<ValueRef>(i);
        throw std::logic_error("model \"" + type_.name + "\": " + otherwise + " before it");
    }

    ModelType& type_;
};

/// What the model watches for events, with or without the time.
template <class Model>
auto crossings_of(const Model& model, [[maybe_unused]] double time) {
    if constexpr (HasTimedCrossings<Model>)
        return model.crossings(time);
    else
        return model.crossings();
}

/// The functions of a model that has events.
template <class Model>
void add_events(ModelType& type) {
    if constexpr (HasCrossings<Model>) {
        type.crossing_count = std::tuple_size_v<decltype(crossings_of(Model{}, 0.0))>;
        type.crossings = [](const void* self, double time, double* values) {
            for (const double value : crossings_of(*static_cast<const Model*>(self), time))
                *values++ = value;
        };
    }
    if constexpr (HasNextEvent<Model>)
        type.next_event = [](const void* self, [[maybe_unused]] double time) {
            if constexpr (HasTimedNextEvent<Model>)
                return static_cast<const Model*>(self)->next_event(time);
            else
                return static_cast<const Model*>(self)->next_event();
        };
    if constexpr (HasEvent<Model>)
        type.event = [](void* self, [[maybe_unused]] double time) {
            if constexpr (HasTimedEvent<Model>)
                static_cast<Model*>(self)->event(time);
            else
                static_cast<Model*>(self)->event();
        };
}

/// The model class with its type erased.
template <class Model>
ModelType make_model_type(std::string name) {
    static_assert(std::is_trivially_copyable_v<Model>, "states are saved by copying bytes");
    ModelType type;
    type.name = std::move(name);
    Declaration<Model> declaration(type);
    Model::declare(declaration);
    type.size = sizeof(Model);
    type.alignment = alignof(Model);
    type.construct = [](void* self) { new (self) Model(); };
    if constexpr (HasDerivatives<Model>)
        type.derivatives = [](const void* self, [[maybe_unused]] double time, void* der) {
            const auto& model = *static_cast<const Model*>(self);
            if constexpr (HasTimedDerivatives<Model>)
                model.derivatives(time, *static_cast<Model*>(der));
            else
                model.derivatives(*static_cast<Model*>(der));
        };
    if constexpr (HasOutputs<Model>)
        type.outputs = [](void* self, [[maybe_unused]] double time) {
            if constexpr (HasTimedOutputs<Model>)
                static_cast<Model*>(self)->outputs(time);
            else
                static_cast<Model*>(self)->outputs();
        };
    type.outputs_depend_on_time = HasTimedOutputs<Model>;
    type.derivatives_depend_on_time = HasTimedDerivatives<Model>;
    if constexpr (HasLongestStep<Model>)
        type.longest_step = [](const void* self, [[maybe_unused]] double time) {
            if constexpr (HasTimedLongestStep<Model>)
                return static_cast<const Model*>(self)->longest_step(time);
            else
                return static_cast<const Model*>(self)->longest_step();
        };
    if constexpr (HasVariations<Model>)
        type.variations = [](const void* self, [[maybe_unused]] double time, const void* variation,
                             void* result) {
            const auto& model = *static_cast<const Model*>(self);
            const auto& d = *static_cast<const Model*>(variation);
            if constexpr (HasTimedVariations<Model>)
                model.variations(time, d, *static_cast<Model*>(result));
            else
                model.variations(d, *static_cast<Model*>(result));
        };
    add_events<Model>(type);
    complete(type);
    return type;
}

} // namespace rubato::model

/// Makes a model class known under the name that rubato_add_model() builds it by.
#define RUBATO_MODEL(name, Class)                                                                  \
    const rubato::model::ModelType& rubato_model_##name();                                         \
    const rubato::model::ModelType& rubato_model_##name() {                                        \
        static const auto type = rubato::model::make_model_type<Class>(#name);                     \
        return type;                                                                               \
    }
