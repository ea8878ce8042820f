// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "me/solved_unit.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rubato::unit {

/// What a fake model is and does. Defaults: x' = 0, no events.
struct Fake {
    using Vector = std::vector<double>;

    Vector x = {0};
    Vector nominals = {};
    std::vector<std::vector<std::uint32_t>> depends_on = {}; ///< empty: not told
    std::function<void(double t, const Vector& x, double u, Vector& dx)> derivatives =
        [](double, const Vector&, double, Vector& dx) { dx.assign(dx.size(), 0); };
    std::size_t indicator_count = 0;
    std::function<void(double t, const Vector& x, double u, std::span<double> z)> indicators = {};
    std::function<EventRound(double t, Vector& x)> event = [](double, Vector&) {
        return EventRound{};
    };
    std::function<CompletedStep(double t)> completed = [](double) { return CompletedStep{}; };
    std::function<bool(double t, const Vector& x)> refuses = [](double, const Vector&) {
        return false;
    };
    /// dx = J · seed; none: the model has no directional derivatives.
    std::function<void(const Vector& x, const Vector& seed, std::span<double> dx)> variation = {};
    bool has_snapshots = true;
    bool shares_events = false; ///< it has event mode, and a discrete output
};

/// What happened to it.
struct Seen {
    std::vector<double> events;     ///< times of event rounds
    std::vector<std::string> modes; ///< entered, in order
    int variations = 0;
};

inline constexpr ValueRef input_u = 100, input_n = 101, output_y = 102;
inline constexpr ValueRef first_derivative = 50;

/// A model made of functions. Its states are x1, x2, … with references from 0 on, its inputs u
/// (real) and n (an integer).
class FakeModel final : public ModelExchange, private Snapshots, private DirectionalDerivatives {
public:
    FakeModel(Fake fake, Seen& seen) : fake_(std::move(fake)), seen_(seen), x_(fake_.x) {}

    void enter_initialization(const Horizon& horizon) override { time_ = horizon.start.seconds; }
    void exit_initialization() override {}
    void terminate() override {}
    void set(const Bulk& values) override {
        if (values.type == ValueType::int32) n_ = values.integers()[0];
        if (values.type == ValueType::float64 && values.references[0] == input_u)
            u_ = values.reals()[0];
    }
    bool try_get(const Bulk& values) override {
        get(values);
        return true;
    }
    void get(const Bulk& values) override {
        if (values.type == ValueType::int32) values.integers()[0] = n_;
        if (values.type != ValueType::float64) return;
        for (std::size_t i = 0; i < values.count; ++i) {
            const ValueRef reference = values.references[i];
            values.reals()[i] = reference < x_.size() ? x_[reference] : u_;
        }
    }
    std::size_t state_count() override { return x_.size(); }
    std::size_t indicator_count() override { return fake_.indicator_count; }
    void enter_event_mode() override { seen_.modes.emplace_back("event"); }
    EventRound update_discrete_states() override {
        seen_.events.push_back(time_);
        return fake_.event(time_, x_);
    }
    void enter_continuous_time_mode() override { seen_.modes.emplace_back("continuous"); }
    Evaluation try_inputs(std::span<const ValueRef>, std::span<const double> values) override {
        u_ = values[0];
        return Evaluation::done;
    }
    Evaluation try_point(double time, std::span<const double> states) override {
        time_ = time;
        x_.assign(states.begin(), states.end());
        return fake_.refuses(time, x_) ? Evaluation::refused : Evaluation::done;
    }
    Evaluation get_derivatives(std::span<double> derivatives) override {
        dx_.resize(x_.size());
        fake_.derivatives(time_, x_, u_, dx_);
        std::copy(dx_.begin(), dx_.end(), derivatives.begin());
        return Evaluation::done;
    }
    Evaluation get_indicators(std::span<double> indicators) override {
        if (!indicators.empty()) fake_.indicators(time_, x_, u_, indicators);
        return Evaluation::done;
    }
    void get_states(std::span<double> states) override {
        std::copy(x_.begin(), x_.end(), states.begin());
    }
    void get_nominals(std::span<double> nominals) override {
        std::fill(nominals.begin(), nominals.end(), 1.0);
        std::copy(fake_.nominals.begin(), fake_.nominals.end(), nominals.begin());
    }
    CompletedStep complete_step(bool) override { return fake_.completed(time_); }
    Snapshots* snapshots() noexcept override { return fake_.has_snapshots ? this : nullptr; }
    DirectionalDerivatives* directional_derivatives() noexcept override {
        return fake_.variation == nullptr ? nullptr : this;
    }
    void save(std::uint32_t slot) override { saved_[slot] = {time_, u_, x_, n_}; }
    void restore(std::uint32_t slot) override {
        const Saved& saved = saved_.at(slot);
        time_ = saved.time;
        u_ = saved.u;
        x_ = saved.x;
        n_ = saved.n;
    }
    Evaluation directional_derivative(std::span<const ValueRef>, std::span<const ValueRef> knowns,
                                      std::span<const double> seed,
                                      std::span<double> sensitivity) override {
        ++seen_.variations;
        std::vector<double> full(x_.size());
        for (std::size_t i = 0; i < knowns.size(); ++i) full[knowns[i]] = seed[i];
        fake_.variation(x_, full, sensitivity);
        return Evaluation::done;
    }

private:
    struct Saved {
        double time, u;
        std::vector<double> x;
        std::int64_t n;
    };
    Fake fake_;
    Seen& seen_;
    double time_ = 0, u_ = 0;
    std::int64_t n_ = 0;
    std::vector<double> x_, dx_;
    std::map<std::uint32_t, Saved> saved_;
};

