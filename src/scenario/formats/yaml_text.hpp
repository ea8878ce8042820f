// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// What scenarios are written with.
namespace rubato::scenario::formats {

/// Whether the text may stand without quotes, wherever it stands.
bool is_plain(std::string_view text);
std::string in_quotes(std::string_view text);

std::string to_yaml(const std::string& text);
std::string to_yaml(bool flag);
std::string to_yaml(std::int64_t integer);
std::string to_yaml(int integer);
/// Always recognizable as a real: 1.0, not 1.
std::string to_yaml(double real);
std::string to_yaml(const std::vector<std::string>& texts);
/// A text stays one: it is always quoted, so that "1.0" does not come back as a number.
std::string to_yaml(const Value& value);

template <class Enum>
requires std::is_enum_v<Enum> std::string to_yaml(Enum value) {
    return std::string(to_string(value));
}

/// `{factor: 2.0, offset: 1.0}`, of what there is.
class InlineMap {
public:
    template <class T>
    InlineMap& add(std::string_view key, const std::optional<T>& value) {
        if (value) items_.push_back(format("{}: {}", key, to_yaml(*value)));
        return *this;
    }
    std::string text() const { return format("{{{}}}", fmt::join(items_, ", ")); }

private:
    std::vector<std::string> items_;
};

/// Collects lines `key: value`.
class Lines {
public:
    void add(int depth, std::string_view key, std::string_view value = {}) {
        text_.append(2 * static_cast<std::size_t>(depth), ' ').append(key).append(":");
        if (!value.empty()) text_.append(" ").append(value);
        text_ += '\n';
    }
    void add_item(int depth, std::string_view item) {
        text_.append(2 * static_cast<std::size_t>(depth), ' ').append("-");
        if (!item.empty()) text_.append(" ").append(item);
        text_ += '\n';
    }
    /// A comment, of as many lines as it takes; nothing if there is no text.
    void add_comment(int depth, std::string_view text);
    /// Lines that are written already, each moved to this depth.
    void add_text(int depth, std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            text_.append(2 * static_cast<std::size_t>(depth), ' ').append(text.substr(0, end));
            text_ += '\n';
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
    }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

/// Writes what `fields()` lists, but for what is absent.
class SettingsWriter {
public:
    explicit SettingsWriter(Lines& lines, int depth = 1) : lines_(lines), depth_(depth) {}

    template <class T>
    void operator()(std::string_view key, const T& member, std::string_view) {
        lines_.add(depth_, key, to_yaml(member));
    }
    template <class T>
    void operator()(std::string_view key, const std::optional<T>& member, std::string_view) {
        if (member) lines_.add(depth_, key, to_yaml(*member));
    }

private:
    Lines& lines_;
    int depth_;
};

/// The same without one of them.
class PartialSettingsWriter {
public:
    PartialSettingsWriter(Lines& lines, std::string_view left_out)
        : writer_(lines), left_out_(left_out) {}

    template <class T>
    void operator()(std::string_view key, const T& member, std::string_view meaning) {
        if (key != left_out_) writer_(key, member, meaning);
    }

private:
    SettingsWriter writer_;
    std::string_view left_out_;
};

/// The values that `fields()` lists, in their order, but for what is absent.
class SettingsTexts {
public:
    template <class T>
    void operator()(std::string_view key, const T& member, std::string_view) {
        texts.emplace_back(key, to_yaml(member));
    }
    template <class T>
    void operator()(std::string_view key, const std::optional<T>& member, std::string_view) {
        if (member) texts.emplace_back(key, to_yaml(*member));
    }
    bool contains(const std::pair<std::string, std::string>& text) const {
        return std::find(texts.begin(), texts.end(), text) != texts.end();
    }
    std::vector<std::pair<std::string, std::string>> texts;
};

template <class Settings>
SettingsTexts texts_of(const Settings& settings) {
    SettingsTexts texts;
    Settings::fields(settings, [&](auto&&... field) { texts(field...); });
    return texts;
}

template <class Settings>
void write_settings(Lines& lines, std::string_view section, const Settings& settings,
                    Detail detail) {
    if (detail == Detail::all) {
        lines.add(0, section);
        Settings::fields(settings, SettingsWriter(lines));
        return;
    }
    const SettingsTexts usual = texts_of(Settings{});
    bool is_begun = false;
    for (const auto& text : texts_of(settings).texts) {
        if (usual.contains(text)) continue;
        if (!is_begun) lines.add(0, section);
        is_begun = true;
        lines.add(1, text.first, text.second);
    }
}

} // namespace rubato::scenario::formats
