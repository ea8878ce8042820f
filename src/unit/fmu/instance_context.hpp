// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/scenario/scenario.hpp>

#include <memory>

namespace rubato::unit {

/// What an instance of an FMU is given besides the FMU itself.
struct InstanceContext {
    Log& log; ///< outlives the instance
    scenario::LoggingSettings logging;
    std::shared_ptr<void> claim; ///< held until the instance is freed
};

} // namespace rubato::unit
