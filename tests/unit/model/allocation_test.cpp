// SPDX-License-Identifier: Apache-2.0
#include "models.hpp"
#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rubato::model {
namespace {

TEST(Instance, AllocatesNothingAfterInitialization) {
    const ModelType& type = model_named("msd2");
    const ValueRef x1 = reference(type, "x1"), coupling_force = reference(type, "Fc");
    for (const Solver solver : {Solver::euler, Solver::rk4, Solver::exact}) {
        Named mass(type);
        mass.solve_with(solver);
        mass.initialize();
        std::vector<std::byte> state(mass.saved_size());
        const std::size_t before = test::allocations();
        for (int i = 0; i < 20; ++i) {
            const double value = i, size = 0.1 * (1 + i % 7); // more sizes than are remembered
            double force = 0;
            must(mass.set<double>({&x1, 1}, &value));
            must(mass.set_input_derivative(x1, 1 + i % 2, 0.1 * i));
            mass.update_moving();
            mass.save(state.data());
            mass.step(i, size);
            mass.restore(state.data());
            mass.step(i, size);
            must(mass.get<double>({&coupling_force, 1}, &force));
        }
        EXPECT_EQ(test::allocations(), before);
    }
}

} // namespace
} // namespace rubato::model
