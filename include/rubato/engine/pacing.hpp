// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>

namespace rubato::engine {

/// Decides when the steps of a run may begin: it waits in these calls.
class Pacing {
public:
    virtual ~Pacing() = default;
    /// The run is initialized; steps begin at `start`.
    virtual void begin(Time start) = 0;
    /// A step has ended at this communication point, and it is recorded. Must return soon after a
    /// stop of the run has been requested.
    virtual void reached(Time point) = 0;
};

} // namespace rubato::engine
