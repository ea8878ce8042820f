// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/model_type.hpp>

#include <string>
#include <vector>

namespace rubato::model {

const ModelType& exported_model();

/// Value references of the sample, a lag y' = u - y with a variable of every type.
namespace sample {
enum : ValueRef {
    k,
    u,
    gate,
    level,
    small,
    byte,
    word,
    large,
    huge,
    y,
    doubled,
    limit,
    count_declared
};
inline constexpr ValueRef solver = count_declared + 1;
inline constexpr ValueRef derivative_of_y = count_declared + 3;
} // namespace sample

/// What a logger was told.
struct Message {
    std::string instance, category, text;
};
using Messages = std::vector<Message>;

} // namespace rubato::model
