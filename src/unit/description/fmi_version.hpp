// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rubato::unit {

enum class FmiVersion { fmi1 = 1, fmi2, fmi3 };

} // namespace rubato::unit
