// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

namespace rubato::synthesis {

/// The same body with sections in which units step at the same time. Operations stand together as
/// long as none needs a value that another unit's operation among them reads; a section has a body
/// for each unit that is stepped, in the order of the serial form. Every unit sees the same calls
/// with the same values as without sections.
algorithm::Body with_sections(const scenario::System& system, algorithm::Body body);

} // namespace rubato::synthesis
