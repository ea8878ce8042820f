// SPDX-License-Identifier: Apache-2.0
#include "link_unit.hpp"

#include <rubato/private/format.hpp>
#include <rubato/scenario/residual.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace rubato::unit {

namespace {

using scenario::Constraint;

/// Damps the multiplier of a link of positions alone. Spectral radius for two free masses: 0.55.
constexpr double position_damping = 0.05;

/// State feedback for masses that are free but for the multiplier: what is added to a multiplier is
/// gain (k1 x/H + k2 v + k3 w), where x, v and w are the deviations of the positions and of the
/// speeds, and the change of the latter in the last step. All poles are at p:
///
///     k1 = (1-p)³,  k3 = 1-p³,  k2 = 3 (1-p) - k1/2 - k3
struct Feedback {
    double position, speed, change;
    explicit Feedback(double pole)
        : position((1 - pole) * (1 - pole) * (1 - pole)),
          speed(3 * (1 - pole) - position / 2 - (1 - pole * pole * pole)),
          change(1 - pole * pole * pole) {}
};

bool is_solved(const scenario::Links& links) {
    return links.links.front().method != scenario::ConstraintMethod::stabilize;
}

/// Names without repetition, in the order in which they first occur.
struct Names {
    std::vector<std::string> all;
    std::size_t add(const std::string& name) {
        const auto found = std::ranges::find(all, name);
        if (found == all.end()) all.push_back(name);
        return static_cast<std::size_t>(std::ranges::find(all, name) - all.begin());
    }
};

struct Layout {
    Names measured, driven;
    explicit Layout(const scenario::Links& links) {
        for (const Constraint& link : links.links) {
            for (const Constraint::Level& level : link.levels) {
                measured.add(level.first);
                measured.add(level.second);
            }
            for (const Constraint::Effect& effect : link.by) driven.add(effect.input);
        }
    }
};

class LinkUnit final : public Unit, private Snapshots {
public:
    LinkUnit(std::string name, const scenario::Links& links,
             const scenario::UnitDescription& description)
        : Unit(std::move(name), description), is_solved_(unit::is_solved(links)) {
        Layout layout(links);
        for (const Constraint& link : links.links) {
            Link own{.weights = scenario::level_weights(link),
                     .gain = link.gain,
                     .time_constant = link.time_constant.value_or(0),
                     .damping = link.levels.size() == 1 && link.degree.value_or(1) >= 2
                                    ? position_damping
                                    : 0,
                     .degree = link.degree.value_or(1)};
            for (const Constraint::Level& level : link.levels)
                own.levels.emplace_back(layout.measured.add(level.first),
                                        layout.measured.add(level.second));
            for (const Constraint::Effect& effect : link.by)
                effects_.push_back({links_.size(), layout.driven.add(effect.input), effect.factor});
            links_.push_back(std::move(own));
        }
        now_.measured.assign(layout.measured.all.size(), 0);
        now_.guesses.assign(links_.size(), 0);
        for (Sample& sample : now_.past) {
            sample.multipliers.assign(links_.size(), 0);
            sample.deviations.assign(links_.size(), 0);
        }
        multipliers_.assign(links_.size(), 0);
        residuals_.assign(links_.size(), 0);
        deviations_.assign(links_.size(), 0);
        driven_.assign(layout.driven.all.size(), 0);
    }

    Abilities abilities() noexcept override {
        Abilities all = Abilities::none();
        all.snapshots = this;
        return all;
    }

private:
    struct Link {
        std::vector<double> weights; ///< by level
        std::vector<double> gain;    ///< by link
        double time_constant = 0;
        double damping = 0;
        int degree = 1; ///< 0: it holds at every instant, the first included
        std::vector<std::pair<std::size_t, std::size_t>> levels = {}; ///< what is to be equal
    };
    struct Effect {
        std::size_t link, driven;
        double factor;
    };
    struct Sample {
        std::vector<double> multipliers, deviations; ///< the latter of the highest levels
    };
    struct State {
        std::vector<double> measured, guesses;
        std::array<Sample, 2> past; ///< at the start of the last step, and of the one before
        std::size_t known = 0;      ///< how many of them
        double step = 0;            ///< the last one [s]
    };

    std::size_t first_guess() const { return now_.measured.size(); }
    std::size_t first_driven() const {
        return first_guess() + (is_solved_ ? links_.size() : std::size_t{0});
    }
    std::size_t first_multiplier() const { return first_driven() + driven_.size(); }

    double deviation(const Link& link, std::size_t level) const {
        return now_.measured[link.levels[level].first] - now_.measured[link.levels[level].second];
    }

    void update() {
        for (std::size_t l = 0; l < links_.size(); ++l) {
            const Link& link = links_[l];
            deviations_[l] = deviation(link, link.levels.size() - 1);
            residuals_[l] = is_solved_ ? weighted(link) : corrected(l);
        }
        for (std::size_t l = 0; l < links_.size(); ++l)
            multipliers_[l] = is_solved_ ? solved(l) : stabilized(l);
        std::ranges::fill(driven_, 0);
        const std::vector<double>& acting = is_solved_ ? now_.guesses : multipliers_;
        for (const Effect& effect : effects_)
            driven_[effect.driven] += effect.factor * acting[effect.link];
    }

    double weighted(const Link& link) const {
        double sum = 0;
        for (std::size_t k = 0; k < link.levels.size(); ++k)
            sum += link.weights[k] * deviation(link, k);
        return sum;
    }

    double applied_gain(std::size_t l) const {
        double sum = 0;
        for (std::size_t i = 0; i < links_.size(); ++i) sum += links_[l].gain[i] * residuals_[i];
        return sum;
    }

