// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace rubato::report {

/// A coordinate with two decimals at most: "12", "12.5".
std::string pixels(double value);

/// Writes SVG, element by element, all text escaped.
class SvgWriter {
public:
    using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

    void open(std::string_view element, Attributes attributes);
    void close(std::string_view element);
    void empty(std::string_view element, Attributes attributes);
    void text(std::string_view element, Attributes attributes, std::string_view content);

    const std::string& result() const { return out_; }

private:
    void start(std::string_view element, Attributes attributes);

    std::string out_;
    std::size_t depth_ = 0;
};

} // namespace rubato::report
