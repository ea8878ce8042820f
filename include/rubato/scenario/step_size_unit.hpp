// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/approximation.hpp>
#include <rubato/scenario/step_control.hpp>

#include <string>
#include <vector>

namespace rubato::scenario {

/// An artificial unit whose output `H` is the length of the next communication step, for
/// `experiment: {step: sh.H}`; its output `t` is the time. It does what the step control of the
/// same settings does, but for repeating steps that miss the tolerance.
struct StepSizeUnit {
    /// An input of the unit: it gets what an input of another unit gets, and has its name.
    struct Input {
        std::string name; ///< "msd1.Fc"
        // How the other unit continues it.
        Approximation approximation = Approximation::constant;
        ApproximationMode mode = ApproximationMode::extrapolate;
        Join join = Join::jump;
        double nominal = 1; ///< of its source
        Location where = {};

        template <class Self, class Visitor>
        static void fields(Self& self, Visitor&& visit) {
            visit("approximation", self.approximation, "order of the polynomial");
            visit("mode", self.mode, "extrapolate, or interpolate if its source has advanced");
            visit("join", self.join, "of extrapolated pieces");
            visit("nominal", self.nominal, "magnitude of the source");
        }
        friend bool operator==(const Input&, const Input&) = default;
    };
    /// Inputs whose product is a power.
    struct Bond {
        std::string name;
        std::string effort, flow; ///< names of inputs
        double factor = 1;
        Location where = {};

        template <class Self, class Visitor>
        static void fields(Self& self, Visitor&& visit) {
            visit("effort", self.effort, "input that gets the effort");
            visit("flow", self.flow, "input that gets the flow");
            visit("factor", self.factor, "makes their product a power");
        }
        friend bool operator==(const Bond&, const Bond&) = default;
    };
    double first = 0.01; ///< step [s]
    StepControlSettings control;
    std::vector<Input> inputs;
    std::vector<Bond> bonds;
    friend bool operator==(const StepSizeUnit&, const StepSizeUnit&) = default;
};

} // namespace rubato::scenario
