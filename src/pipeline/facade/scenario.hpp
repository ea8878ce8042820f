// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>
#include <rubato/rubato.hpp>
#include <rubato/scenario/overrides.hpp>
#include <rubato/unit/library.hpp>

#include <memory>
#include <span>
#include <string>

namespace rubato {

/// What the classes of <rubato/rubato.hpp> share.
struct Scenario::Implementation {
    scenario::Scenario scenario;
    Log* log; ///< never null
    /// Shared by copies and by what runs, which it must outlive: each FMU is unpacked once.
    std::shared_ptr<unit::Library> library;
    bool strict = false;

    /// Throws InputProblems and changes nothing if the setting is wrong.
    void change(const scenario::Override& setting);
};

namespace facade {

/// Lets the functions of the facade see what its classes hold.
struct Access {
    using Loaded = Scenario::Implementation;
    using Data = Result::Data;
    static const Loaded& of(const Scenario& scenario) { return *scenario.implementation_; }
    static Scenario make_scenario(Loaded loaded) {
        return Scenario(std::make_unique<Loaded>(std::move(loaded)));
    }
    static Result make_result(std::shared_ptr<const Data> data) { return Result(std::move(data)); }
    static Simulation start(const Scenario& scenario, const StartOptions& options);
};

/// A library with the program's models and those that come with Rubato.
std::shared_ptr<unit::Library> make_library(const LoadOptions& options, Log& log);
Log& log_of(const LoadOptions& options);

/// Warnings and notes.
void log_remarks(const Diagnostics& diagnostics, Log& log);

/// A number as an override, if there is one.
void add_override(std::vector<scenario::Override>& overrides, std::string_view path,
                  const std::optional<double>& value);

/// The scenario with settings changed, resolved and verified. Warnings go to the log; errors are
/// thrown as one InputError.
pipeline::Assembly assemble(scenario::Scenario scenario,
                            std::span<const scenario::Override> overrides, unit::Library& library,
                            Log& log,
                            pipeline::Verification verification = pipeline::Verification::perform);

/// Runs to the end and gives the results. `plain_unit`: its variables are named without it.
Result run(pipeline::Assembly assembly, const Access::Loaded& loaded, const RunOptions& options,
           const std::string& plain_unit = {});

Trust trust_of(const engine::Trust& trust, const engine::Summary& summary,
               const pipeline::Assembly& assembly);

} // namespace facade
} // namespace rubato
