// SPDX-License-Identifier: Apache-2.0
#include "descent.hpp"

#include <rubato/models.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/formats.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rubato::examples {

namespace {

class DescentRecorder final : public engine::Recorder {
public:
    explicit DescentRecorder(Descent& descent) : descent_(descent) {}

    void begin(std::span<const engine::Column> columns) override {
        if (columns.size() != 6)
            throw std::logic_error("record x, y, v_x, v_y, stair and contact, in this order");
        columns_ = {columns.begin(), columns.end()};
    }

    void record(Time time) override {
        const bool again = !descent_.times.empty() && descent_.times.back() == time.seconds;
        if (!again) descent_.times.push_back(time.seconds);
        for (std::size_t i = 0; i < 4; ++i) {
            if (again) descent_.motion[i].pop_back();
            descent_.motion[i].push_back(*static_cast<const double*>(columns_[i].value));
        }
        const Decision decision = {
            time.seconds, static_cast<int>(*static_cast<const std::int64_t*>(columns_[4].value)),
            *static_cast<const bool*>(columns_[5].value)};
        if (descent_.decisions.empty() || !descent_.decisions.back().same_as(decision))
            descent_.decisions.push_back(decision);
    }

    void end() override {}

private:
    Descent& descent_;
    std::vector<engine::Column> columns_;
};

} // namespace

Descent descend(const std::string& file, const Settings& settings) {
    Diagnostics diagnostics;
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    scenario::Scenario scenario = pipeline::read(file, settings.overrides, diagnostics);
    diagnostics.throw_if_errors();
    settings.change(scenario);
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation =
        pipeline::build(assembly, library, silent_log(), {.points = settings.points});
    Descent descent;
    DescentRecorder recorder(descent);
    descent.summary = simulation.run({.recorder = &recorder, .points = &descent.points});
    return descent;
}

std::vector<Time> as_points(const Descent& descent) {
    std::vector<Time> points;
    for (const double time : descent.times) points.push_back({time});
    return points;
}

std::array<double, 4> errors(const Descent& descent, const Descent& reference) {
    if (descent.times != reference.times)
        throw std::logic_error("runs that are compared must have rows at the same times");
    std::array<double, 4> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        const auto [low, high] = std::ranges::minmax(reference.motion[i]);
        for (std::size_t row = 0; row < reference.times.size(); ++row) {
            const double error = std::abs(descent.motion[i][row] - reference.motion[i][row]);
            result[i] = std::max(result[i], error / (high - low));
        }
    }
    return result;
}

double largest_error(const Descent& descent, const Descent& reference) {
    return std::ranges::max(errors(descent, reference));
}

bool same_decisions(const Descent& one, const Descent& other) {
    return std::ranges::equal(one.decisions, other.decisions, &Decision::same_as);
}

} // namespace rubato::examples
