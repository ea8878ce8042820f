// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace rubato::distributed {

/// The FOM module (IEEE 1516.2-2010) by which federates of Rubato exchange frames.
std::string exchange_fom();

} // namespace rubato::distributed
