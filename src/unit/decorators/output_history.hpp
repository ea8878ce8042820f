// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/bytes.hpp>
#include <rubato/unit/unit.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace rubato::unit {

/// A real scalar of a unit that moves between points, as a polynomial of an order.
struct MovingVariable {
    std::uint32_t variable = 0; ///< index among the variables of the unit
    unsigned order = 1;         ///< 1 or 2
};

/// Outputs of a unit at its last points: they are extrapolated from there.
class OutputHistory {
public:
    /// The values at the last three points, newest first.
    struct Samples {
        std::array<Time, 3> times{};
        std::array<std::vector<double>, 3> values;
        std::uint32_t count = 0;
    };

    OutputHistory(const scenario::UnitDescription& unit,
                  const std::vector<MovingVariable>& outputs);

    /// Reads them. If less than `least` has passed, they replace those that were read last.
    void sample(Unit& inner, Time now, Duration least);
    /// Replaces what a bulk has read of them at the last point.
    void extrapolate(const Bulk& values, Time now) const;

    const Samples& samples() const { return samples_; }
    void go_back_to(const Samples& samples) { samples_ = samples; }
    static void write(const Samples& samples, ByteWriter& writer);
    Samples read(ByteReader& reader) const;

private:
    double value_at(std::size_t output, Time now) const;

    struct Output {
        ValueType type;
        ValueRef reference;
        unsigned order;
    };
    std::vector<Output> outputs_;
    Samples samples_;
};

} // namespace rubato::unit
