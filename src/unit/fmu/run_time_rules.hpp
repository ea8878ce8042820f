// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fault_sink.hpp"

#include <rubato/core/log.hpp>
#include <rubato/unit/rules.hpp>

#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rubato::unit {

/// The rules that an instance of an FMU breaks while it runs, and that Rubato can do without.
class RunTimeRules {
public:
    /// `sink` must outlive the object.
    RunTimeRules(Log& log, std::string unit, Strictness strictness, FaultSink& sink)
        : log_(log), unit_(std::move(unit)), strictness_(strictness), sink_(sink) {}

    /// The instance has broken a rule in `call`. Logs it when it is the first time; with
    /// --strict it is a fault.
    [[gnu::cold]] void broken(Rule rule, std::string_view call, std::string_view what);

    /// While paused, nothing is logged and nothing is a fault.
    void pause(bool on) { is_paused_ = on; }

    /// Strings as `call` has given them; a null pointer is an empty one.
    void take_strings(std::span<const char* const> texts, std::span<std::string> targets,
                      std::string_view call);

    /// The time of the next event as `call` announces it; nullopt: there is none.
    std::optional<double> next_event(double announced, std::string_view call);

private:
    Log& log_;
    std::string unit_;
    Strictness strictness_;
    FaultSink& sink_;
    bool is_paused_ = false;
    std::bitset<256> told_; ///< by rule
};

} // namespace rubato::unit
