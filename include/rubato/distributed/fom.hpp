// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/system.hpp>

#include <string>

namespace rubato::distributed {

/// The FOM module of a federation (IEEE 1516.2-2010): what federates of Rubato exchange among each
/// other, and the attributes that a system exchanges with federates of other tools. `name` is that
/// of the scenario.
std::string federation_fom(const std::string& name, const scenario::System& system);

} // namespace rubato::distributed
