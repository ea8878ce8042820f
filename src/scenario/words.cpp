// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/words.hpp>

#include <array>
#include <stdexcept>

namespace rubato::scenario {

namespace {

template <class Enum>
std::string_view text_of(Enum value) {
    for (const Word<Enum>& word : words<Enum>()) {
        if (word.value == value) return word.text;
    }
    throw std::logic_error("an enumeration holds a value that it does not name");
}

} // namespace

template <>
std::span<const Word<Causality>> words() {
    static constexpr std::array<Word<Causality>, 7> table = {{
        {Causality::parameter, "parameter"},
        {Causality::calculated_parameter, "calculated parameter"},
        {Causality::structural_parameter, "structural parameter"},
        {Causality::input, "input"},
        {Causality::output, "output"},
        {Causality::local, "local"},
        {Causality::independent, "independent"},
    }};
    return table;
}

template <>
std::span<const Word<Variability>> words() {
    static constexpr std::array<Word<Variability>, 5> table = {{
        {Variability::constant, "constant"},
        {Variability::fixed, "fixed"},
        {Variability::tunable, "tunable"},
        {Variability::discrete, "discrete"},
        {Variability::continuous, "continuous"},
    }};
    return table;
}

template <>
std::span<const Word<Initial>> words() {
    static constexpr std::array<Word<Initial>, 4> table = {{
        {Initial::exact, "exact"},
        {Initial::approx, "approx"},
        {Initial::calculated, "calculated"},
        {Initial::unspecified, "unspecified"},
    }};
    return table;
}

template <>
std::span<const Word<Interface>> words() {
    static constexpr std::array<Word<Interface>, 2> table = {{
        {Interface::co_simulation, "cs"},
        {Interface::model_exchange, "me"},
    }};
    return table;
}

template <>
std::span<const Word<SolverMethod>> words() {
    static constexpr std::array<Word<SolverMethod>, 3> table = {{
        {SolverMethod::cvode, "cvode"},
        {SolverMethod::adams, "adams"},
        {SolverMethod::euler, "euler"},
    }};
    return table;
}

template <>
std::span<const Word<Reactivity>> words() {
    static constexpr std::array<Word<Reactivity>, 2> table = {{
        {Reactivity::delayed, "delayed"},
        {Reactivity::reactive, "reactive"},
    }};
    return table;
}

template <>
std::span<const Word<Approximation>> words() {
    static constexpr std::array<Word<Approximation>, 3> table = {{
        {Approximation::constant, "constant"},
        {Approximation::linear, "linear"},
        {Approximation::quadratic, "quadratic"},
    }};
    return table;
}

template <>
std::span<const Word<ApproximationMode>> words() {
    static constexpr std::array<Word<ApproximationMode>, 2> table = {{
        {ApproximationMode::extrapolate, "extrapolate"},
        {ApproximationMode::interpolate, "interpolate"},
    }};
    return table;
}

template <>
std::span<const Word<Join>> words() {
    static constexpr std::array<Word<Join>, 2> table = {{
        {Join::jump, "jump"},
        {Join::continuous, "continuous"},
    }};
    return table;
}

template <>
std::span<const Word<TypeConversion>> words() {
    static constexpr std::array<Word<TypeConversion>, 6> table = {{
        {TypeConversion::round, "round"},
        {TypeConversion::floor, "floor"},
        {TypeConversion::ceiling, "ceiling"},
        {TypeConversion::truncate, "truncate"},
        {TypeConversion::nonzero, "nonzero"},
        {TypeConversion::threshold, "threshold"},
    }};
    return table;
}

template <>
std::span<const Word<ColumnKind>> words() {
    static constexpr std::array<Word<ColumnKind>, 7> table = {{
        {ColumnKind::continuous, "continuous"},
        {ColumnKind::discrete, "discrete"},
        {ColumnKind::integer, "integer"},
        {ColumnKind::large_integer, "uint64"},
        {ColumnKind::boolean, "boolean"},
        {ColumnKind::string, "string"},
        {ColumnKind::binary, "binary"},
    }};
    return table;
}

template <>
std::span<const Word<ConstraintMethod>> words() {
    static constexpr std::array<Word<ConstraintMethod>, 2> table = {{
        {ConstraintMethod::solve, "solve"},
        {ConstraintMethod::stabilize, "stabilize"},
    }};
    return table;
}

template <>
std::span<const Word<Recipe>> words() {
    static constexpr std::array<Word<Recipe>, 8> table = {{
        {Recipe::synthesized, "synthesized"},
        {Recipe::jacobi, "jacobi"},
        {Recipe::gauss_seidel, "gauss-seidel"},
        {Recipe::iterated_jacobi, "iterated-jacobi"},
        {Recipe::iterated_gauss_seidel, "iterated-gauss-seidel"},
        {Recipe::adaptive_gauss_seidel, "adaptive-gauss-seidel"},
        {Recipe::waveform_jacobi, "waveform-jacobi"},
        {Recipe::waveform_gauss_seidel, "waveform-gauss-seidel"},
    }};
    return table;
}

template <>
std::span<const Word<OrderEstimator>> words() {
    static constexpr std::array<Word<OrderEstimator>, 2> table = {{
        {OrderEstimator::input, "input"},
        {OrderEstimator::power, "power"},
    }};
    return table;
}

template <>
std::span<const Word<Reduction>> words() {
    static constexpr std::array<Word<Reduction>, 2> table = {{
        {Reduction::minimum, "minimum"},
        {Reduction::maximum, "maximum"},
    }};
    return table;
}

template <>
std::span<const Word<AtLimit>> words() {
    static constexpr std::array<Word<AtLimit>, 2> table = {{
        {AtLimit::stop, "stop"},
        {AtLimit::accept, "accept"},
    }};
    return table;
}

template <>
std::span<const Word<LoopMethod>> words() {
    static constexpr std::array<Word<LoopMethod>, 6> table = {{
        {LoopMethod::automatic, "automatic"},
        {LoopMethod::plain, "plain"},
        {LoopMethod::relaxed, "relaxed"},
        {LoopMethod::aitken, "aitken"},
        {LoopMethod::iqn_ils, "iqn-ils"},
        {LoopMethod::newton, "newton"},
    }};
    return table;
}

template <>
std::span<const Word<Locate>> words() {
    static constexpr std::array<Word<Locate>, 4> table = {{
        {Locate::automatic, "automatic"},
        {Locate::always, "always"},
        {Locate::predict, "predict"},
        {Locate::never, "never"},
    }};
    return table;
}

template <>
std::span<const Word<Search>> words() {
    static constexpr std::array<Word<Search>, 2> table = {{
        {Search::secant, "secant"},
        {Search::bisection, "bisection"},
    }};
    return table;
}

template <>
std::span<const Word<StepController>> words() {
    static constexpr std::array<Word<StepController>, 5> table = {{
        {StepController::fixed, "fixed"},
        {StepController::richardson, "richardson"},
        {StepController::predictor, "predictor"},
        {StepController::energy, "energy"},
        {StepController::divergence, "divergence"},
    }};
    return table;
}

template <>
std::span<const Word<AfterPartialStep>> words() {
    static constexpr std::array<Word<AfterPartialStep>, 2> table = {{
        {AfterPartialStep::return_to_grid, "return-to-grid"},
        {AfterPartialStep::proceed, "continue"},
    }};
    return table;
}

template <>
std::span<const Word<AtMinimum>> words() {
    static constexpr std::array<Word<AtMinimum>, 2> table = {{
        {AtMinimum::stop, "stop"},
        {AtMinimum::accept, "accept"},
    }};
    return table;
}

template <>
std::span<const Word<Origin>> words() {
    static constexpr std::array<Word<Origin>, 4> table = {{
        {Origin::scenario, "scenario"},
        {Origin::model_description, "model description"},
        {Origin::recipe, "recipe"},
        {Origin::assumed, "assumed"},
    }};
    return table;
}

template <>
std::span<const Word<Operation>> words() {
    static constexpr std::array<Word<Operation>, 14> table = {{
        {Operation::get, "get"},
        {Operation::get_tentative, "get-tentative"},
        {Operation::set, "set"},
        {Operation::set_tentative, "set-tentative"},
        {Operation::step, "step"},
        {Operation::save_state, "save-state"},
        {Operation::restore_state, "restore-state"},
        {Operation::get_interval, "get-interval"},
        {Operation::get_shift, "get-shift"},
        {Operation::loop, "loop"},
        {Operation::parallel, "parallel"},
        {Operation::get_clock, "get-clock"},
        {Operation::set_clock, "set-clock"},
        {Operation::update, "update"},
    }};
    return table;
}

template <>
std::span<const Word<ClockType>> words() {
    static constexpr std::array<Word<ClockType>, 2> table = {{
        {ClockType::triggered, "triggered"},
        {ClockType::timed, "timed"},
    }};
    return table;
}

template <>
std::span<const Word<EventOperation>> words() {
    static constexpr std::array<Word<EventOperation>, 6> table = {{
        {EventOperation::get, "get"},
        {EventOperation::set, "set"},
        {EventOperation::get_clock, "get-clock"},
        {EventOperation::set_clock, "set-clock"},
        {EventOperation::step, "step"},
        {EventOperation::next, "next"},
    }};
    return table;
}

template <>
std::span<const Word<HlaEncoding>> words() {
    static constexpr std::array<Word<HlaEncoding>, 12> table = {{
        {HlaEncoding::float64_be, "HLAfloat64BE"},
        {HlaEncoding::float64_le, "HLAfloat64LE"},
        {HlaEncoding::float32_be, "HLAfloat32BE"},
        {HlaEncoding::float32_le, "HLAfloat32LE"},
        {HlaEncoding::integer64_be, "HLAinteger64BE"},
        {HlaEncoding::integer64_le, "HLAinteger64LE"},
        {HlaEncoding::integer32_be, "HLAinteger32BE"},
        {HlaEncoding::integer32_le, "HLAinteger32LE"},
        {HlaEncoding::integer16_be, "HLAinteger16BE"},
        {HlaEncoding::integer16_le, "HLAinteger16LE"},
        {HlaEncoding::boolean, "HLAboolean"},
        {HlaEncoding::unicode_string, "HLAunicodeString"},
    }};
    return table;
}

std::string_view to_string(Causality causality) { return text_of(causality); }
std::string_view to_string(Variability variability) { return text_of(variability); }
std::string_view to_string(Initial initial) { return text_of(initial); }
std::string_view to_string(Interface interface) { return text_of(interface); }
std::string_view to_string(SolverMethod method) { return text_of(method); }
std::string_view to_string(Reactivity reactivity) { return text_of(reactivity); }
std::string_view to_string(Approximation approximation) { return text_of(approximation); }
std::string_view to_string(ApproximationMode mode) { return text_of(mode); }
std::string_view to_string(Join join) { return text_of(join); }
std::string_view to_string(ConstraintMethod method) { return text_of(method); }
std::string_view to_string(TypeConversion conversion) { return text_of(conversion); }
std::string_view to_string(ColumnKind kind) { return text_of(kind); }
std::string_view to_string(Recipe recipe) { return text_of(recipe); }
std::string_view to_string(OrderEstimator estimator) { return text_of(estimator); }
std::string_view to_string(Reduction reduction) { return text_of(reduction); }
std::string_view to_string(AtLimit at_limit) { return text_of(at_limit); }
std::string_view to_string(LoopMethod method) { return text_of(method); }
std::string_view to_string(Locate locate) { return text_of(locate); }
std::string_view to_string(Search search) { return text_of(search); }
std::string_view to_string(StepController controller) { return text_of(controller); }
std::string_view to_string(AtMinimum at_minimum) { return text_of(at_minimum); }
std::string_view to_string(AfterPartialStep after) { return text_of(after); }
std::string_view to_string(Origin origin) { return text_of(origin); }
std::string_view to_string(Operation operation) { return text_of(operation); }
std::string_view to_string(ClockType type) { return text_of(type); }
std::string_view to_string(EventOperation operation) { return text_of(operation); }
std::string_view to_string(HlaEncoding encoding) { return text_of(encoding); }

std::string_view algorithm_label(const Scenario& scenario) {
    return scenario.written ? "hand-written" : to_string(scenario.algorithm.recipe);
}

} // namespace rubato::scenario
