// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>

#include <cstdint>
#include <span>

namespace rubato::unit {

/// Whether a model could be evaluated where it was asked to. A model may refuse a point that a
/// solver tries; then the solver tries a nearer one.
enum class [[nodiscard]] Evaluation : std::uint8_t{done, refused};

/// How variables change with others, at the model's present state. All are float64 scalars.
class DirectionalDerivatives {
public:
    virtual ~DirectionalDerivatives() = default;
    /// J · seed, where J is that of `unknowns` by `knowns`.
    virtual Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                              std::span<const ValueRef> knowns,
                                              std::span<const double> seed,
                                              std::span<double> sensitivity) = 0;
};

} // namespace rubato::unit