/// A unit that solves a fake model, with all it refers to.
class FakeUnit {
public:
    explicit FakeUnit(Fake fake, scenario::SolverSettings settings = {}, Log& log = silent_log()) {
        const auto add = [&](std::string name, ValueRef reference, scenario::Causality causality) {
            scenario::Variable& variable = description_.variables.emplace_back();
            variable.name = std::move(name);
            variable.reference = reference;
            variable.causality = causality;
            return static_cast<std::uint32_t>(description_.variables.size() - 1);
        };
        for (std::uint32_t i = 0; i < fake.x.size(); ++i) {
            ContinuousStructure::State& state = structure_.states.emplace_back();
            const std::string name = "x" + std::to_string(i + 1);
            state.variable = add(name, i, scenario::Causality::local);
            state.derivative =
                add("der(" + name + ")", first_derivative + i, scenario::Causality::local);
            if (!fake.depends_on.empty()) state.depends_on = fake.depends_on[i];
        }
        add("u", input_u, scenario::Causality::input);
        add("n", input_n, scenario::Causality::input);
        description_.variables.back().type = ValueType::int32;
        description_.variables.back().variability = scenario::Variability::discrete;
        structure_.event_indicators = fake.indicator_count;
        description_.capabilities.intermediate_outputs = true;
        if (fake.shares_events) {
            description_.capabilities.event_mode = true;
            add("y", output_y, scenario::Causality::output);
            description_.variables.back().variability = scenario::Variability::discrete;
        }
        unit_ = std::make_unique<SolvedUnit>(
            "it", description_, structure_, settings, log, Strictness::lenient,
            [&](FaultSink&) { return std::make_unique<FakeModel>(std::move(fake), seen); });
    }

    Unit* operator->() const { return unit_.get(); }
    const SolverStatistics& statistics() const { return *unit_->solver_statistics(); }

    void initialize() {
        unit_->enter_initialization({});
        unit_->exit_initialization();
        seen.modes.clear();
        seen.events.clear();
    }
    double x(ValueRef state = 0) {
        double value = 0;
        unit_->get({ValueType::float64, {&state, 1}, &value, 1});
        return value;
    }
    void set_u(double value) { unit_->set({ValueType::float64, {&input_u, 1}, &value, 1}); }
    void set_n(std::int64_t value) { unit_->set({ValueType::int32, {&input_n, 1}, &value, 1}); }
    void derive_u(unsigned order, double value) {
        unit_->input_derivatives()->set({&input_u, 1}, order, {&value, 1});
    }
    /// Steps of `length` from 0 to `end`.
    void run(double end, double length) {
        const int count = static_cast<int>(end / length + 0.5);
        for (int i = 0; i < count; ++i) (void)unit_->step({i * length}, {length});
    }

    Seen seen;

private:
    scenario::UnitDescription description_;
    ContinuousStructure structure_;
    std::unique_ptr<Unit> unit_;
};

} // namespace rubato::unit
