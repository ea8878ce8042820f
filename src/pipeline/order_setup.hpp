// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/order_control.hpp>
#include <rubato/pipeline/assembly.hpp>

#include <optional>

namespace rubato::pipeline {

/// What the scenario says of how the order is chosen; nullopt: there is no choice.
std::optional<engine::OrderControl> order_control(const Assembly& assembly);

} // namespace rubato::pipeline
