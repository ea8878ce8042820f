// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit_factory.hpp>

#include <memory>

namespace rubato::engine {

/// Makes units that give the length of the next communication step (scenario::StepSizeUnit).
std::unique_ptr<unit::UnitFactory> make_step_size_factory();

} // namespace rubato::engine
