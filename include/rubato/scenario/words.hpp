// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/scenario/system.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace rubato::scenario {

template <class Enum>
struct Word {
    Enum value;
    std::string_view text;
};

/// What files and messages call the values of an enumeration: one table each, read both ways.
template <class Enum>
std::span<const Word<Enum>> words();

template <>
std::span<const Word<Causality>> words();
template <>
std::span<const Word<Variability>> words();
template <>
std::span<const Word<Initial>> words();
template <>
std::span<const Word<Interface>> words();
template <>
std::span<const Word<SolverMethod>> words();
template <>
std::span<const Word<Reactivity>> words();
template <>
std::span<const Word<Approximation>> words();
template <>
std::span<const Word<ApproximationMode>> words();
template <>
std::span<const Word<Join>> words();
template <>
std::span<const Word<TypeConversion>> words();
template <>
std::span<const Word<ColumnKind>> words();
template <>
std::span<const Word<ConstraintMethod>> words();
template <>
std::span<const Word<Recipe>> words();
template <>
std::span<const Word<OrderEstimator>> words();
template <>
std::span<const Word<Reduction>> words();
template <>
std::span<const Word<AtLimit>> words();
template <>
std::span<const Word<LoopMethod>> words();
template <>
std::span<const Word<Locate>> words();
template <>
std::span<const Word<Search>> words();
template <>
std::span<const Word<StepController>> words();
template <>
std::span<const Word<AtMinimum>> words();
template <>
std::span<const Word<AfterPartialStep>> words();
template <>
std::span<const Word<Origin>> words();
template <>
std::span<const Word<Operation>> words();
template <>
std::span<const Word<ClockType>> words();
template <>
std::span<const Word<EventOperation>> words();
template <>
std::span<const Word<HlaEncoding>> words();

/// The inverse of to_string.
template <class Enum>
std::optional<Enum> find_word(std::string_view text) {
    for (const Word<Enum>& word : words<Enum>()) {
        if (word.text == text) return word.value;
    }
    return std::nullopt;
}

} // namespace rubato::scenario
