// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// Writes XML, indented: open, attributes, children, close.
class Xml {
public:
    void open(std::string name);
    void attribute(std::string_view name, std::string_view value);
    void attribute(std::string_view name, const char* value) {
        attribute(name, std::string_view(value));
    }
    void attribute(std::string_view name, bool value) { attribute(name, value ? "true" : "false"); }
    void attribute(std::string_view name, double value);
    void attribute(std::string_view name, std::integral auto value) {
        attribute(name, std::string_view(std::to_string(value)));
    }
    void close();
    /// <name>text</name>, as a child of what is open.
    void text_element(std::string_view name, std::string_view text);

    const std::string& text() const { return text_; }

private:
    void append_escaped(std::string_view text);

    std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    std::vector<std::string> open_;
    bool in_start_tag_ = false;
};

/// The shortest text that reads back as the same number.
std::string xml_number(double value);
std::string xml_number(float value);

} // namespace rubato
