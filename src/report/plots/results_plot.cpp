// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/results_plot.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>

namespace rubato::report {
namespace {

std::vector<std::string> matches_of(std::span<const std::string> names, const std::string& wish) {
    if (std::ranges::find(names, wish) != names.end()) return {wish};
    const bool is_pattern = wish.find_first_of("*?") != std::string::npos;
    std::vector<std::string> matches;
    std::ranges::copy_if(names, std::back_inserter(matches), [&](const std::string& name) {
        return is_pattern ? matches_glob(wish, name) : name.ends_with("." + wish);
    });
    if (matches.empty())
        throw InputError(format("there is no column \"{}\"", wish),
                         suggest(wish, names, "the columns"));
    if (!is_pattern && matches.size() > 1)
        throw InputError(format("\"{}\" may be any of {}", wish, fmt::join(matches, ", ")),
                         format("write one of them in full, or all of them as \"*.{}\"", wish));
    return matches;
}

ColumnInfo info_of(const std::optional<Metadata>& metadata, const std::string& name) {
    if (metadata) {
        const auto found = std::ranges::find(metadata->columns, name, &ColumnInfo::name);
        if (found != metadata->columns.end()) return *found;
    }
    return {name, "", "float64"};
}

Panel& panel_for(std::vector<Panel>& panels, std::vector<std::string>& units,
                 const std::string& unit) {
    const auto found = std::ranges::find(units, unit);
    if (found != units.end()) return panels[static_cast<std::size_t>(found - units.begin())];
    units.push_back(unit);
    return panels.emplace_back();
}

/// A panel of one series is named after it; several have a legend for that.
void label(Panel& panel, const std::string& unit) {
    const std::string in_unit = unit.empty() ? "" : format("[{}]", unit);
    const bool is_alone = panel.series.size() == 1;
    panel.y_label =
        is_alone ? panel.series[0].label + (unit.empty() ? "" : " ") + in_unit : in_unit;
}

std::string subtitle_of(const Metadata& metadata) {
    std::string text = format("{}, step {} s", metadata.recipe, human_number(metadata.step));
    if (metadata.status != RunStatus::completed)
        text += format(", {} at {} s", to_string(metadata.status), human_number(metadata.reached));
    return text;
}

} // namespace

std::vector<std::string> select_names(std::span<const std::string> names,
                                      std::span<const std::string> wishes) {
    std::vector<std::string> selected;
    for (const std::string& wish : wishes)
        for (std::string& name : matches_of(names, wish))
            if (std::ranges::find(selected, name) == selected.end())
                selected.push_back(std::move(name));
    return selected;
}

Figure plot_results(const Table& table, const std::optional<Metadata>& metadata,
                    std::span<const std::string> names) {
    const Table::Column& time = table.columns().at(0);
    Figure figure;
    figure.x_label = time.name == "time" ? "time [s]" : time.name;
    if (metadata) {
        figure.title = metadata->scenario;
        figure.subtitle = subtitle_of(*metadata);
    }
    std::vector<std::string> units;
    for (const std::string& name : names) {
        const ColumnInfo info = info_of(metadata, name);
        Series series;
        series.label = name;
        series.x = table.values(time.name);
        series.y = table.values(name);
        if (!info.type.starts_with("float")) series.between = Between::hold;
        panel_for(figure.panels, units, info.unit).series.push_back(std::move(series));
    }
    for (std::size_t i = 0; i < units.size(); ++i) label(figure.panels[i], units[i]);
    return figure;
}

} // namespace rubato::report
