// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "events/event_search.hpp"
#include "execution/checkpoint.hpp"
#include "execution/executor.hpp"
#include "motion.hpp"
#include "program/compiler.hpp"
#include "step_controller.hpp"

#include <rubato/scenario/step_limits.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato::engine {

/// What limits the length of steps, besides the step size itself: each part of it says when the
/// next step is to end at the latest.
///
///   sampling    where an instant is to be a communication point
///   crossings   before a crossing that lies ahead, as far as it is not certain when; then just
///               behind it (only where steps cannot be taken back to it)
///   changes     where a value will have changed by as much as it may; a step in which it has
///               changed by more is taken back and made shorter, where all units can go back
///   restart     after an event nothing is known of what comes: steps begin short and grow
///
/// Allocates nothing.
class StepLimits final : public StepController {
public:
    /// What is passed must outlive it. `search` is null where events are not looked for.
    struct Parts {
        const scenario::Experiment& experiment;
        const scenario::System& system;
        Compiled& compiled;
        std::span<const std::unique_ptr<unit::Unit>> units;
        Executor& executor;
        EventSearch* search;
        Summary& summary;
    };
    /// Null: nothing limits steps.
    static std::unique_ptr<StepLimits> make(const scenario::StepLimitSettings& settings,
                                            const Parts& parts);

    Time latest_end(Time now, Duration longest) const override;
    bool judges() const override { return follows_values(); }
    Checkpoint* checkpoint() override { return checkpoint_ ? &*checkpoint_ : nullptr; }
    Attempt begin(const Attempt& wanted) override;
    Judgement judge(const Attempt& made, Flow flow) override;
    void commit(const MadeStep& step) override;
    void restart(Time now) override;
    void jump(Time now) override;
    void conclude(Summary& summary) const override { summary.exceeded_most = worst_exceeded(); }
    void visit_state(StateArchive& archive) override {
        archive(crossings_, changes_, growing_, worst_.factor, worst_.when);
        std::size_t worst = 0; // of the limits; behind the last: none
        const auto& limits = system_.limited_changes;
        while (worst < limits.size() && &limits[worst] != worst_.limit) ++worst;
        archive(worst);
        worst_.limit = worst < limits.size() ? &limits[worst] : nullptr;
    }

private:
    StepLimits(const scenario::StepLimitSettings& settings, const Parts& parts);

    /// An output, or the difference of two.
    struct Quantity {
        Storage storage = Storage::real;
        std::uint32_t slot = 0;
        std::optional<std::pair<Storage, std::uint32_t>> minus;
    };
    struct Crossing {
        Quantity quantity;
        double level = 0;
        Motion motion;

        void visit_state(StateArchive& archive) { archive(motion); }
    };
    struct Change {
        Quantity quantity;
        const scenario::LimitedChange* limit = nullptr;
        Motion motion;
        double before = 0; ///< at the start of the step under way

        void visit_state(StateArchive& archive) { archive(motion, before); }
    };
    struct Exceeded {
        double factor = 0;
        const scenario::LimitedChange* limit = nullptr;
        Time when;
    };

    double number(const Quantity& quantity) const;
    Duration until_crossing(const Crossing& crossing) const;
    Duration until_changed(const Change& change, Duration longest) const;
    Time next_sample(const scenario::SamplingInstants& sampling, Time now) const;
    /// What has changed by too much most of all; empty: nothing has.
    std::string worst_exceeded() const;
    /// How many times what is allowed the worst of the changes is.
    Exceeded largest_change(Time now) const;
    bool follows_values() const { return !crossings_.empty() || !changes_.empty(); }

    const scenario::StepLimitSettings settings_;
    const scenario::System& system_;
    const Buffers& buffers_;
    Executor& executor_;
    EventSearch* search_;
    Summary& summary_;
    double start_;
    Duration rounding_;  ///< what is nearer is now
    Duration shortest_;  ///< no limit makes steps shorter
    Duration tolerance_; ///< of crossings
    Duration first_;     ///< step after a restart
    std::vector<Crossing> crossings_;
    std::vector<Change> changes_;
    std::optional<Checkpoint> checkpoint_; ///< none: nothing to be taken back, or a unit cannot go
    Duration growing_;                     ///< longest step so soon after a restart
    Exceeded worst_;
};

} // namespace rubato::engine
