// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "explorer.hpp"
#include "words.hpp"

#include <string>
#include <vector>

namespace rubato::algorithm::verification {

/// Writes down a run, an operation a line, with the times of those concerned.
class Tracer final : public StepObserver {
public:
    Tracer(const scenario::System& system, const std::vector<Mode>& modes)
        : system_(system), modes_(modes), lines_{"initialize:"} {}

    void on_step(std::size_t number, const ChosenStep& step) override;
    void on_operation(const Op& op, const State& state) override;
    void on_iteration(const Op& loop, int number, bool is_checked) override;

    std::vector<std::string> take() { return std::move(lines_); }

private:
    const scenario::System& system_;
    const std::vector<Mode>& modes_;
    std::vector<std::string> lines_;
};

} // namespace rubato::algorithm::verification
