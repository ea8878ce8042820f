// SPDX-License-Identifier: Apache-2.0
#include "importer_log.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::runtime {

using pipeline::exported_log_categories;

void ImporterLog::write(LogLevel level, std::string_view source, std::string_view message) {
    const Category category = level == LogLevel::error     ? Category::error
                              : level == LogLevel::warning ? Category::warning
                                                           : Category::units;
    pass_on(category, source.empty() ? std::string(message) : format("{}: {}", source, message));
}

void ImporterLog::pass_on(Category category, const std::string& message) {
    constexpr std::array statuses = {3, 1, 2, 0};
    const auto index = static_cast<std::size_t>(category);
    const std::scoped_lock lock(mutex_);
    if (on_[index] || category == Category::error)
        sink_(statuses[index], exported_log_categories[index].name, message.c_str());
}

void ImporterLog::turn(bool on, std::span<const char* const> categories) {
    std::array<bool, exported_log_categories.size()> chosen{};
    if (categories.empty()) chosen.fill(true);
    for (const char* const name : categories) {
        const auto found =
            std::ranges::find_if(exported_log_categories, [&](const pipeline::LogCategory& each) {
                return name && each.name == std::string(name);
            });
        if (found == exported_log_categories.end())
            throw Error(format("there is no log category \"{}\"", name ? name : ""));
        chosen[static_cast<std::size_t>(found - exported_log_categories.begin())] = true;
    }
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < on_.size(); ++i)
        if (chosen[i]) on_[i] = on;
}

} // namespace rubato::runtime
