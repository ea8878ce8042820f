// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace rubato::unit {

/// Is notified that a call into an FMU has failed: the unit that it runs for.
class FaultSink {
public:
    /// Throws an Error that names the unit, the call and the time (Unit::fail).
    virtual void fault(std::string_view call, std::string_view reason) = 0;

protected:
    ~FaultSink() = default;
};

} // namespace rubato::unit
