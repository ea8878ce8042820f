// SPDX-License-Identifier: Apache-2.0
#include "euler_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace rubato::unit {

namespace {

class EulerIntegrator final : public Integrator {
public:
    EulerIntegrator(Equations& equations, std::optional<double> step, SolverStatistics& statistics)
        : equations_(equations), step_(step), statistics_(statistics),
          values_(2 * equations.dimension() + 2), derivatives_(equations.dimension()),
          before_(equations.indicator_count()), after_(equations.indicator_count()),
          changed_(equations.indicator_count()) {}

    void set_tolerance(double, std::span<const double>) override {} // its step is its accuracy
    void restart(double time, std::span<const double> x) override;
    Progress advance(double limit) override;
    std::span<const double> x() const override { return span(0); }
    void interpolate(double time, std::span<double> x) const override;
    std::span<const int> changed_indicators() const override { return changed_; }
    std::size_t saved_size() const override { return values_.size() * sizeof(double); }
    void save(std::byte* to) const override { std::memcpy(to, values_.data(), saved_size()); }
    void restore(const std::byte* from) override {
        std::memcpy(values_.data(), from, saved_size());
    }

private:
    std::span<double> span(std::size_t part) {
        return std::span(values_).subspan(part * equations_.dimension(), equations_.dimension());
    }
    std::span<const double> span(std::size_t part) const {
        return std::span(values_).subspan(part * equations_.dimension(), equations_.dimension());
    }
    double& time() { return values_.back(); }
    double& start() { return values_[values_.size() - 2]; }

    double next_stop(double limit) const;
    void move(double by);
    bool crosses(double time);
    double locate_event(double end);
    void require_done(Evaluation evaluation) const {
        if (evaluation == Evaluation::refused)
            throw SolverFault(equations_.explain_refusal(), "a smaller step may help");
    }

    Equations& equations_;
    std::optional<double> step_;
    SolverStatistics& statistics_;
    /// x and x at the start of the last step; when that was, and when the step ended.
    std::vector<double> values_;
    std::vector<double> derivatives_, before_, after_;
    std::vector<int> changed_;
};

void EulerIntegrator::restart(double now, std::span<const double> x) {
    std::ranges::copy(x, span(0).begin());
    std::ranges::copy(x, span(1).begin());
    time() = start() = now;
}

/// The step is a straight line.
void EulerIntegrator::interpolate(double time, std::span<double> x) const {
    const double begin = values_[values_.size() - 2], length = values_.back() - begin;
    const double part = length > 0 ? (time - begin) / length : 1;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = span(1)[i] + part * (span(0)[i] - span(1)[i]);
}

/// Equal steps up to the limit, none longer than the one asked for.
double EulerIntegrator::next_stop(double limit) const {
    const double ahead = limit - values_.back();
    const double count = step_ ? std::ceil(ahead / *step_ - 1e-9) : 1; // 0.1/0.01 is 10, not 11
    return count <= 1 ? limit : values_.back() + ahead / count;
}

void EulerIntegrator::move(double by) {
    for (std::size_t i = 0; i < derivatives_.size(); ++i)
        span(0)[i] = span(1)[i] + by * derivatives_[i];
}

Progress EulerIntegrator::advance(double limit) {
    const double end = next_stop(limit);
    start() = time();
    std::ranges::copy(span(0), span(1).begin());
    require_done(equations_.derivatives(start(), span(1), derivatives_));
    require_done(equations_.model().get_indicators(before_));
    ++statistics_.steps;
    const bool event = crosses(end);
    time() = event ? locate_event(end) : end;
    return {time(), event};
}

/// Moves to a time; whether an indicator has changed its sign until then. One that leaves zero,
/// where an event may have put it, has not.
bool EulerIntegrator::crosses(double to) {
    move(to - time());
    if (before_.empty()) return false;
    require_done(equations_.indicators(to, span(0), after_));
    bool any = false;
    for (std::size_t i = 0; i < before_.size(); ++i) {
        changed_[i] = before_[i] > 0 ? after_[i] <= 0 : before_[i] < 0 && after_[i] >= 0;
        any = any || changed_[i] != 0;
    }
    return any;
}

/// Bisection between the start of the step, before the event, and `end`, after it.
double EulerIntegrator::locate_event(double end) {
    double low = time(), high = end;
    const double rounding =
        16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(low), std::abs(high));
    while (high - low > rounding) {
        const double middle = low + (high - low) / 2;
        (crosses(middle) ? high : low) = middle;
    }
    crosses(high);
    return high;
}

} // namespace

std::unique_ptr<Integrator> make_euler_integrator(Equations& equations, std::optional<double> step,
                                                  SolverStatistics& statistics) {
    return std::make_unique<EulerIntegrator>(equations, step, statistics);
}

} // namespace rubato::unit
