// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

#include <rubato/scenario/system.hpp>

#include <memory>
#include <span>

namespace rubato::engine {

/// What the source of a connection is within steps: a scalar that its unit provides. It is sampled
/// from then on.
InnerValue inner_value(const scenario::System& system, const scenario::Link& link,
                       std::span<const std::unique_ptr<unit::Unit>> units, Plan& plan);

} // namespace rubato::engine
