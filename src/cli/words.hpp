// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/system.hpp>

#include <string>
#include <string_view>

namespace rubato::cli {

/// Where a contract comes from, for people.
std::string_view origin_text(scenario::Origin origin);

/// "save its state, variable step size, input derivatives up to order 2"
std::string capabilities_text(const scenario::Capabilities& capabilities);

} // namespace rubato::cli
