// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run_time_rules.hpp"
#include "unit_log.hpp"

namespace rubato::unit {

/// Thrown instead of an Error where a call is only a trial.
struct TrialRefused {};

/// While it lives, calls into an instance are trials: one that it refuses throws a TrialRefused,
/// leaves the unit as it was and reports nothing.
class Trial {
public:
    Trial(bool& is_trial, UnitLog& log, RunTimeRules& rules)
        : is_trial_(is_trial), log_(log), rules_(rules) {
        set(true);
    }
    ~Trial() { set(false); }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

private:
    void set(bool on) {
        is_trial_ = on;
        log_.mute(on);
        rules_.pause(on);
    }

    bool& is_trial_;
    UnitLog& log_;
    RunTimeRules& rules_;
};

} // namespace rubato::unit
