// SPDX-License-Identifier: Apache-2.0
#include "svg.hpp"

#include <rubato/private/format.hpp>

namespace rubato::report {
namespace {

/// Control characters have no place in XML, not even escaped.
std::string escape(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
        }
    }
    return out;
}

} // namespace

std::string pixels(double value) {
    std::string text = format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

void SvgWriter::start(std::string_view element, Attributes attributes) {
    out_ += std::string(2 * depth_, ' ');
    out_ += '<';
    out_ += element;
    for (const auto& [name, value] : attributes) out_ += format(" {}=\"{}\"", name, escape(value));
}

void SvgWriter::open(std::string_view element, Attributes attributes) {
    start(element, attributes);
    out_ += ">\n";
    ++depth_;
}

void SvgWriter::close(std::string_view element) {
    --depth_;
    out_ += format("{}</{}>\n", std::string(2 * depth_, ' '), element);
}

void SvgWriter::empty(std::string_view element, Attributes attributes) {
    start(element, attributes);
    out_ += "/>\n";
}

void SvgWriter::text(std::string_view element, Attributes attributes, std::string_view content) {
    start(element, attributes);
    out_ += format(">{}</{}>\n", escape(content), element);
}

} // namespace rubato::report
