// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rubato::engine {

struct FixedPointLoop;
struct Plan;

/// How one iteration of a loop over one instant changes with what it starts from: the derivatives
/// of the units, carried through the sets and gets of the loop.
class LoopDerivatives {
public:
    /// Null: the loop has steps, loops within it, arrays or inputs that move, or a unit that does
    /// not give derivatives. The plan's calls are bound.
    static std::unique_ptr<LoopDerivatives> make(const Plan& plan, const FixedPointLoop& loop);

    /// Those of all reals of the loop by the j-th of them, where the units stand. False: a unit has
    /// refused.
    [[nodiscard]] bool get(const FixedPointLoop& loop, std::size_t j, std::span<double> column);

private:
    /// A unit, with what its inputs change by.
    struct Fed {
        unit::DirectionalDerivatives* derivatives = nullptr;
        std::vector<ValueRef> inputs;
        std::vector<double> changes;
    };
    /// An input takes over what its source changes by.
    struct Take {
        std::uint32_t from = 0; ///< slot
        std::uint32_t unit = 0;
        std::uint32_t input = 0;
        double factor = 1;
    };
    /// Outputs change by what the inputs of their unit do.
    struct Give {
        std::uint32_t unit = 0;
        std::uint32_t to = 0; ///< first slot
        std::span<const ValueRef> outputs;
    };
    struct Stage {
        std::vector<Take> takes;
        std::vector<Give> gives; ///< after them
    };

    explicit LoopDerivatives(std::size_t slots) : changes_(slots) {}
    bool add(const Plan& plan, const FixedPointLoop& loop);
    bool add_set(const struct SetCall& call);
    bool add_get(const struct GetCall& call, const double* slots);
    std::uint32_t index_of(unit::Unit& unit);
    bool give(const Give& outputs);

    std::vector<Fed> units_;
    std::vector<const unit::Unit*> known_; ///< the same
    std::vector<Stage> stages_;
    std::vector<double> changes_; ///< by slot
};

} // namespace rubato::engine
