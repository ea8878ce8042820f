// SPDX-License-Identifier: Apache-2.0
#include "runs.hpp"

#include <algorithm>
#include <utility>

namespace rubato::test {

using scenario::System;

namespace {

constexpr int steps_in_run = 3;

/// Numbers the circumstances of a step: digits in a mixed base.
class Numbering {
public:
    explicit Numbering(const System& system)
        : system_(system), configurations_(std::max<std::size_t>(1, system.configurations.size())),
          largest_(static_cast<std::size_t>(system.largest_step)) {}

    /// In the first step of a run the configuration is the first, and the largest step is wanted.
    std::uint64_t count(bool first) const {
        std::uint64_t count = first ? 1 : configurations_ * largest_;
        for (const scenario::SystemUnit& unit : system_.units) {
            if (unit.can_reject_step) count *= largest_;
        }
        return count;
    }

    Circumstances at(std::uint64_t number, bool first) const {
        const auto digit = [&](std::size_t base) {
            return std::exchange(number, number / base) % base;
        };
        Circumstances result{0, system_.largest_step, {}};
        if (!first) {
            result.configuration = digit(configurations_);
            result.wanted = 1 + static_cast<int>(digit(largest_));
        }
        for (const scenario::SystemUnit& unit : system_.units) {
            result.tolerated.push_back(unit.can_reject_step ? 1 + static_cast<int>(digit(largest_))
                                                            : system_.largest_step);
        }
        return result;
    }

private:
    const System& system_;
    std::size_t configurations_, largest_;
};

} // namespace

std::vector<Run> runs_of(const System& system, std::size_t most) {
    const Numbering numbering(system);
    const std::uint64_t first = numbering.count(true);
    const std::uint64_t later = numbering.count(false);
    const std::uint64_t total = first * later * later;
    const std::uint64_t count = std::min<std::uint64_t>(most, total);
    std::vector<Run> runs;
    for (std::uint64_t n = 0; n < count; ++n) {
        std::uint64_t number = count == total ? n : (n * 0x9e3779b97f4a7c15U) % total;
        Run run{numbering.at(number % first, true)};
        number /= first;
        for (int step = 1; step < steps_in_run; ++step) {
            run.push_back(numbering.at(number % later, false));
            number /= later;
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

std::string describe(const System& system, const Run& run) {
    std::string text;
    for (const Circumstances& step : run) {
        text += "step by " + std::to_string(step.wanted);
        if (!system.configurations.empty()) {
            text += " in " + system.configurations[step.configuration].name;
        }
        for (std::size_t u = 0; u < system.units.size(); ++u) {
            if (!system.units[u].can_reject_step) continue;
            text += ", " + system.units[u].name + " accepts " + std::to_string(step.tolerated[u]);
        }
        text += "\n";
    }
    return text;
}

} // namespace rubato::test
