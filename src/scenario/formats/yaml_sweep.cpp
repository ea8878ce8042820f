// SPDX-License-Identifier: Apache-2.0
#include "short_forms.hpp"
#include "yaml_settings.hpp"
#include "yaml_tree.hpp"

#include <rubato/scenario/sweep_settings.hpp>

#include <algorithm>

namespace rubato::scenario {

SweepSettings parse_sweep(std::string_view text, const std::filesystem::path& file,
                          Diagnostics& diagnostics) {
    SweepSettings settings;
    formats::Reporter reporter({file.string()}, diagnostics);
    std::optional<formats::Node> document = formats::parse_yaml_tree(text, 0, reporter);
    if (!document || document->kind != formats::Kind::map) return settings;
    formats::expand_short_forms(*document);
    const auto entry = std::ranges::find(document->entries, "sweep", &formats::Entry::key);
    if (entry != document->entries.end())
        formats::update_settings(reporter, "sweep", *entry, settings);
    return settings;
}

} // namespace rubato::scenario
