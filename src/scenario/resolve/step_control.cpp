// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace rubato::scenario {

namespace {

class StepControlCheck {
public:
    explicit StepControlCheck(Resolver& resolver)
        : resolver_(resolver), control_(resolver.scenario.step_control) {}

    void check_limits() {
        require(control_.tolerance > 0 && control_.tolerance < 1, "tolerance", control_.tolerance,
                "it must lie between 0 and 1: 1e-3 allows an error of a thousandth");
        require(control_.safety > 0 && control_.safety < 1, "safety", control_.safety,
                "it must lie between 0 and 1");
        require(control_.growth > 1 && std::isfinite(control_.growth), "growth", control_.growth,
                "it must be greater than 1");
        require(control_.shrinking > 0 && control_.shrinking < 1, "shrinking", control_.shrinking,
                "it must lie between 0 and 1");
        require(control_.change > 0 && control_.change < 1, "change", control_.change,
                "it must lie between 0 and 1: 0.1 is 10 %");
        require(control_.divergence_weight >= 0 && std::isfinite(control_.divergence_weight),
                "divergence-weight", control_.divergence_weight, "it must not be negative");
        const double step = resolver_.scenario.experiment.step;
        if (control_.minimum) {
            require(*control_.minimum > 0 && *control_.minimum <= step, "minimum",
                    *control_.minimum,
                    format("it must be positive and at most experiment.step, which is {}",
                           shortest(step)));
        }
        if (control_.maximum) {
            require(*control_.maximum >= step, "maximum", *control_.maximum,
                    format("it must be at least experiment.step, with which a run starts: {}",
                           shortest(step)));
        }
    }

    void remark_without_effect() {
        for (const std::string_view key : changed_settings()) {
            resolver_.diagnostics.warning(
                control_.where,
                format("step-control.{} has no effect: the controller is fixed", key),
                "give a controller that adapts the step, or leave it out");
        }
    }

    void check_order() {
        if (resolver_.scenario.algorithm.recipe != Recipe::adaptive_gauss_seidel) return;
        if (control_.controller != StepController::richardson) return;
        error("step-control.controller is richardson, but the order adapts, too: after each change "
              "inputs start from values of the order before, which the halves of a step correct "
              "and the whole does not, however short it is",
              "use predictor or energy, or gauss-seidel");
    }

    void check_units() {
        std::vector<std::string> rigid, one_way;
        for (std::size_t u = 0; u < resolver_.system.units.size(); ++u) {
            const SystemUnit& unit = resolver_.system.units[u];
            if (!resolver_.descriptions[u].capabilities.variable_step) rigid.push_back(unit.name);
            if (!unit.can_roll_back) one_way.push_back(unit.name);
        }
        if (!rigid.empty()) {
            error(format("the step cannot be adapted: {} cannot vary {} step", listed_units(rigid),
                         rigid.size() == 1 ? "its" : "their"),
                  "use controller: fixed");
        }
        if (one_way.empty()) return;
        if (control_.controller == StepController::richardson) {
            error(format("step-control.controller is richardson, but {} cannot go back",
                         listed_units(one_way)),
                  "predictor needs no way back");
            return;
        }
        resolver_.diagnostics.note(
            control_.where,
            format("{} cannot go back: steps that miss the tolerance are accepted and counted",
                   listed_units(one_way)));
    }

    void check_coupling() {
        if (control_.controller == StepController::energy && resolver_.system.bonds.empty()) {
            error("step-control.controller is energy, but the scenario has no power bonds",
                  "declare them (bonds: {name: {effort: a.F -> b.F, flow: b.v -> a.v}}), or use "
                  "predictor");
        }
        const auto carries_reals = [&](const Link& link) {
            return resolver_.system.port(link.from).is_continuous &&
                   storage_of(resolver_.system.port(link.to).type) == Storage::real;
        };
        const auto carries_discrete_reals = [&](const Link& link) {
            const Port& port = resolver_.system.port(link.from);
            return storage_of(port.type) == Storage::real && !port.is_continuous;
        };
        const bool are_declared_discrete =
            std::ranges::any_of(resolver_.system.links, carries_discrete_reals);
        if (std::ranges::none_of(resolver_.system.links, carries_reals)) {
            error("the step cannot be adapted: no continuous reals are exchanged in steps, so "
                  "nothing shows how "
                  "long it may be",
                  are_declared_discrete
                      ? "use controller: fixed; or, if reals that their units declare discrete "
                        "move all the same, say variability: continuous of these outputs"
                      : "use controller: fixed");
        }
    }

private:
    /// Names of those that are not as they are by default.
    std::vector<std::string_view> changed_settings() const {
        const StepControlSettings plain;
        std::vector<std::string_view> keys;
        std::size_t place = 0;
        StepControlSettings::fields(control_, [&](std::string_view key, const auto& value,
                                                  const auto&) {
            std::size_t other = 0;
            StepControlSettings::fields(plain, [&](const auto&, const auto& usual, const auto&) {
                if constexpr (std::is_same_v<decltype(value), decltype(usual)>)
                    if (place == other && value != usual) keys.push_back(key);
                ++other;
            });
            ++place;
        });
        return keys;
    }

    void error(const std::string& message, const std::string& hint) {
        resolver_.diagnostics.error(control_.where, message, hint);
    }

    void require(bool good, std::string_view key, double value, const std::string& hint) {
        if (!good) error(format("step-control.{} is {}", key, shortest(value)), hint);
    }

    Resolver& resolver_;
    const StepControlSettings& control_;
};

} // namespace

void check_step_control(Resolver& resolver) {
    StepControlCheck check(resolver);
    check.check_limits();
    if (resolver.scenario.step_control.controller == StepController::fixed)
        return check.remark_without_effect();
    check.check_order();
    check.check_units();
    check.check_coupling();
}

} // namespace rubato::scenario
