// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/assembly.hpp>
#include <rubato/engine/order_control.hpp>

#include <optional>

namespace rubato::engine {

/// What the scenario says of how the order is chosen; nullopt: there is no choice.
std::optional<OrderControl> order_control(const Assembly& assembly);

} // namespace rubato::engine
