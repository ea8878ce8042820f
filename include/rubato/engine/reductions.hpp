// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <span>

namespace rubato::engine {

/// What the processes of a distributed run decide together. Every process runs the same program on
/// its own units and asks the same questions in the same order; all get the same answer. So all go
/// through the same steps, iterations and events. docs/adr/0006 lists the questions.
class Reductions {
public:
    virtual ~Reductions() = default;

    /// Replaces each number by the largest that a process has given in its place. A NaN is larger
    /// than any number. Throws if another process has failed. Allocates nothing.
    virtual void take_largest(std::span<double> numbers) = 0;

    /// This process has failed: all others end, too. Throws what is to be reported to the user,
    /// which is the same everywhere.
    [[noreturn]] virtual void fail(std::exception_ptr own) = 0;
};

} // namespace rubato::engine
