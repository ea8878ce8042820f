// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/processes.hpp>

namespace rubato::studies::scaling {

/// Twice a hundred oscillators in a chain on two ranks: what the communication transformation
/// changes. On all processes; the first one prints.
void show_groups(engine::Processes& all);

} // namespace rubato::studies::scaling