    double solved(std::size_t l) const {
        if (now_.known == 0 && links_[l].degree > 0) return 0;
        const double last = now_.past[0].multipliers[l];
        return now_.guesses[l] + applied_gain(l) - links_[l].damping * (now_.guesses[l] - last);
    }

    double pole(const Link& link) const { return std::exp(-now_.step / link.time_constant); }

    /// What the gain is applied to.
    double corrected(std::size_t l) const {
        if (now_.known == 0) return 0;
        const Link& link = links_[l];
        const double now = deviations_[l], last = now_.past[0].deviations[l];
        const double p = pole(link);
        if (link.degree == 1 && link.levels.size() == 1)
            return 2 * (1 - p) * now - (1 - p * p) * last;
        const Feedback k(p);
        if (link.degree == 1)
            return k.position * deviation(link, 0) / now_.step + k.speed * now +
                   k.change * (now - last);
        // Positions alone, whose gain is twice that of the speeds. Two units that start together
        // had the same speed.
        if (now_.known == 1)
            return (k.position * now + 2 * (k.speed + k.change) * (now - last)) / 2;
        const double bend = now - 2 * last + now_.past[1].deviations[l];
        return (k.position * now + k.speed * (now - last) + (k.speed / 2 + k.change) * bend) / 2;
    }

    double stabilized(std::size_t l) const {
        const double last = now_.past[0].multipliers[l];
        const double multiplier = last + applied_gain(l);
        if (links_[l].degree == 1 || now_.known < 2) return multiplier;
        // The bend of positions is that of two multipliers: the last one differs from their mean.
        const Feedback k(pole(links_[l]));
        return multiplier - (k.speed / 2 + k.change) * (last - now_.past[1].multipliers[l]) / 2;
    }

    void do_enter_initialization(const Horizon&) override {}
    void do_exit_initialization() override {}
    void do_terminate() override {}

    StepResult do_step(Time from, Duration by) override {
        update();
        std::swap(now_.past[0], now_.past[1]);
        now_.past[0].multipliers = is_solved_ ? now_.guesses : multipliers_;
        now_.past[0].deviations = deviations_;
        now_.known = std::min(now_.known + 1, now_.past.size());
        now_.step = by.seconds;
        return {from + by, StepEnd::completed};
    }

    void do_set(const Bulk& values) override {
        for (std::size_t i = 0; i < values.count; ++i) {
            const std::size_t variable = values.references[i];
            if (variable < first_guess())
                now_.measured[variable] = values.reals()[i];
            else if (variable < first_driven())
                now_.guesses[variable - first_guess()] = values.reals()[i];
            else
                fail("set", format("{} is no input", description().variables[variable].name));
        }
    }

    void do_get(const Bulk& values) override {
        update();
        for (std::size_t i = 0; i < values.count; ++i) values.reals()[i] = value_of(i, values);
    }

    double value_of(std::size_t i, const Bulk& values) const {
        const std::size_t variable = values.references[i];
        if (variable < first_guess()) return now_.measured[variable];
        if (variable < first_driven()) return now_.guesses[variable - first_guess()];
        if (variable < first_multiplier()) return driven_[variable - first_driven()];
        return multipliers_[variable - first_multiplier()];
    }

    void save(std::uint32_t slot) override {
        require(Call::save);
        if (slot >= saved_.size()) saved_.resize(slot + 1);
        saved_[slot] = now_;
    }
    void restore(std::uint32_t slot) override {
        require(Call::restore);
        now_ = saved_.at(slot);
        recover();
    }

    const bool is_solved_;
    std::vector<Link> links_;
    std::vector<Effect> effects_;
    State now_;
    std::vector<double> multipliers_, residuals_, deviations_, driven_;
    std::vector<State> saved_; ///< by slot
};

} // namespace

scenario::UnitDescription describe_links(const scenario::Links& links) {
    const Layout layout(links);
    scenario::UnitDescription result;
    result.model = "links";
    result.kind = "links";
    result.source = "constraints";
    result.description = "keeps outputs equal by computing inputs";
    std::vector<std::uint32_t> measured, guesses;
    const auto add = [&](const std::string& name, scenario::Causality causality) {
        scenario::Variable variable;
        variable.name = name;
        variable.causality = causality;
        variable.reference = static_cast<ValueRef>(result.variables.size());
        if (causality == scenario::Causality::input) variable.start = Value(0.0);
        result.variables.push_back(std::move(variable));
        return static_cast<std::uint32_t>(result.variables.size() - 1);
    };
    for (const std::string& name : layout.measured.all)
        measured.push_back(add(name, scenario::Causality::input));
    const bool solved = is_solved(links);
    for (const Constraint& link : links.links)
        if (solved) guesses.push_back(add(link.name + "-guess", scenario::Causality::input));
    for (const std::string& name : layout.driven.all) {
        const auto output = add(name, scenario::Causality::output);
        const auto& inputs = solved ? guesses : measured;
        result.dependencies.push_back({output, inputs, inputs});
    }
    std::vector<std::uint32_t> all = measured;
    all.insert(all.end(), guesses.begin(), guesses.end());
    for (const Constraint& link : links.links) {
        const auto output = add(link.name, scenario::Causality::output);
        // What no instant determines is 0 before the first step.
        const bool is_settled = solved && link.degree != 0;
        result.dependencies.push_back(
            {output, all, is_settled ? std::vector<std::uint32_t>{} : all});
    }
    result.capabilities.variable_step = true;
    result.capabilities.snapshots = true;
    return result;
}

std::unique_ptr<Unit> make_link_unit(std::string name, const scenario::Links& links,
                                     const scenario::UnitDescription& description) {
    return std::make_unique<LinkUnit>(std::move(name), links, description);
}

} // namespace rubato::unit
