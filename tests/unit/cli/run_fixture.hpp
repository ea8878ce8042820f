// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace rubato::cli {

inline constexpr auto scenario = R"(rubato: 1
name: pair
units:
  one: {model: msd1, parameters: {c1: 5}, start: {x1: 1}}
  two: {model: msd2}
connections:
  - one.x1 -> two.x1
  - one.v1 -> two.v1
  - two.Fc -> one.Fc
experiment: {stop: 2, step: 0.1}
algorithm: gauss-seidel
)";

/// Commands in a folder with the scenario s.yaml.
class Run : public testing::Program {
protected:
    Run() { write("s.yaml", scenario); }

    nlohmann::json metadata(const std::string& results) const {
        return nlohmann::json::parse(read(results + ".json"));
    }
    std::string first_line(const std::string& file) const {
        const std::string content = read(file);
        return content.substr(0, content.find('\n'));
    }
    std::size_t line_count(const std::string& file) const {
        const std::string content = read(file);
        return static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n'));
    }
};

} // namespace rubato::cli
