// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "composite_form.hpp"
#include "driven.hpp"
#include "support/model_unit.hpp"

#include <rubato/models.hpp>
#include <rubato/unit/library.hpp>

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace rubato::unit {

/// A scenario with the model as its only unit.
struct CompositeForm {
    const char* name;
    const char* within; ///< the form of the model in it
    Wrapping wrapping = {};
};
inline const CompositeForm composite_forms[] = {
    {"composite", "native"},
    {"composite_fmi1", "fmi1"},
    {"composite_fmi2", "fmi2"},
    {"composite_fmi3", "fmi3"},
    {"composite_fmi2_me", "fmi2_me"},
    {"composite_fmi3_me", "fmi3_me"},
    {"composite_isolated", "fmi3", {.isolate = true}},
    {"composite_twice", "native", {.levels = 2}},
    {"composite_steps", "native", {.own_step = 0.03}}, // three, and one of 0.01 s
    {"composite_sub_steps", "native", {.sub_steps = 3}},
};

/// Parameters: the form of the unit, and the model.
class UnitContract : public testing::TestWithParam<std::tuple<std::string, std::string>> {
protected:
    UnitContract() {
        for (const model::ModelType* type : models::all()) library_.add(*type);
    }

    Driven instantiate(const std::string& form = std::get<0>(GetParam())) {
        for (const CompositeForm& composite : composite_forms)
            if (form == composite.name)
                return Driven(
                    make_composite(origin_in(composite.within), composite.wrapping, library_));
        return Driven(library_.instantiate(origin_in(form), ""));
    }

    static scenario::Unit origin_in(const std::string& form) {
        const std::string& model = std::get<1>(GetParam());
        scenario::Unit unit;
        unit.name = "it";
        if (form == "native") {
            unit.origin = scenario::NativeModel{model};
        } else if (form == "table") {
            unit.origin = scenario::TableFile{std::string(TABLES) + "/" + model + ".csv"};
        } else {
            const std::string shared = test::shared_form(form);
            unit.origin = scenario::FmuFile{std::string(KIT_FMUS) + "/" + test::folder_of(shared) +
                                            "/" + model + ".fmu"};
            unit.type = test::is_model_exchange(shared) ? scenario::Interface::model_exchange
                                                        : scenario::Interface::co_simulation;
            if (shared != form) unit.isolate.emplace();
        }
        return unit;
    }

    Driven initialize() {
        Driven unit = instantiate();
        unit.initialize();
        return unit;
    }

    /// All outputs over a hundred steps with inputs that move.
    std::vector<double> trajectory_of(const std::string& form, std::int64_t solver) {
        Driven unit = instantiate(form);
        choose_solver(unit, solver);
        unit.initialize();
        std::vector<double> trajectory = unit.outputs();
        for (int number = 0; number < 100; ++number) {
            if (unit->input_derivatives() != nullptr) unit.set_input_derivatives(number);
            for (const double value : unit.run(number, 1)) trajectory.push_back(value);
        }
        return trajectory;
    }

    static void choose_solver(Driven& unit, std::int64_t solver) {
        const auto& description = unit->description();
        const auto& variable =
            description.variables.at(description.find_variable("solver").value());
        unit->set({variable.type, {&variable.reference, 1}, &solver, 1});
    }

    Library library_{silent_log()};
};

} // namespace rubato::unit
