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
};

namespace facade {

/// A number as an override, if there is one.
void add_override(std::vector<scenario::Override>& overrides, std::string_view path,
                  const std::optional<double>& value);

/// The scenario with settings changed, resolved and verified. Warnings go to the log; errors are
/// thrown as one InputError.
pipeline::Assembly assemble(scenario::Scenario scenario,
                            std::span<const scenario::Override> overrides, unit::Library& library,
                            Log& log);

Trust trust_of(const engine::Trust& trust, const engine::Summary& summary,
               const pipeline::Assembly& assembly);

} // namespace facade
} // namespace rubato
