// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/xml_writer.hpp>

#include <charconv>
#include <cmath>

namespace rubato {

namespace {

template <class T>
std::string number_of(T value) {
    if (std::isnan(value)) return "NaN"; // as XML schema spells them
    if (std::isinf(value)) return value > 0 ? "INF" : "-INF";
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

} // namespace

std::string xml_number(double value) { return number_of(value); }
std::string xml_number(float value) { return number_of(value); }

void Xml::open(std::string name) {
    if (in_start_tag_) text_ += ">\n";
    text_.append(2 * open_.size(), ' ');
    text_ += "<" + name;
    open_.push_back(std::move(name));
    in_start_tag_ = true;
}

void Xml::attribute(std::string_view name, std::string_view value) {
    text_ += " ";
    text_ += name;
    text_ += "=\"";
    append_escaped(value);
    text_ += "\"";
}

void Xml::append_escaped(std::string_view text) {
    for (const char c : text) {
        switch (c) {
        case '&': text_ += "&amp;"; break;
        case '<': text_ += "&lt;"; break;
        case '"': text_ += "&quot;"; break;
        case '\n': text_ += "&#10;"; break;
        default: text_ += c;
        }
    }
}

void Xml::text_element(std::string_view name, std::string_view text) {
    const std::string tag(name);
    if (in_start_tag_) text_ += ">\n";
    in_start_tag_ = false;
    text_.append(2 * open_.size(), ' ');
    text_ += "<" + tag + ">";
    append_escaped(text);
    text_ += "</" + tag + ">\n";
}

void Xml::attribute(std::string_view name, double value) {
    attribute(name, std::string_view(xml_number(value)));
}

void Xml::close() {
    const std::string name = std::move(open_.back());
    open_.pop_back();
    if (in_start_tag_) {
        text_ += "/>\n";
    } else {
        text_.append(2 * open_.size(), ' ');
        text_ += "</" + name + ">\n";
    }
    in_start_tag_ = false;
}

} // namespace rubato
