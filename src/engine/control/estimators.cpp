// SPDX-License-Identifier: Apache-2.0
#include "estimators.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::engine {

namespace {

/// What an error is held against: the nominal value stands for the absolute part.
double scale(const Source& source) { return source.nominal + std::abs(source.value); }

/// |u - p| / (tolerance · (nominal + |u|)) at the worst place of the step, for the worst input: how
/// far inputs were continued (p) from what they turned out to be (u). It is O(step^(k+1)) for an
/// approximation of order k, as the error that it causes is over a given time.
class Predictor final : public Estimator {
public:
    Predictor(double tolerance, const scenario::System& system, const Couplings& couplings)
        : tolerance_(tolerance), system_(system), couplings_(couplings) {}

    Estimate estimate(const Couplings& couplings, std::size_t configuration) override {
        Estimate worst;
        const auto inputs = couplings.in(configuration);
        for (std::uint32_t i = 0; i < inputs.size(); ++i) {
            const double allowed = tolerance_ * scale(couplings.sources()[inputs[i].source]);
            const double error = couplings.largest_bound(inputs[i]) / allowed;
            if (error > worst.error) worst = {error, i};
        }
        return worst;
    }

    std::string name_of(std::uint32_t culprit, std::size_t configuration) const override {
        const Coupling& coupling = couplings_.in(configuration)[culprit];
        return format("{} -> {}", system_.name_of(couplings_.sources()[coupling.source].port),
                      system_.name_of(coupling.to));
    }

private:
    double tolerance_;
    const scenario::System& system_;
    const Couplings& couplings_;
};

/// |y - y'| / (2^p - 1) · span / step / (tolerance · (nominal + |y|)): y' after the step in one, y
/// after its halves, which are kept; p is the order of the coupling. The sum over all steps is the
/// tolerance if each has its share by its length. It is O(step^p).
class Richardson final : public Estimator {
public:
    Richardson(double tolerance, const scenario::System& system, const Couplings& couplings,
               Duration span)
        : tolerance_(tolerance), system_(system), couplings_(couplings), span_(span),
          whole_(couplings.sources().size()) {}

    bool halves_steps() const override { return true; }

    void keep_whole(const Couplings& couplings) override {
        std::ranges::transform(couplings.sources(), whole_.begin(), &Source::value);
    }

    Estimate estimate(const Couplings& couplings, std::size_t configuration) override {
        const double of_halves = 1 / (std::pow(2, couplings.order(configuration)) - 1);
        const double share = couplings.step().seconds / span_.seconds;
        Estimate worst;
        for (std::uint32_t i = 0; i < whole_.size(); ++i) {
            const Source& source = couplings.sources()[i];
            const double difference = std::abs(source.value - whole_[i]);
            const double error = difference * of_halves / (share * tolerance_ * scale(source));
            if (error > worst.error) worst = {error, i};
        }
        return worst;
    }

    std::string name_of(std::uint32_t culprit, std::size_t) const override {
        return system_.name_of(couplings_.sources()[culprit].port);
    }

private:
    double tolerance_;
    const scenario::System& system_;
    const Couplings& couplings_;
    Duration span_;
    std::vector<double> whole_;
};

/// (|Δe| (f₀ + |f|) + (e₀ + |e|) |Δf|) / (tolerance · (e₀ + |e|) (f₀ + |f|)) for the worst bond at
/// the worst place: how far the two sides are from seeing the same power. The residual itself,
/// Δe f - e Δf, on which ECCO builds (Sadjina, Kyllingstad, Skjong, Pedersen 2017), vanishes
/// several times in each oscillation, whatever the step: so its terms do not cancel here, and
/// nominal values keep them from vanishing with effort or flow. It is O(step^(k+1)) for
/// approximations of order k.
class Energy final : public Estimator {
public:
    Energy(double tolerance, const scenario::System& system, const Couplings& couplings)
        : tolerance_(tolerance), system_(system) {
        const std::size_t configurations = std::max<std::size_t>(1, system.configurations.size());
        for (const scenario::Bond& bond : system.bonds)
            accounts_.emplace_back(bond, couplings, configurations);
    }

    Estimate estimate(const Couplings& couplings, std::size_t configuration) override {
        Estimate worst;
        for (std::uint32_t i = 0; i < accounts_.size(); ++i) {
            const BondStep step = accounts_[i].over_step(couplings, configuration);
            const double error = step.relative_error / tolerance_;
            if (error > worst.error) worst = {error, i};
        }
        return worst;
    }

    std::string name_of(std::uint32_t culprit, std::size_t) const override {
        return format("bond \"{}\"", system_.bonds[culprit].name);
    }

private:
    double tolerance_;
    const scenario::System& system_;
    std::vector<BondAccount> accounts_;
};

/// (‖y - y'‖₂ + weight · ‖y - y'‖_max) / tolerance, relative to nominal values: y' what the first
/// iteration of the step gave, from values of its start, and y what it converged to (Awais,
/// Palensky, Gawlik and De-Cillia 2015).
class Divergence final : public Estimator {
public:
    Divergence(const scenario::StepControlSettings& settings, const scenario::System& system,
               const Executor& executor)
        : settings_(settings), system_(system), executor_(executor) {}

    bool only_steers() const override { return true; }

    Estimate estimate(const Couplings&, std::size_t) override {
        const Executor::Divergence& seen = executor_.divergence();
        const double size =
            std::sqrt(seen.sum_of_squares) + settings_.divergence_weight * seen.largest;
        return {size / settings_.tolerance, seen.where.value};
    }

    std::string name_of(std::uint32_t culprit, std::size_t) const override {
        return system_.name_of(PortId{culprit});
    }

private:
    const scenario::StepControlSettings& settings_;
    const scenario::System& system_;
    const Executor& executor_;
};

} // namespace

std::unique_ptr<Estimator> make_estimator(const scenario::StepControlSettings& settings,
                                          const scenario::System& system,
                                          const Couplings& couplings, const Executor* executor,
                                          Duration span) {
    const double tolerance = settings.tolerance;
    switch (settings.controller) {
    case scenario::StepController::richardson:
        return std::make_unique<Richardson>(tolerance, system, couplings, span);
    case scenario::StepController::energy:
        return std::make_unique<Energy>(tolerance, system, couplings);
    case scenario::StepController::divergence:
        return std::make_unique<Divergence>(settings, system, *executor);
    case scenario::StepController::predictor:
    case scenario::StepController::fixed: break;
    }
    return std::make_unique<Predictor>(tolerance, system, couplings);
}

} // namespace rubato::engine
