// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <vector>

namespace rubato {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Levenshtein distance, letters compared without case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t substitution =
                diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            row[j] = std::min({above + 1, row[j - 1] + 1, substitution});
            diagonal = above;
        }
    }
    return row.back();
}

} // namespace

std::optional<std::string> find_similar(std::string_view name,
                                        std::span<const std::string> candidates) {
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(1, name.size() / 2) + 1;
    for (const std::string& candidate : candidates) {
        const bool contains = name.size() > 1 && candidate.size() > 1 &&
                              (candidate.find(name) != std::string::npos ||
                               name.find(candidate) != std::string_view::npos);
        const std::size_t distance = contains ? 1 : edit_distance(name, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string suggest(std::string_view name, std::span<const std::string> candidates,
                    std::string_view what) {
    constexpr std::size_t most = 12;
    if (candidates.empty()) return format("{} are: none", what);
    std::string text;
    if (const auto similar = find_similar(name, candidates)) {
        text = format("did you mean \"{}\"? ", *similar);
    }
    const auto shown = candidates.first(std::min(most, candidates.size()));
    text += format("{} are: {}", what, fmt::join(shown, ", "));
    if (candidates.size() > most) text += format(", … ({} in all)", candidates.size());
    return text;
}

bool matches_glob(std::string_view pattern, std::string_view text) {
    // Greedy with one point to return to: linear in practice, never exponential.
    std::size_t p = 0, t = 0;
    std::size_t star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

/// In UTF-8, U+0080 to U+009F are control characters, too.
std::string printable(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1])
                                              : static_cast<unsigned char>(0);
        const bool is_c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        const bool is_c0 = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
        if (is_c1) ++i;
        clean += is_c0 || is_c1 ? '?' : text[i];
    }
    return clean;
}

std::string in_hexadecimal(std::string_view bytes) {
    std::string digits;
    for (const char byte : bytes) digits += format("{:02x}", static_cast<unsigned char>(byte));
    return digits;
}

std::string shortest(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

} // namespace rubato
