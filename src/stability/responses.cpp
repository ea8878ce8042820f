// SPDX-License-Identifier: Apache-2.0
#include "responses.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace rubato::stability {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Below this second difference a response is linear up to rounding.
constexpr double is_linear = 1e-9;
/// Central differences are then good to about the square of it.
constexpr double is_nearly_linear = 1e-5;
/// Left in values by loops that are solved to 1e-13, also by those that do not contract.
constexpr double loop_error = 1e-12;

bool is_observable(const scenario::UnitDescription& description, std::size_t index,
                   const std::set<std::uint32_t>& states) {
    const scenario::Variable& variable = description.variables[index];
    if (variable.type != ValueType::float64 || !variable.clocks.empty()) return false;
    return variable.causality == scenario::Causality::output ||
           states.contains(static_cast<std::uint32_t>(index));
}

std::set<std::uint32_t> states_of(const scenario::UnitDescription& description) {
    std::set<std::uint32_t> states;
    for (const scenario::Variable& variable : description.variables)
        if (variable.derivative_of) states.insert(*variable.derivative_of);
    return states;
}

std::string element_text(const scenario::Variable& variable, std::uint32_t element) {
    return variable.is_array() ? scenario::element_name(variable, element) : variable.name;
}

double largest(const Eigen::MatrixXd& matrix) {
    return matrix.size() == 0 ? 0 : matrix.cwiseAbs().maxCoeff();
}

} // namespace

Responses::Responses(engine::Simulation& simulation, const Perturbations& perturbations,
                     std::span<const Time> points)
    : simulation_(simulation), points_(points.begin(), points.end()) {
    find_observed();
    find_inputs(perturbations);
    start_ = simulation_.save();
    base_.resize(static_cast<Eigen::Index>(observed_.size()), 0);
}

/// Outputs and, where the description names them, continuous states of the units.
void Responses::find_observed() {
    const scenario::System& system = simulation_.system();
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        unit::Unit& unit = simulation_.unit(nth<UnitId>(u));
        const scenario::UnitDescription& description = unit.description();
        const std::set<std::uint32_t> states = states_of(description);
        Reading reading{.unit = &unit, .first = observed_.size()};
        bool has_arrays = false;
        for (std::size_t v = 0; v < description.variables.size(); ++v) {
            if (!is_observable(description, v, states)) continue;
            const scenario::Variable& variable = description.variables[v];
            const std::uint32_t count = variable.element_count();
            reading.references.push_back(variable.reference);
            reading.parts.push_back({0, count, count});
            has_arrays = has_arrays || variable.is_array();
            for (std::uint32_t i = 0; i < count; ++i)
                observed_.push_back({&unit, unit.name() + "." + element_text(variable, i)});
        }
        if (!has_arrays) reading.parts.clear();
        reading.count = observed_.size() - reading.first;
        if (reading.count > 0) readings_.push_back(std::move(reading));
    }
    buffer_.resize(observed_.size());
}

/// Inputs that are set in a step. The run is brought back.
void Responses::find_inputs(const Perturbations& perturbations) {
    const engine::SavedRun before = simulation_.save();
    for (PerturbedUnit* const unit : perturbations.units()) unit->record_inputs(true);
    const bool is_made = points_.size() > 1 && step_to(points_[1]);
    for (PerturbedUnit* const unit : perturbations.units()) unit->record_inputs(false);
    simulation_.restore(before);
    if (!is_made) throw Error("the run ends before a step can be made from here");
    for (PerturbedUnit* const unit : perturbations.units())
        for (const PerturbedUnit::Input& input : unit->inputs()) add_input(*unit, input);
}

void Responses::add_input(PerturbedUnit& unit, const PerturbedUnit::Input& input) {
    const auto& variables = unit.description().variables;
    const auto variable = std::ranges::find_if(variables, [&](const scenario::Variable& each) {
        return each.reference == input.element.reference && storage_of(each.type) == Storage::real;
    });
    if (variable == variables.end()) return;
    PerturbedInput found{.unit = &unit,
                         .element = input.element,
                         .name = unit.name() + "." + element_text(*variable, input.element.index)};
    found.scale = std::max(std::abs(input.value), std::abs(variable->nominal.value_or(0)));
    if (!(found.scale > 0) || !std::isfinite(found.scale)) found.scale = 1;
    name_connection(found);
    // Elements that nothing is connected to would keep what is added.
    if (variable->is_array() && found.connection.empty()) return;
    inputs_.push_back(std::move(found));
}

void Responses::name_connection(PerturbedInput& input) const {
    const scenario::System& system = simulation_.system();
    for (const scenario::Link& link : system.links) {
        const scenario::Port& to = system.port(link.to);
        const bool is_target =
            &simulation_.unit(to.unit) == input.unit && to.reference == input.element.reference &&
            storage_of(to.type) == Storage::real && input.element.index >= to.part.first &&
            input.element.index < to.part.first + to.part.count;
        if (!is_target) continue;
        const scenario::Port& from = system.port(link.from);
        const unit::Unit& source = simulation_.unit(from.unit);
        const auto& variable = source.description().variables[from.variable];
        const std::uint32_t element = from.part.first + input.element.index - to.part.first;
        const std::string name = source.name() + "." + element_text(variable, element);
        input.connection = name + " -> " + input.name;
        input.factor = link.factor;
        const auto known = std::ranges::find(observed_, name, &ObservedValue::name);
        if (known != observed_.end())
            input.source = static_cast<std::size_t>(known - observed_.begin());
        return;
    }
}

