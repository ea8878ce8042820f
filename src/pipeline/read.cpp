// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/formats.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

namespace rubato::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file_size = std::size_t{256} << 20; // of any format
constexpr std::size_t max_stream_size = std::size_t{32} << 20;
constexpr auto standard_input = "stdin"; ///< what streams are called

/// At most so much, and a little more: who reads it then reports that it is too large.
std::string read_text(std::istream& stream, std::size_t most) {
    std::string text;
    constexpr std::size_t chunk = std::size_t{1} << 16;
    while (stream && text.size() <= most) {
        const std::size_t size = text.size();
        text.resize(size + chunk);
        stream.read(text.data() + size, chunk);
        text.resize(size + static_cast<std::size_t>(stream.gcount()));
    }
    return text;
}

/// Reports what is wrong with a folder as a scenario.
void report_folder(const fs::path& folder, Diagnostics& diagnostics) {
    const Location where{folder.string(), 0, 0};
    std::error_code ignored;
    for (const Format& each : formats()) {
        if (each.marker.empty() || !fs::exists(folder / each.marker, ignored)) continue;
        if (!each.problem.empty())
            diagnostics.error(where, std::string(each.problem), each.advice(folder));
        return;
    }
    const fs::path inside = folder / "scenario.yaml";
    diagnostics.error(where, "is a folder, not a scenario file",
                      fs::exists(inside, ignored) ? format("did you mean {}?", inside.string())
                                                  : "");
}

/// nullopt: it cannot be read, which has been reported.
std::optional<std::string> read_file(const fs::path& file, Diagnostics& diagnostics) {
    const Location where{file.string(), 0, 0};
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) {
        report_folder(file, diagnostics);
        return std::nullopt;
    }
    if (!fs::exists(file, ignored)) {
        diagnostics.error(where, "there is no such file",
                          format("looked for it from {}", fs::current_path(ignored).string()));
        return std::nullopt;
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text = stream ? read_text(stream, max_file_size) : std::string();
    if (stream.bad() || (!stream && !stream.eof() && text.empty())) {
        diagnostics.error(where, "cannot be read", "check its permissions");
        return std::nullopt;
    }
    return text;
}

bool is_stream(const fs::path& file) {
    std::error_code absent;
    return file == "-" || fs::is_fifo(file, absent) || fs::is_character_file(file, absent);
}

/// Text without a byte-order mark and without space around it.
std::string_view content_of(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    constexpr auto space = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
    return text.substr(0, text.find_last_not_of(space) + 1);
}

} // namespace

const Format& recognize(std::string_view text, const fs::path& file) {
    const Candidate candidate{file, text, content_of(text)};
    const auto by_content = std::ranges::find_if(formats(), [&](const Format& each) {
        return each.recognizes && each.recognizes(candidate);
    });
    if (by_content != formats().end()) return *by_content;
    const auto by_name = std::ranges::find_if(formats(), [&](const Format& each) {
        return std::ranges::any_of(each.extensions, [&](std::string_view extension) {
            return candidate.has_extension(extension);
        });
    });
    return by_name != formats().end() ? *by_name : scenario_format({});
}

bool Candidate::has_extension(std::string_view extension) const {
    return file.extension().string() == extension;
}

namespace {

/// The format of a system that is stored in a folder; null: the folder is none.
const Format* find_system(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) return nullptr;
    for (const Format& each : formats())
        if (each.read_system && !each.marker.empty() && fs::exists(folder / each.marker, ignored))
            return &each;
    return nullptr;
}

scenario::Scenario parse_one(std::string_view text, const fs::path& file,
                             const ReadOptions& options, Diagnostics& diagnostics) {
    const Format& found = recognize(text, file);
    if (found.read_system) return found.read_system(file, options, diagnostics);
    if (!options.variant.empty())
        diagnostics.error({file.string(), 0, 0}, "has no variants: it is no SSP package",
                          "leave --variant out");
    if (found.read) return found.read(text, file, diagnostics);
    diagnostics.error({file.string(), 0, 0}, std::string(found.problem), found.advice(file));
    return {};
}

/// Reads the scenarios that are units of others.
class NestedReader {
public:
    explicit NestedReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    void enter(const fs::path& file) { chain_.push_back(identity_of(file)); }

    void load(scenario::Scenario& scenario) {
        for (scenario::Unit& unit : scenario.units) {
            auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin);
            if (!nested) continue;
            if (++count_ > most_nested) {
                if (count_ == most_nested + 1)
                    diagnostics_.error(
                        unit.where,
                        format("more than {} scenarios are within each other", most_nested),
                        "one of them contains too many others");
                return;
            }
            const fs::path file =
                nested->file.empty() ? fs::path() : scenario.file.parent_path() / nested->file;
            if (nested->scenario)
                load_within(file, *nested);
            else if (!file.empty())
                load_file(unit, file, *nested);
        }
    }

