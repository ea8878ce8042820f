// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/composite/interface.hpp>

namespace rubato::composite {

/// The chain of derivatives from these inputs on; nullopt: there is none (composite/interface.hpp).
std::optional<Chain> derive_chain(const scenario::System& system,
                                  std::span<const scenario::UnitDescription> descriptions,
                                  const std::vector<PortId>& inputs);

} // namespace rubato::composite
