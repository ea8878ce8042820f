// SPDX-License-Identifier: Apache-2.0
#include "native_unit.hpp"

#include <rubato/model/instance.hpp>

#include <exception>
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

struct Attributes {
    Causality causality;
    Variability variability;
    Initial initial;
    bool has_start;
};

Attributes attributes_of(const VariableType& variable) {
    const Variability varying = storage_of(variable.type) == Storage::real ? Variability::continuous
                                                                           : Variability::discrete;
    switch (variable.role) {
    case Role::parameter:
    case Role::solver:
    case Role::inner_step: return {Causality::parameter, Variability::fixed, Initial::exact, true};
    case Role::input:
    case Role::input_derivative: return {Causality::input, varying, Initial::unspecified, true};
    case Role::output: return {Causality::output, varying, Initial::calculated, false};
    case Role::local:
    case Role::state_derivative:
    case Role::crossing: return {Causality::local, varying, Initial::calculated, false};
    case Role::state:
        return {variable.is_output ? Causality::output : Causality::local, varying, Initial::exact,
                true};
    case Role::discrete:
        return {variable.is_output ? Causality::output : Causality::local, Variability::discrete,
                Initial::exact, true};
    case Role::time:
        return {Causality::independent, Variability::continuous, Initial::unspecified, false};
    }
    return {Causality::local, varying, Initial::unspecified, false};
}

std::optional<Value> start_value(Instance& fresh, ValueRef reference) {
    const std::span<const ValueRef> one(&reference, 1);
    double real = 0;
    std::int64_t integer = 0;
    bool boolean = false;
    switch (storage_of(fresh.type().variables[reference].type)) {
    case Storage::real:
        if (fresh.get_reals(one, &real).ok()) return real;
        break;
    case Storage::integer:
        if (fresh.get_integers(one, &integer).ok()) return integer;
        break;
    case Storage::boolean:
        if (fresh.get(one, &boolean).ok()) return boolean;
        break;
    case Storage::string: break;
    }
    return std::nullopt;
}

Variable describe_variable(Instance& fresh, ValueRef reference) {
    const VariableType& type = fresh.type().variables[reference];
    const Attributes attributes = attributes_of(type);
    Variable variable;
    variable.name = type.name;
    variable.description = type.description;
    variable.type = type.type;
    variable.causality = attributes.causality;
    variable.variability = attributes.variability;
    variable.initial = attributes.initial;
    variable.reference = reference;
    variable.unit = type.unit;
    variable.measure = find_measure(type.unit);
    variable.derivative_of = type.derivative_of;
    if (attributes.has_start) variable.start = start_value(fresh, reference);
    return variable;
}

class NativeUnit final : public Unit, private InputDerivatives {
public:
    NativeUnit(std::string name, const ModelType& type, const UnitDescription& description)
        : Unit(std::move(name), description), instance_(type) {}

    Snapshots* snapshots() noexcept override { return &snapshots_; }
    InputDerivatives* input_derivatives() noexcept override { return this; }

private:
    class States final : public Snapshots {
    public:
        explicit States(NativeUnit& unit) : unit_(unit) {}

        void save(std::uint32_t slot) override {
            unit_.require(Call::save);
            if (slot >= slots_.size()) slots_.resize(slot + 1);
            auto& state = slots_[slot];
            if (!state) state = std::make_unique<std::byte[]>(unit_.instance_.saved_size());
            unit_.instance_.save(state.get());
        }
        void restore(std::uint32_t slot) override {
            unit_.require(Call::restore);
            unit_.instance_.restore(slots_.at(slot).get());
            unit_.recover();
        }

    private:
        NativeUnit& unit_;
        std::vector<std::unique_ptr<std::byte[]>> slots_;
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

    void do_enter_initialization(const Horizon& horizon) override {
        instance_.enter_initialization(horizon.start.seconds);
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
        try {
            const Time reached{instance_.step(from.seconds, by.seconds)};
            return {reached, reached < from + by ? StepEnd::rejected : StepEnd::completed};
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
        case Storage::string: return refuse_strings(values, "set");
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
        case Storage::string: return refuse_strings(values, "get");
        }
    }

    void require_done(AccessResult result, std::string_view call) {
        if (!result.ok()) [[unlikely]]
            fail(call, instance_.explain(result));
    }

    void refuse_strings(const Bulk& values, std::string_view call) {
        if (values.count != 0) fail(call, "native models have no strings");
    }

    Instance instance_;
    States snapshots_{*this};
};

} // namespace

UnitDescription describe(const ModelType& type) {
    UnitDescription description;
    description.model = type.name;
    description.kind = "native model";
    description.source = type.name;
    description.description = type.description;
    description.generation_tool = "Rubato";
    description.identifier = type.identifier;
    description.capabilities.variable_step = true;
    description.capabilities.snapshots = true;
    description.capabilities.serialization = true;
    description.capabilities.input_derivatives = 2;
    description.capabilities.may_reject_step = type.longest_step != nullptr;
    description.capabilities.may_return_early = type.longest_step != nullptr;
    description.default_experiment.start = type.experiment.start;
    description.default_experiment.stop = type.experiment.stop;
    description.default_experiment.step = type.experiment.step;
    Instance fresh(type);
    for (std::size_t i = 0; i < type.variables.size(); ++i) {
        const VariableType& variable = type.variables[i];
        if (variable.role == Role::input_derivative) continue; // the last ones
        description.variables.push_back(describe_variable(fresh, static_cast<ValueRef>(i)));
        if (variable.is_output)
            description.dependencies.push_back(
                {static_cast<std::uint32_t>(i), variable.feedthrough, variable.feedthrough});
    }
    return description;
}

std::unique_ptr<Unit> make_native_unit(std::string name, const ModelType& type,
                                       const UnitDescription& description) {
    return std::make_unique<NativeUnit>(std::move(name), type, description);
}

} // namespace rubato::unit
