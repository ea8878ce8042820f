// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/models.hpp>
#include <rubato/unit/library.hpp>

#include <memory>
#include <string>

namespace rubato::test {

/// The forms that a model comes in.
inline constexpr const char* model_forms[] = {"native",  "fmi1",    "fmi2",   "fmi3",
                                              "fmi1_me", "fmi2_me", "fmi3_me"};
/// Those that can be taken back to before an event.
inline constexpr const char* restorable_forms[] = {"native", "fmi2", "fmi3", "fmi2_me", "fmi3_me"};
/// Those that a solver of ours solves.
inline constexpr const char* solved_forms[] = {"fmi1_me", "fmi2_me", "fmi3_me"};

/// The folder, of those that the build puts FMUs in, that has a form: FMI 1.0 has one for each
/// interface.
inline std::string folder_of(const std::string& form) {
    return form == "fmi1_me" ? form : form.substr(0, 4);
}

inline bool is_model_exchange(const std::string& form) { return form.ends_with("_me"); }

/// The form that runs in a process of its own where one ends with "_isolated".
inline std::string shared_form(const std::string& form) {
    return form.substr(0, form.find("_isolated"));
}

/// A unit that runs a model of models/ in one of its forms, with variables by name.
class ModelUnit {
public:
    /// `fmus` is the folder that the build puts FMUs in.
    ModelUnit(const std::string& model, const std::string& form, const std::string& fmus,
              const scenario::SolverSettings& solver = {}) {
        for (const model::ModelType* type : models::all()) library_->add(*type);
        scenario::Unit unit;
        unit.name = model;
        if (form == "native") {
            unit.origin = scenario::NativeModel{model};
        } else {
            unit.origin =
                scenario::FmuFile{fmus + "/" + folder_of(shared_form(form)) + "/" + model + ".fmu"};
        }
        if (shared_form(form) != form) unit.isolate.emplace();
        if (is_model_exchange(shared_form(form))) {
            unit.type = scenario::Interface::model_exchange;
            unit.solver = solver;
        }
        unit_ = library_->instantiate(unit, "");
    }

    unit::Unit* operator->() const { return unit_.get(); }

    void initialize() {
        unit_->enter_initialization({});
        unit_->exit_initialization();
    }

    double real(const std::string& name) { return get<double>(name); }
    std::int64_t integer(const std::string& name) { return get<std::int64_t>(name); }
    bool boolean(const std::string& name) { return get<bool>(name); }

    ValueRef reference(const std::string& name) const { return variable(name).reference; }

    void set(const std::string& name, double value) { set_as(name, value); }
    void set(const std::string& name, std::int64_t value) { set_as(name, value); }

    /// Calls `observe(time)` after each of `count` steps from time 0 on.
    template <class Observe>
    void run(double step, int count, Observe&& observe) {
        for (int i = 0; i < count; ++i) {
            (void)unit_->step({i * step}, {step});
            observe((Time{i * step} + Duration{step}).seconds);
        }
    }
    void run(double step, int count) {
        run(step, count, [](double) {});
    }

private:
    const scenario::Variable& variable(const std::string& name) const {
        const auto& description = unit_->description();
        return description.variables.at(description.find_variable(name).value());
    }
    template <class T>
    T get(const std::string& name) {
        T value{};
        unit_->get({variable(name).type, {&variable(name).reference, 1}, &value, 1});
        return value;
    }
    template <class T>
    void set_as(const std::string& name, T value) {
        unit_->set({variable(name).type, {&variable(name).reference, 1}, &value, 1});
    }

    std::unique_ptr<unit::Library> library_ = std::make_unique<unit::Library>(silent_log());
    std::unique_ptr<unit::Unit> unit_;
};

} // namespace rubato::test
