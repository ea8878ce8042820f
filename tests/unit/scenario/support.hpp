// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/overrides.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/scenario/yaml.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rubato::scenario::testing {

/// All that was said, one diagnostic after the other.
inline std::string text_of(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.all()) text += to_string(diagnostic) + "\n";
    return text;
}

/// A scenario and what was said about it.
struct Parsed {
    Scenario scenario;
    Diagnostics diagnostics;
    std::string said() const { return text_of(diagnostics); }
};

inline Parsed parse(std::string_view text, const std::vector<Override>& overrides = {}) {
    Parsed parsed;
    parsed.scenario = parse_yaml(text, "s.yaml", parsed.diagnostics);
    apply(overrides, parsed.scenario, parsed.diagnostics);
    return parsed;
}

/// What is said of a document that has a correct head: version and one unit, in lines 1 and 2.
inline std::string said_of(std::string_view rest) {
    return parse("rubato: 1\nunits: {a: {model: m}}\n" + std::string(rest)).said();
}

inline Variable variable(std::string name, Causality causality,
                         ValueType type = ValueType::float64) {
    Variable result;
    result.name = std::move(name);
    result.causality = causality;
    result.type = type;
    return result;
}

/// A unit with two inputs u and w (its indices 0 and 1), two outputs y and z (2 and 3), parameter m
/// and a local variable x.
inline UnitDescription two_port() {
    UnitDescription description;
    description.model = "two-port";
    description.variables = {variable("u", Causality::input),     variable("w", Causality::input),
                             variable("y", Causality::output),    variable("z", Causality::output),
                             variable("m", Causality::parameter), variable("x", Causality::local)};
    description.variables[0].start = 0.5;
    for (std::uint32_t v = 0; v < description.variables.size(); ++v)
        description.variables[v].reference = 100 + v;
    return description;
}

/// A system and what was said while resolving it.
struct Resolved {
    System system;
    Diagnostics diagnostics;
    std::string said() const { return text_of(diagnostics); }
    /// Without notes, which most scenarios cause.
    std::string problems() const {
        Diagnostics problems;
        for (const Diagnostic& d : diagnostics.all()) {
            if (d.severity == Severity::error) problems.error(d.where, d.message, d.hint);
            if (d.severity == Severity::warning) problems.warning(d.where, d.message, d.hint);
        }
        return text_of(problems);
    }
};

inline Resolved resolve_text(std::string_view text, const std::vector<UnitDescription>& units) {
    const Parsed parsed = parse(text);
    EXPECT_EQ(parsed.said(), "");
    Resolved resolved;
    resolved.system = resolve(parsed.scenario, units, resolved.diagnostics);
    return resolved;
}

/// Resolves units a and b, both two-ports, in lines 2 to 4, with what follows them.
inline Resolved resolve_two(std::string_view rest) {
    return resolve_text("rubato: 1\nunits:\n  a: {model: m}\n  b: {model: m}\n" + std::string(rest),
                        {two_port(), two_port()});
}

/// Resolves one unit a, whose settings are lines of four blanks, from line 4 on.
inline Resolved resolve_one(const std::string& settings,
                            const UnitDescription& description = two_port()) {
    return resolve_text("rubato: 1\nunits:\n  a:\n    model: m\n" + settings, {description});
}

} // namespace rubato::scenario::testing
