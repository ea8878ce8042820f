// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace rubato::scenario {

/// A plain setting of a section, as its `fields()` declare it.
struct Setting {
    std::string section; ///< "step-control", "units.<name>.solver"
    std::string key;     ///< "tolerance"
    std::string type;    ///< "number", "integer", "boolean", "text", "list of texts" or "choice"
    std::vector<std::string> choices;         ///< of a choice
    std::optional<std::string> default_value; ///< as in YAML; none: the meaning says what holds
    std::string meaning;
};

/// All of them, section by section.
std::vector<Setting> settings();

} // namespace rubato::scenario
