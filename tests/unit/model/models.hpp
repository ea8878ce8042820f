// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/instance.hpp>
#include <rubato/models.hpp>

#include <stdexcept>
#include <string_view>

namespace rubato::model {

inline const ModelType& model_named(std::string_view name) {
    for (const ModelType* type : models::all())
        if (type->name == name) return *type;
    throw std::logic_error("no such model");
}

inline ValueRef reference(const ModelType& type, std::string_view name) {
    for (std::size_t i = 0; i < type.variables.size(); ++i)
        if (type.variables[i].name == name) return static_cast<ValueRef>(i);
    throw std::logic_error("no such variable");
}

inline void must(AccessResult result) {
    if (!result.ok()) throw std::logic_error("refused");
}

/// An instance with variables by name, for tests.
struct Named : Instance {
    using Instance::Instance;

    double value(std::string_view name) {
        const ValueRef variable = reference(type(), name);
        double result = 0;
        must(get<double>({&variable, 1}, &result));
        return result;
    }
    void assign(std::string_view name, double value) {
        const ValueRef variable = reference(type(), name);
        must(set<double>({&variable, 1}, &value));
    }
    void solve_with(Solver solver, double inner_step = 0) {
        const ValueRef variable = reference(type(), "solver");
        const auto number = static_cast<std::int64_t>(solver);
        must(set<std::int64_t>({&variable, 1}, &number));
        assign("inner_step", inner_step);
    }
    void derive(std::string_view input, int order, double value) {
        must(set_input_derivative(reference(type(), input), order, value));
        update_moving();
    }
    void initialize(double start = 0) {
        enter_initialization(start);
        exit_initialization();
    }
    /// `count` steps of size h from 0.
    void run(double h, int count) {
        for (int i = 0; i < count; ++i) step(i * h, h);
    }
};

} // namespace rubato::model