bool Responses::step_to(Time target) {
    const double rounding = 8 * epsilon * std::max(1.0, std::abs(target.seconds));
    while (simulation_.time().seconds < target.seconds - rounding) {
        if (simulation_.has_ended() || !simulation_.summary().ended_by.empty()) return false;
        simulation_.step();
    }
    ++steps_;
    return true;
}

void Responses::observe(Eigen::Ref<Eigen::VectorXd> into) {
    for (const Reading& reading : readings_)
        reading.unit->get({.type = ValueType::float64,
                           .references = reading.references,
                           .data = &buffer_[reading.first],
                           .count = reading.count,
                           .parts = reading.parts});
    into = Eigen::Map<const Eigen::VectorXd>(buffer_.data(), into.size());
}

void Responses::perturb(const Excitation& excitation, double size) {
    std::vector<std::pair<PerturbedUnit*, std::vector<std::pair<Element, double>>>> by;
    for (const auto& [index, weight] : excitation) {
        const PerturbedInput& input = inputs_[index];
        auto known = std::ranges::find(by, input.unit, [](const auto& each) { return each.first; });
        if (known == by.end()) known = by.insert(known, {input.unit, {}});
        known->second.emplace_back(input.element, size * weight * input.scale);
    }
    for (auto& [unit, what] : by) unit->perturb(size == 0 ? decltype(what){} : std::move(what));
}

Eigen::MatrixXd Responses::run(const Excitation& excitation, double size, std::size_t window,
                               double most_growth) {
    Eigen::MatrixXd values(static_cast<Eigen::Index>(observed_.size()),
                           static_cast<Eigen::Index>(window));
    simulation_.restore(*start_);
    Eigen::Index reached = 0;
    double first = 0;
    try {
        perturb(excitation, size);
        for (; reached < values.cols(); ++reached) {
            if (!step_to(points_[static_cast<std::size_t>(reached) + 1])) break;
            if (reached == 0) perturb(excitation, 0);
            observe(values.col(reached));
            if (!values.col(reached).allFinite()) break;
            if (reached >= base_.cols()) continue;
            const double now = (values.col(reached) - base_.col(reached)).cwiseAbs().maxCoeff();
            if (reached < 4) first = std::max(first, now);
            if (reached >= 4 && now > most_growth * first) break;
        }
    } catch (const Error&) {
        // As far as it went: perturbations may grow beyond what units accept.
    }
    perturb(excitation, 0);
    return values.leftCols(reached);
}

void Responses::extend_base(std::size_t window) {
    if (base_.cols() >= static_cast<Eigen::Index>(window)) return;
    base_.resize(base_.rows(), 0);
    base_ = run({}, 0, window, HUGE_VAL);
    if (base_.cols() == 0) throw Error("the run fails in the step that is to be linearized");
}

Response Responses::measure(const Excitation& excitation, std::size_t window) {
    constexpr std::size_t checked = 4;
    constexpr double far = 1e10, near = 1e3; // growth over which a response is followed
    extend_base(window);
    window = std::min(window, static_cast<std::size_t>(base_.cols()));
    double size = 1, nonlinearity = HUGE_VAL;
    Eigen::VectorXd bend = Eigen::VectorXd::Zero(base_.rows()); // second differences, by row
    for (const double candidate : {1.0, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
        const Eigen::MatrixXd up = run(excitation, candidate, std::min(window, checked), far);
        const Eigen::MatrixXd down = run(excitation, -candidate, std::min(window, checked), far);
        const Eigen::Index both = std::min(up.cols(), down.cols());
        if (both == 0) continue;
        const Eigen::MatrixXd base = base_.leftCols(both);
        const double first = largest(up.leftCols(both) - down.leftCols(both)) / 2;
        const Eigen::MatrixXd bent = up.leftCols(both) + down.leftCols(both) - 2 * base;
        const double second = largest(bent);
        const double ratio = first > 0 ? second / first : 0;
        if (ratio < nonlinearity) {
            nonlinearity = ratio;
            size = candidate;
            bend = bent.cwiseAbs().rowwise().maxCoeff();
        }
        if (ratio <= is_nearly_linear) break;
    }
    Response response{.values = Eigen::MatrixXd(base_.rows(), 0),
                      .noise = Eigen::VectorXd::Zero(base_.rows()),
                      .nonlinearity = std::min(1.0, nonlinearity)};
    if (nonlinearity == HUGE_VAL) return response;
    const bool linear = nonlinearity <= is_linear;
    const Eigen::MatrixXd up = run(excitation, size, window, linear ? far : near);
    if (linear) {
        response.values = (up - base_.leftCols(up.cols())) / size;
    } else {
        const Eigen::MatrixXd down = run(excitation, -size, window, near);
        const Eigen::Index both = std::min(up.cols(), down.cols());
        response.values = (up.leftCols(both) - down.leftCols(both)) / (2 * size);
    }
    const Eigen::MatrixXd base = base_.leftCols(response.values.cols());
    if (base.cols() > 0) {
        response.noise = base.cwiseAbs().rowwise().maxCoeff() * (epsilon / size);
        // What a linear reaction bends by is the error of loops and solvers.
        if (linear)
            response.noise = response.noise.cwiseMax(bend / size);
        else
            response.noise += nonlinearity / 10 * response.values.cwiseAbs().rowwise().maxCoeff();
        // Values that are smaller than the tolerance of a loop are not iterated at all.
        if (simulation_.summary().iterations > 0)
            response.noise.array() +=
                loop_error / size * (1 + base.cwiseAbs().rowwise().maxCoeff().array());
    }
    return response;
}

} // namespace rubato::stability
