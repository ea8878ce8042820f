// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "perturbed_unit.hpp"

#include <rubato/stability/stability.hpp>

#include <Eigen/Dense>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rubato::stability {

/// An input that can be perturbed.
struct PerturbedInput {
    PerturbedUnit* unit = nullptr;
    Element element;
    double scale = 1;                       ///< magnitude of the input
    std::string name;                       ///< "msd1.Fc"
    std::optional<std::size_t> source = {}; ///< the observed output that feeds it, where known
    double factor = 1;                      ///< of that connection
    std::string connection = {};            ///< "msd2.Fc -> msd1.Fc"; empty: not known
};

struct ObservedValue {
    unit::Unit* unit = nullptr;
    std::string name;
};

/// Inputs perturbed together in one step: indices and weights, in terms of their scales.
using Excitation = std::vector<std::pair<std::size_t, double>>;

/// What a perturbation of size 1 does to the observed values: a column per communication point, the
/// first one at the end of the perturbed step.
struct Response {
    Eigen::MatrixXd values;
    Eigen::VectorXd
        noise; ///< of each observed value, as far as rounding and second differences show
    double nonlinearity = 0; ///< second difference over first one
};

/// Repeats a part of a run with perturbations.
class Responses {
public:
    /// The simulation stands at the first of `points`.
    Responses(engine::Simulation& simulation, const Perturbations& perturbations,
              std::span<const Time> points);

    const std::vector<PerturbedInput>& inputs() const { return inputs_; }
    const std::vector<ObservedValue>& observed() const { return observed_; }

    /// Over `window` points, or fewer where the run fails or differences outgrow what is linear.
    Response measure(const Excitation& excitation, std::size_t window);
    std::uint64_t steps() const { return steps_; }

private:
    struct Reading {
        unit::Unit* unit = nullptr;
        std::vector<ValueRef> references = {};
        std::vector<Part> parts = {}; ///< empty: all are scalars
        std::size_t first = 0, count = 0;
    };
    void find_observed();
    void find_inputs(const Perturbations& perturbations);
    void add_input(PerturbedUnit& unit, const PerturbedUnit::Input& input);
    void name_connection(PerturbedInput& input) const;
    bool step_to(Time target);
    void observe(Eigen::Ref<Eigen::VectorXd> into);
    void perturb(const Excitation& excitation, double size);
    /// A column per point reached.
    Eigen::MatrixXd run(const Excitation& excitation, double size, std::size_t window,
                        double most_growth);
    void extend_base(std::size_t window);

    engine::Simulation& simulation_;
    std::vector<Time> points_;
    std::vector<Reading> readings_;
    std::vector<ObservedValue> observed_;
    std::vector<PerturbedInput> inputs_;
    std::optional<engine::SavedRun> start_;
    Eigen::MatrixXd base_; ///< the run without perturbation
    std::vector<double> buffer_;
    std::uint64_t steps_ = 0;
};

} // namespace rubato::stability
