// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/pipeline/scenario_unit.hpp>

#include <array>
#include <functional>
#include <mutex>
#include <span>
#include <string>

namespace rubato::runtime {

/// The logger of the importer. Units log from any thread, importers expect one at a time.
class ImporterLog final : public Log {
public:
    /// The status as FMI 2.0 and 3.0 number it.
    using Sink = std::function<void(int status, const char* category, const char* message)>;
    ImporterLog(Sink sink, bool on) : sink_(std::move(sink)) { on_.fill(on); }

    void write(LogLevel level, std::string_view source, std::string_view message) override;
    void error(const std::string& message) { write(LogLevel::error, {}, message); }
    void discard(const std::string& message) { pass_on(Category::discard, message); }

    /// No categories: all of them. Throws Error when one is unknown. Errors are logged always.
    void turn(bool on, std::span<const char* const> categories);

private:
    /// In the order of pipeline::exported_log_categories.
    enum class Category : std::uint8_t { error, warning, discard, units };
    void pass_on(Category category, const std::string& message);

    Sink sink_;
    std::mutex mutex_;
    std::array<bool, pipeline::exported_log_categories.size()> on_{};
};

} // namespace rubato::runtime
