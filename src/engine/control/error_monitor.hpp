// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accuracy/couplings.hpp"
#include "accuracy/trust_meter.hpp"
#include "step_controller.hpp"

namespace rubato::engine {

/// Follows what crosses between units in accepted steps, and adds up what that has done wrong.
class ErrorMonitor final : public StepController {
public:
    /// They must outlive it. `meter` is null where errors are not estimated.
    ErrorMonitor(Couplings& couplings, TrustMeter* meter) : couplings_(couplings), meter_(meter) {}

    void commit(const MadeStep& step) override {
        if (meter_) meter_->begin_step();
        const bool is_halved = couplings_.middle() && *couplings_.middle() < step.end;
        if (is_halved) {
            couplings_.sample_middle();
            accept(step.configuration);
        }
        if (is_halved || !couplings_.is_sampled()) couplings_.sample(step.end);
        accept(step.configuration);
    }
    void restart(Time now) override { couplings_.restart(now); }
    void jump(Time) override { couplings_.jump(); }
    void visit_state(StateArchive& archive) override {
        archive(couplings_);
        if (meter_) archive(*meter_);
    }

private:
    void accept(std::size_t configuration) {
        if (meter_) meter_->note(couplings_, configuration);
        couplings_.accept(configuration);
    }

    Couplings& couplings_;
    TrustMeter* meter_;
};

} // namespace rubato::engine
