// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/errors.hpp>

#include <algorithm>
#include <utility>

namespace rubato {

std::string to_string(const Location& where) {
    if (where.line == 0) return where.file;
    return where.file + ":" + std::to_string(where.line);
}

std::string to_string(const Diagnostic& diagnostic) {
    std::string text = to_string(diagnostic.where);
    if (!text.empty()) text += ": ";
    if (diagnostic.severity == Severity::warning) text += "warning: ";
    if (diagnostic.severity == Severity::note) text += "note: ";
    text += diagnostic.message;
    if (!diagnostic.hint.empty()) text += "\n  " + diagnostic.hint;
    return text;
}

void Diagnostics::add(Severity severity, Location where, std::string message, std::string hint) {
    all_.push_back({severity, std::move(where), std::move(message), std::move(hint)});
}

void Diagnostics::error(Location where, std::string message, std::string hint) {
    add(Severity::error, std::move(where), std::move(message), std::move(hint));
}

void Diagnostics::warning(Location where, std::string message, std::string hint) {
    add(Severity::warning, std::move(where), std::move(message), std::move(hint));
}

void Diagnostics::note(Location where, std::string message, std::string hint) {
    add(Severity::note, std::move(where), std::move(message), std::move(hint));
}

bool Diagnostics::has_errors() const {
    return std::ranges::any_of(all_,
                               [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void Diagnostics::throw_if_errors() const {
    if (has_errors()) throw InputProblems(all_);
}

namespace {
std::string with_hint(const std::string& message, std::string_view hint) {
    return hint.empty() ? message : message + "\n  " + std::string(hint);
}

std::string joined(std::span<const Diagnostic> problems) {
    constexpr std::size_t most = 50;
    std::string text;
    std::size_t count = 0;
    for (const Diagnostic& problem : problems) {
        if (problem.severity != Severity::error || ++count > most) continue;
        if (!text.empty()) text += '\n';
        text += to_string(problem);
    }
    if (count > most) text += "\n… and " + std::to_string(count - most) + " problems more";
    return text;
}
} // namespace

Error::Error(const std::string& message, std::string_view hint)
    : std::runtime_error(with_hint(message, hint)) {}

InputError::InputError(const std::string& message, std::string_view hint) : Error(message, hint) {}

InputError::InputError(std::span<const Diagnostic> problems) : Error(joined(problems)) {}

InputProblems::InputProblems(std::span<const Diagnostic> problems)
    : InputError(problems),
      problems_(std::make_shared<std::vector<Diagnostic>>(problems.begin(), problems.end())) {}

UnitError::UnitError(const std::string& message, std::string_view hint, const std::string& unit,
                     std::optional<double> time)
    : Error(message, hint), unit_(std::make_shared<std::string>(unit)), time_(time) {}

} // namespace rubato
