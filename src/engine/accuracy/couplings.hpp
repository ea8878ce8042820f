// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/compiler.hpp"

#include <rubato/core/time.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/unit/unit.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace rubato::engine {

/// A continuous real output that feeds inputs, or an element of one, at the last communication
/// points and at the end of the step under way.
struct Source {
    PortId port;
    std::uint32_t element = 0;
    const double* slot = nullptr; ///< where the executor keeps its value
    double nominal = 1;
    double value = 0;             ///< at the end of the step under way
    double middle = 0;            ///< and between its halves, where it is made in two
    std::array<double, 3> past{}; ///< at the last communication points, the newest first
    unsigned known = 0;           ///< how many of them
    /// Divided differences of order 1 to 3 through the end and so many of them.
    std::array<double, 3> differences{};

    void visit_state(StateArchive& archive) { archive(value, middle, past, known, differences); }
};

/// An input fed by a source, and how it was continued over the step.
struct Coupling {
    std::uint32_t source = 0; ///< index
    PortId to;
    unsigned order = 0;     ///< of the polynomial
    bool knows_end = false; ///< through the value at the end of the step; else only those before
    /// Where its pieces join continuously: who keeps by how much the last one missed the new
    /// sample.
    std::optional<std::uint32_t> joint = {};
};

/// A value elsewhere that an input gets, and how that is continued.
struct FollowedInput {
    const double* slot = nullptr;
    double nominal = 1;
    unsigned order = 0;
    bool knows_end = false, joins = false;
};

/// Where in a step.
enum class Place : std::uint8_t { start, middle, end };

/// What crosses between units, seen from outside. What an input was given over a step is a
/// polynomial through samples of its source; what it should have been is taken to be the polynomial
/// through one sample more. Their difference is known without calling any unit.
class Couplings {
public:
    Couplings(const scenario::System& system, const Compiled& compiled);
    /// Of values elsewhere: ports are numbered as they are.
    explicit Couplings(std::span<const FollowedInput> inputs);

    /// Forgets what has been; `now` is the first communication point.
    void restart(Time now);
    /// Forgets what has been: other outputs are read from here on.
    void forget();
    /// Events have been handled: of values that have jumped, what was before says nothing.
    void jump();
    /// Units change their order. Outputs that the old order propagated before their feed-through
    /// inputs were available, and that the new order does not, are no longer stale: their change is
    /// treated as a jump, not as an error.
    void change_order(std::size_t before, std::size_t after);
    /// A step has ended: its values are looked at. It may yet be taken back.
    void sample(Time end);
    /// Whether the step under way has been sampled.
    bool is_sampled() const { return is_sampled_; }
    /// The first half of a step has ended: its values are kept.
    void keep_middle(Time middle);
    void forget_middle() { middle_.reset(); }
    /// Between the halves of the step made last; none: it was made in one.
    std::optional<Time> middle() const { return middle_; }
    /// The first half is looked at as a step of its own, before the second is sampled again.
    void sample_middle();
    /// The step sampled last is one for good.
    void accept(std::size_t configuration);

    void visit_state(StateArchive& archive) {
        archive(sources_, joints_, next_joints_, end_, times_, middle_);
    }

    std::span<const Source> sources() const { return sources_; }
    /// In the n-th configuration.
    std::span<const Coupling> in(std::size_t configuration) const {
        return couplings_[configuration];
    }
    /// The coupling that leads to an element of an input; null: there is none.
    const Coupling* find(std::size_t configuration, PortId to, std::uint32_t element) const;

    Duration step() const { return {end_ - times_[0]}; }
    Time end() const { return {end_}; }
    /// What the input was given less what it should have been, in terms of its source; 0 where too
    /// few samples show.
    double deviation(const Coupling& coupling, Place place) const;
    /// The same, but where there are too few samples, all that the value has changed by.
    double bound(const Coupling& coupling, Place place) const;
    /// The largest ones over the step, without their sign.
    double largest_deviation(const Coupling& coupling) const;
    double largest_bound(const Coupling& coupling) const;
    /// What the source should have been there.
    double value(const Source& source, Place place) const;
    /// Of the deviation in terms of the step: deviation ~ step^order.
    unsigned order(std::size_t configuration) const { return orders_[configuration]; }

private:
    /// Of the polynomial, as far as there are samples; nullopt: too few to estimate what it misses.
    std::optional<unsigned> present_order(const Coupling& coupling) const;
    double at(Place place) const;
    void find_differences(Time end);
    /// What the joint leaves of it there.
    double remainder(const Coupling& coupling, double t) const;
    void note_joints(std::size_t configuration);
    void go_on();
    std::uint32_t joint_of(PortId input, std::uint32_t element);
    void add(const scenario::System& configured, const Compiled& compiled);
    void find_stale_feedthrough(std::span<const scenario::System> systems);
    bool propagate_staleness(const scenario::System& system, std::size_t configuration);
    std::uint32_t source(const scenario::Port& port, PortId id, std::uint32_t element,
                         const double* slot);

    std::vector<Source> sources_;
    std::unordered_map<const double*, std::uint32_t> index_; ///< of sources, by slot
    std::vector<std::vector<Coupling>> couplings_;           ///< by configuration
    std::vector<unsigned> orders_;                           ///< by configuration
    /// By configuration and source: whether it is propagated before an input is known that feeds
    /// through to it.
    std::vector<std::vector<bool>> has_stale_feedthrough_;
    std::map<std::pair<PortId, std::uint32_t>, std::uint32_t> joint_index_; ///< by input, element
    std::vector<double> joints_, next_joints_; ///< deviation at the end of the last step
    double end_ = 0;
    std::optional<Time> middle_;
    bool is_sampled_ = false;
    std::array<double, 3> times_{}; ///< of the past, the newest first
};

} // namespace rubato::engine
