// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>

/// Which functions a model class has, with time as an argument or without.
namespace rubato::model {

template <class Model>
concept HasTimedDerivatives = requires(const Model& model, Model& der) {
    model.derivatives(0.0, der);
};
template <class Model>
concept HasDerivatives = HasTimedDerivatives<Model> || requires(const Model& model, Model& der) {
    model.derivatives(der);
};
template <class Model>
concept HasTimedOutputs = requires(Model& model) {
    model.outputs(0.0);
};
template <class Model>
concept HasOutputs = HasTimedOutputs<Model> || requires(Model& model) {
    model.outputs();
};
template <class Model>
concept HasTimedLongestStep = requires(const Model& model) {
    { model.longest_step(0.0) } -> std::same_as<double>;
};
template <class Model>
concept HasLongestStep = HasTimedLongestStep<Model> || requires(const Model& model) {
    { model.longest_step() } -> std::same_as<double>;
};

template <class Model>
concept HasTimedCrossings = requires(const Model& model) {
    model.crossings(0.0);
};
template <class Model>
concept HasCrossings = HasTimedCrossings<Model> || requires(const Model& model) {
    model.crossings();
};
template <class Model>
concept HasTimedNextEvent = requires(const Model& model) {
    { model.next_event(0.0) } -> std::same_as<double>;
};
template <class Model>
concept HasNextEvent = HasTimedNextEvent<Model> || requires(const Model& model) {
    { model.next_event() } -> std::same_as<double>;
};
template <class Model>
concept HasTimedEvent = requires(Model& model) {
    model.event(0.0);
};
template <class Model>
concept HasEvent = HasTimedEvent<Model> || requires(Model& model) {
    model.event();
};
template <class Model>
concept HasTimedVariations = requires(const Model& model, Model& result) {
    model.variations(0.0, model, result);
};
template <class Model>
concept HasVariations = HasTimedVariations<Model> || requires(const Model& model, Model& result) {
    model.variations(model, result);
};

} // namespace rubato::model
