// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/sweep_plan.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/unit/library.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Many runs of one scenario with other values each time (docs/how-to/sweep.md).
namespace rubato::pipeline {

/// How a run of a sweep has ended.
enum class CaseEnd : std::uint8_t {
    completed, ///< the stop time was reached
    ended,     ///< a unit asked for the end before
    failed,
};
std::string_view to_string(CaseEnd end);

/// What a run of a sweep gave.
struct CaseResult {
    std::size_t run = 0; ///< its number in the plan
    CaseEnd end = CaseEnd::failed;
    std::string reason = {};            ///< why it has not completed
    std::vector<double> outcomes = {};  ///< NaN: there is none
    std::vector<float> trajectory = {}; ///< by drawn variable: its values at the drawn times
};

struct DrawnVariable {
    std::string name; ///< "msd1.x1"
    std::string unit; ///< of measure; empty: none is known
};

struct SweepRunSettings {
    unsigned parallel = 1;                            ///< runs at the same time
    std::optional<double> limit = {};                 ///< of each run [s of wall clock]
    const std::atomic<bool>* stop = nullptr;          ///< ends the sweep when it becomes true
    std::function<void(CaseResult&&)> on_result = {}; ///< in the order in which runs end
    std::function<void()> pulse = {};                 ///< called at least 10 times a second
};

class Sweep {
public:
    /// Checks all that is varied and all outcomes. `outcomes` are such as `last:msd1.x1`,
    /// `max:msd1.*` and `when:msd1.x1>0.5`; none: last, min and max of every recorded variable.
    /// Throws InputError. `library` must outlive the sweep.
    Sweep(scenario::Scenario scenario, unit::Library& library, SweepPlan plan,
          std::span<const std::string> outcomes);
    ~Sweep();
    Sweep(const Sweep&) = delete;
    Sweep& operator=(const Sweep&) = delete;

    const SweepPlan& plan() const;
    const scenario::Scenario& scenario() const; ///< without what is varied
    std::vector<std::string> outcome_names() const;
    const std::vector<DrawnVariable>& drawn() const;
    const std::vector<double>& drawn_times() const;

    /// Makes some of the runs, in processes of their own, several at the same time. A result depends
    /// on its run alone. A run that fails or crashes is a result, too.
    void run(std::span<const std::size_t> runs, const SweepRunSettings& settings);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace rubato::pipeline
