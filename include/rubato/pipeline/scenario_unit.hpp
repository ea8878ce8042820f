// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/unit/unit.hpp>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// A scenario as a unit without a scenario around it: what an exported FMU is.
namespace rubato::pipeline {

/// `name` is the first part of the paths of its units. With errors among the diagnostics the result
/// is not to be used.
std::shared_ptr<const NestedAssembly>
assemble_as_unit(scenario::Scenario scenario, const std::string& name, unit::Library& library,
                 Verification verification, Diagnostics& diagnostics);

/// What is around the unit.
struct UnitSurroundings {
    bool ends_steps_at_events = false;       ///< that change a discrete output
    bool has_event_mode = false;             ///< if the scenario has
    std::function<void(Time)> at_point = {}; ///< called where inner steps end within its own
};

/// A new unit, in phase `instantiated`. `library` and `log` must outlive it.
std::unique_ptr<unit::Unit> make_unit(const std::shared_ptr<const NestedAssembly>& scenario,
                                      unit::Library& library, Log& log,
                                      const UnitSurroundings& around);

/// FMI 3.0 has no function for derivatives of inputs, but inputs that are declared to be such
/// derivatives. An exported scenario has one for each order of each input that may move; the value
/// reference of the first follows the last one of the interface.
struct DerivativeInput {
    ValueRef input = 0;
    unsigned order = 1;
};
std::vector<DerivativeInput> derivative_inputs(const composite::Interface& interface);

/// The variables of the interface; those after them are locals.
inline std::size_t exposed_count(const composite::Interface& interface) {
    return interface.ports.size();
}

/// What an exported scenario logs, named as FMI does where it has a name.
struct LogCategory {
    const char* name;
    const char* description;
};
inline constexpr std::array<LogCategory, 4> exported_log_categories = {{
    {"logStatusError", "why a call has failed; always logged"},
    {"logStatusWarning", "warnings of inner units, and about them"},
    {"logStatusDiscard", "why a step has ended early"},
    {"logUnits", "other messages of inner units, and about them"},
}};

/// Files among the resources of an exported scenario.
namespace exported {
inline constexpr const char* scenario = "scenario.yaml";
inline constexpr const char* identifier = "identifier.txt"; ///< GUID or instantiation token
} // namespace exported

} // namespace rubato::pipeline
