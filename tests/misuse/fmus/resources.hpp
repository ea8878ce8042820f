// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fstream>
#include <limits>
#include <string>

namespace rubato::test {

/// The path that a URI such as file:///a%20b means.
inline std::string path_of(const std::string& uri) {
    const std::string scheme = "file://";
    std::string path;
    for (std::size_t i = scheme.size(); i < uri.size(); ++i) {
        if (uri[i] == '%') {
            path += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            path += uri[i];
        }
    }
    return path;
}

/// What resources/value.txt holds; NaN: there is no such file.
inline double read_value(const std::string& resources) {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::ifstream(resources + "/value.txt") >> value;
    return value;
}

} // namespace rubato::test
