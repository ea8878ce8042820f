// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace rubato::scenario::formats::ssp {

/// The scenario that Rubato stores in descriptions that it writes.
struct OwnAnnotation {
    std::optional<std::string> yaml; ///< none: there is none that may be used
    bool is_changed = false; ///< the description was changed since: it counts, not the annotation
};
OwnAnnotation find_own_annotation(const std::string& label, const std::string& text);

} // namespace rubato::scenario::formats::ssp
