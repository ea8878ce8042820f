// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rubato::test {

/// What the formulas of a unit compute with.
struct FormulaState {
    std::vector<Value> inputs; ///< by number
    double x = 0;              ///< grows by the step
    int readings = 0;          ///< so far; not part of the saved state
    bool initializing = true;
};

struct FormulaInput {
    std::string name;
    Value start = 0.0;
    ValueType type = ValueType::float64;
};

struct FormulaOutput {
    std::string name;
    std::function<Value(const FormulaState&)> formula;
    std::vector<std::uint32_t> declared; ///< inputs by number, rightly or not
    ValueType type = ValueType::float64;
};

/// What a unit is like, for better or worse.
struct FormulaTraits {
    bool can_save = true;
    bool forgets_to_restore_inputs = false;
    std::function<bool(const FormulaState&)> fails; ///< on being set
};

/// A unit for tests: outputs are formulas of inputs and of a state. Inputs come first in its
/// description; references are indices into it.
class FormulaUnit final : public unit::Unit, private unit::Snapshots {
public:
    FormulaUnit(std::string name, std::vector<FormulaInput> inputs,
                std::vector<FormulaOutput> outputs, FormulaTraits traits = {})
        : FormulaUnit(
              std::move(name),
              std::make_unique<scenario::UnitDescription>(describe(inputs, outputs, traits)),
              outputs, traits) {
        for (const FormulaInput& input : inputs) now_.inputs.push_back(input.start);
    }

    unit::Abilities abilities() noexcept override {
        unit::Abilities all = unit::Abilities::none();
        if (traits_.can_save) all.snapshots = this;
        return all;
    }

private:
    FormulaUnit(std::string name, std::unique_ptr<scenario::UnitDescription> description,
                std::vector<FormulaOutput> outputs, FormulaTraits traits)
        : Unit(std::move(name), *description), own_description_(std::move(description)),
          outputs_(std::move(outputs)), traits_(std::move(traits)) {}

    static scenario::UnitDescription describe(const std::vector<FormulaInput>& inputs,
                                              const std::vector<FormulaOutput>& outputs,
                                              const FormulaTraits& traits) {
        scenario::UnitDescription result;
        result.kind = "made for a test";
        result.capabilities.snapshots = traits.can_save;
        const auto add = [&](const std::string& name, ValueType type,
                             scenario::Causality causality) {
            scenario::Variable variable;
            variable.name = name;
            variable.type = type;
            variable.causality = causality;
            variable.reference = static_cast<ValueRef>(result.variables.size());
            result.variables.push_back(variable);
            return variable.reference;
        };
        for (const FormulaInput& input : inputs)
            add(input.name, input.type, scenario::Causality::input);
        for (const FormulaOutput& output : outputs) {
            const auto index = add(output.name, output.type, scenario::Causality::output);
            result.dependencies.push_back({index, output.declared, output.declared});
        }
        return result;
    }

    void do_enter_initialization(const unit::Horizon&) override {}
    void do_exit_initialization() override { now_.initializing = false; }
    void do_terminate() override {}
    unit::StepResult do_step(Time from, Duration by) override {
        now_.x += by.seconds;
        return {from + by, unit::StepEnd::completed};
    }

    void do_set(const Bulk& bulk) override {
        for (std::size_t i = 0; i < bulk.count; ++i) {
            Value& value = now_.inputs[bulk.references[i]];
            std::visit([&](auto& held) { held = bulk.as<std::decay_t<decltype(held)>>()[i]; },
                       value);
        }
        if (traits_.fails && traits_.fails(now_)) fail("set", "that is too much");
    }
    void do_get(const Bulk& bulk) override {
        ++now_.readings;
        for (std::size_t i = 0; i < bulk.count; ++i) {
            const std::size_t variable = bulk.references[i];
            Value value = variable < now_.inputs.size()
                              ? now_.inputs[variable]
                              : outputs_[variable - now_.inputs.size()].formula(now_);
            std::visit([&](auto& held) { bulk.as<std::decay_t<decltype(held)>>()[i] = held; },
                       value);
        }
    }

    void save(std::uint32_t slot) override { saved_[slot] = now_; }
    void restore(std::uint32_t slot) override {
        const FormulaState& saved = saved_.at(slot);
        if (!traits_.forgets_to_restore_inputs) now_.inputs = saved.inputs;
        now_.x = saved.x;
        recover();
    }

    std::unique_ptr<scenario::UnitDescription> own_description_;
    std::vector<FormulaOutput> outputs_;
    FormulaTraits traits_;
    FormulaState now_;
    std::map<std::uint32_t, FormulaState> saved_;
};

} // namespace rubato::test
