// SPDX-License-Identifier: Apache-2.0
#include "step_size_unit.hpp"

#include <rubato/core/errors.hpp>
#include <rubato/core/text.hpp>
#include <rubato/engine/step_size_factory.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace rubato::engine {

namespace {

using StepSizeSettings = scenario::StepSizeUnit;

constexpr std::string_view hint_of_settings =
    "rubato transform --only accuracy writes such units from the section step-control";

void require_of_settings(bool holds, const std::string& message) {
    if (!holds) throw InputError(message, std::string(hint_of_settings));
}

void check_numbers(const StepSizeSettings& settings) {
    const auto is_positive = [](double number) { return number > 0 && std::isfinite(number); };
    require_of_settings(
        is_positive(settings.first),
        format("step-size.first is {}: it must be positive [s]", shortest(settings.first)));
    require_of_settings(settings.control.tolerance > 0 && settings.control.tolerance < 1,
                        format("step-size.tolerance is {}: it must lie between 0 and 1",
                               shortest(settings.control.tolerance)));
    require_of_settings(
        settings.control.safety > 0 && settings.control.safety < 1 && settings.control.growth > 1 &&
            std::isfinite(settings.control.growth) && settings.control.shrinking > 0 &&
            settings.control.shrinking < 1,
        "step-size: safety and shrinking must lie between 0 and 1, and growth above 1");
    const double minimum = settings.control.minimum.value_or(settings.first);
    const double maximum = settings.control.maximum.value_or(settings.first);
    require_of_settings(minimum > 0 && minimum <= settings.first && settings.first <= maximum,
                        format("step-size.first is {}: it must lie between minimum and maximum",
                               shortest(settings.first)));
    for (const StepSizeSettings::Input& input : settings.inputs)
        require_of_settings(is_positive(input.nominal),
                            format("step-size.inputs.{}.nominal is {}: it must be positive",
                                   input.name, shortest(input.nominal)));
}

void check_inputs(const StepSizeSettings& settings) {
    require_of_settings(!settings.inputs.empty(),
                        "step-size has no inputs: nothing shows how long steps may be");
    const auto has_input = [&](const std::string& name) {
        return std::ranges::find(settings.inputs, name, &StepSizeSettings::Input::name) !=
               settings.inputs.end();
    };
    for (const char* const output : {"H", "t"})
        require_of_settings(!has_input(output),
                            format("step-size.inputs: \"{}\" is the name of an output", output));
    for (const StepSizeSettings::Bond& bond : settings.bonds)
        for (const std::string& name : {bond.effort, bond.flow})
            require_of_settings(
                has_input(name),
                format("step-size.bonds.{}: \"{}\" is none of the inputs", bond.name, name));
}

void check_settings(const StepSizeSettings& settings) {
    const scenario::StepController controller = settings.control.controller;
    require_of_settings(controller == scenario::StepController::predictor ||
                            controller == scenario::StepController::energy,
                        format("step-size.controller is {}: it must be predictor or energy",
                               to_string(controller)));
    check_inputs(settings);
    check_numbers(settings);
    if (controller == scenario::StepController::energy)
        require_of_settings(!settings.bonds.empty(),
                            "step-size.controller is energy, but there are no bonds");
}

class StepSizeFactory final : public unit::UnitFactory {
public:
    bool makes(const scenario::UnitOrigin& origin) const override {
        return std::holds_alternative<StepSizeSettings>(origin);
    }
    const scenario::UnitDescription& describe(const scenario::Unit& unit,
                                              const std::filesystem::path&) override {
        const auto& settings = std::get<StepSizeSettings>(unit.origin);
        check_settings(settings);
        for (const auto& [origin, description] : known_)
            if (origin == settings) return *description;
        known_.emplace_back(
            settings, std::make_unique<scenario::UnitDescription>(engine::describe(settings)));
        return *known_.back().second;
    }
    std::unique_ptr<unit::Unit> instantiate(const scenario::Unit& unit,
                                            const std::filesystem::path& folder) override {
        const scenario::UnitDescription& description = describe(unit, folder);
        return std::make_unique<StepSizeUnit>(unit.name, std::get<StepSizeSettings>(unit.origin),
                                              description);
    }

private:
    /// By what it is made from; there are few.
    std::vector<std::pair<StepSizeSettings, std::unique_ptr<scenario::UnitDescription>>> known_;
};

} // namespace

std::unique_ptr<unit::UnitFactory> make_step_size_factory() {
    return std::make_unique<StepSizeFactory>();
}

} // namespace rubato::engine
