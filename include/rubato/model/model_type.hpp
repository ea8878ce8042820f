// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The kit: a model written once as a C++ class becomes a native unit and an FMU (docs/models.md).
namespace rubato::model {

enum class Role : std::uint8_t { parameter, input, output, state, local };

/// One member of a model class that others can see.
struct VariableType {
    std::string name;
    ValueType type = ValueType::float64;
    Role role = Role::local;
    bool is_output = false; ///< a state that is given out, too
    std::size_t offset = 0; ///< of the member within the class
    std::string unit;
    std::string description;
    std::vector<std::string> depends_on; ///< outputs: inputs that feed through
};

enum class Solver : std::uint8_t { euler, rk4, exact };

/// A model class with its type erased: a trivially copyable block of bytes and functions on it.
struct ModelType {
    std::string name;
    std::string description;
    std::vector<VariableType> variables; ///< in the order of declaration; index = value reference
    Solver solver = Solver::rk4;         ///< what a new instance starts with
    double inner_step = 0; ///< largest inner step [s]; 0: the whole communication step

    std::size_t size = 0;
    std::size_t alignment = 1;
    void (*construct)(void* self) = nullptr;                                  ///< in-class defaults
    void (*derivatives)(const void* self, double time, double* dx) = nullptr; ///< null: no states
    void (*outputs)(void* self, double time) = nullptr; ///< null: outputs are states
};

} // namespace rubato::model
