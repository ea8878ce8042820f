// SPDX-License-Identifier: Apache-2.0
#include "describe.hpp"
#include "explorer.hpp"
#include "form.hpp"

#include <rubato/algorithm/verify.hpp>
#include <rubato/private/format.hpp>

namespace rubato::algorithm {

namespace {

/// Everything that needs no run; in the order in which one check relies on the other.
std::vector<Violation> check_statically(const scenario::System& system, const Algorithm& algorithm,
                                        const std::vector<verification::Mode>& modes) {
    std::vector<Violation> violations = verification::check_use(system, algorithm, modes);
    for (Violation& race : verification::check_races(system, algorithm, modes))
        violations.push_back(std::move(race));
    for (Violation& event : verification::check_events(system, algorithm))
        violations.push_back(std::move(event));
    return violations;
}

Violation too_much(const verification::Exploration& exploration) {
    return {format("no fault in the first {} runs, but there are more than can be explored",
                   exploration.runs),
            "make the largest step smaller, or put all units that can reject a step into one "
            "negotiation that rolls back what it steps",
            {}};
}

} // namespace

Outcome Verdict::outcome() const {
    if (!violations.empty()) return Outcome::wrong;
    return undecided ? Outcome::not_decided : Outcome::correct;
}

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
    case Outcome::correct: return "correct";
    case Outcome::wrong: return "wrong";
    case Outcome::not_decided: break;
    }
    return "not decided";
}

std::string_view to_string(Coverage coverage) {
    switch (coverage) {
    case Coverage::every_run: return "every run";
    case Coverage::representatives: return "representatives of every run";
    case Coverage::incomplete: break;
    }
    return "incomplete";
}

Verdict verify(const scenario::System& system, const Algorithm& algorithm, const Effort& effort) {
    Verdict verdict;
    verdict.violations = verification::check_form(system, algorithm);
    if (!verdict.correct()) return verdict;
    const std::vector<verification::Mode> modes = verification::modes_of(system, algorithm);
    verdict.violations = check_statically(system, algorithm, modes);
    if (!verdict.correct()) return verdict;

    const verification::Exploration exploration =
        verification::explore(system, algorithm, modes, effort);
    verdict.runs = exploration.runs;
    verdict.coverage = exploration.coverage;
    verification::Describer describer(system, algorithm, modes);
    for (const verification::Finding& finding : exploration.findings)
        verdict.violations.push_back(describer.describe(finding));
    if (verdict.correct() && verdict.coverage == Coverage::incomplete)
        verdict.undecided = too_much(exploration);
    return verdict;
}

} // namespace rubato::algorithm