private:
    static fs::path identity_of(const fs::path& file) {
        std::error_code ignored;
        const fs::path known = fs::weakly_canonical(file, ignored);
        return known.empty() ? file : known;
    }

    /// Of a scenario that is known. It has no file if it is part of another one's.
    void load_within(const fs::path& file, scenario::NestedScenario& nested) {
        scenario::Scenario inner = *nested.scenario;
        if (inner.units.empty()) return;
        chain_.push_back(file.empty() ? file : identity_of(file));
        if (is_too_deep(inner.units.front()))
            inner.units.clear();
        else
            load(inner);
        chain_.pop_back();
        nested.scenario = std::make_shared<const scenario::Scenario>(std::move(inner));
    }

    void load_file(const scenario::Unit& unit, const fs::path& file,
                   scenario::NestedScenario& nested) {
        const fs::path identity = identity_of(file);
        nested.scenario = std::make_shared<const scenario::Scenario>();
        if (std::ranges::find(chain_, identity) != chain_.end()) {
            report_cycle(unit, identity);
            return;
        }
        if (is_too_deep(unit)) return;
        std::error_code ignored;
        if (!fs::exists(file, ignored)) {
            diagnostics_.error(unit.where,
                               format("unit \"{}\": there is no file {}", unit.name, file.string()),
                               "paths are relative to the folder of the scenario");
            return;
        }
        if (auto inner = read_scenario(unit, file)) {
            nested.scenario = std::make_shared<const scenario::Scenario>(std::move(*inner));
            load_within(file, nested);
        }
    }

    /// nullopt: it is no scenario, which is a mistake of the unit.
    std::optional<scenario::Scenario> read_scenario(const scenario::Unit& unit,
                                                    const fs::path& file) {
        Diagnostics of_file;
        std::optional<scenario::Scenario> inner;
        bool is_scenario = true;
        if (const Format* system = find_system(file)) {
            inner = system->read_system(file, {}, of_file);
        } else {
            const auto text = read_file(file, of_file);
            is_scenario = text && recognize(*text, file).is_read();
            if (text) inner = parse_one(*text, file, {}, of_file);
        }
        for (const Diagnostic& each : of_file.all()) {
            if (is_scenario)
                diagnostics_.add(each.severity, each.where, each.message, each.hint);
            else
                diagnostics_.error(
                    unit.where,
                    format("unit \"{}\": {} {}", unit.name, file.string(), each.message),
                    each.hint);
        }
        return is_scenario ? inner : std::nullopt;
    }

    void report_cycle(const scenario::Unit& unit, const fs::path& again) {
        std::string names;
        for (auto each = std::ranges::find(chain_, again); each != chain_.end(); ++each)
            if (!each->empty()) names += each->filename().string() + " → ";
        diagnostics_.error(unit.where,
                           format("unit \"{}\": the scenario contains itself: {}{}", unit.name,
                                  names, again.filename().string()),
                           "let one of them have its own scenario");
    }

    bool is_too_deep(const scenario::Unit& unit) {
        if (chain_.size() <= deepest) return false;
        diagnostics_.error(
            unit.where, format("scenarios are within each other more than {} levels deep", deepest),
            "make some levels one");
        return true;
    }

    static constexpr int most_nested = 10'000;
    static constexpr std::size_t deepest = 100; // each level takes a part of the stack
    Diagnostics& diagnostics_;
    std::vector<fs::path> chain_; ///< of what is being read; empty: it has no file of its own
    int count_ = 0;
};

bool has_unread(const scenario::Scenario& scenario) {
    return std::ranges::any_of(scenario.units, [](const scenario::Unit& unit) {
        const auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin);
        return nested && (nested->scenario ? has_unread(*nested->scenario) : !nested->file.empty());
    });
}

} // namespace

void read_nested(scenario::Scenario& scenario, Diagnostics& diagnostics) {
    if (!has_unread(scenario)) return;
    NestedReader nested(diagnostics);
    nested.enter(scenario.file);
    nested.load(scenario);
}

scenario::Scenario parse(std::string_view text, const fs::path& file, Diagnostics& diagnostics) {
    scenario::Scenario scenario = parse_one(text, file, {}, diagnostics);
    read_nested(scenario, diagnostics);
    return scenario;
}

scenario::Scenario read(const fs::path& file, Diagnostics& diagnostics,
                        const ReadOptions& options) {
    if (const Format* system = find_system(file))
        return system->read_system(file, options, diagnostics);
    if (is_stream(file)) {
        std::ifstream named(file, std::ios::binary);
        return parse(read_text(file == "-" ? std::cin : named, max_stream_size), standard_input,
                     diagnostics);
    }
    const auto text = read_file(file, diagnostics);
    if (!text) return {};
    scenario::Scenario scenario = parse_one(*text, file, options, diagnostics);
    read_nested(scenario, diagnostics);
    return scenario;
}

scenario::Scenario read(const fs::path& file, std::span<const scenario::Override> overrides,
                        Diagnostics& diagnostics) {
    scenario::Scenario scenario = read(file, diagnostics);
    if (diagnostics.has_errors()) return scenario;
    scenario::apply(overrides, scenario, diagnostics);
    read_nested(scenario, diagnostics);
    return scenario;
}

} // namespace rubato::pipeline
