// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/conf_corpus.hpp"

#include <rubato/algorithm/written.hpp>
#include <rubato/scenario/conf.hpp>
#include <rubato/scenario/system.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace rubato::algorithm::testing {

/// A scenario of declared units, with all that is made of it and all that is said about it.
struct Loaded {
    scenario::Scenario scenario;
    scenario::System system;
    Algorithm algorithm; ///< empty where none is written
    Diagnostics diagnostics;

    /// Without notes.
    std::string said() const {
        std::string text;
        for (const Diagnostic& diagnostic : diagnostics.all()) {
            if (diagnostic.severity != Severity::note) text += to_string(diagnostic) + "\n";
        }
        return text;
    }
};

inline Loaded load(scenario::Scenario scenario, Diagnostics diagnostics) {
    Loaded loaded;
    loaded.scenario = std::move(scenario);
    loaded.diagnostics = std::move(diagnostics);
    std::vector<scenario::UnitDescription> descriptions;
    for (const scenario::Unit& unit : loaded.scenario.units)
        descriptions.push_back(declared_description(unit));
    loaded.system = resolve(loaded.scenario, descriptions, loaded.diagnostics);
    if (loaded.scenario.written) {
        loaded.algorithm = resolve_algorithm(loaded.scenario, loaded.system, loaded.diagnostics);
    }
    return loaded;
}

inline Loaded load_conf(const std::filesystem::path& file) {
    Diagnostics diagnostics;
    scenario::Scenario scenario = scenario::parse_conf(test::text_of_file(file), file, diagnostics);
    return load(std::move(scenario), std::move(diagnostics));
}

inline Loaded load_conf_text(std::string_view text) {
    Diagnostics diagnostics;
    scenario::Scenario scenario = scenario::parse_conf(text, "s.conf", diagnostics);
    return load(std::move(scenario), std::move(diagnostics));
}

} // namespace rubato::algorithm::testing
