// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <memory>
#include <vector>

namespace rubato::unit {

/// A unit around another, to let inputs move that the other can only hold. A step is cut in `count`
/// equal ones. At the start of each, the `moving` inputs are set to what their polynomials are
/// there; at the end of the last, to what they are at the end of the step, so that outputs that
/// they feed through to belong there. Outputs can be sampled between them. Everything else is left to
/// the inner unit.
///
/// `moving` are indices of real scalars among the variables of the unit; only for them may
/// derivatives be set, up to order 2.
std::unique_ptr<Unit> make_sub_stepping(std::unique_ptr<Unit> inner, unsigned count,
                                        const std::vector<std::uint32_t>& moving);

} // namespace rubato::unit
