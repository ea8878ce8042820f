// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/rules.hpp>

#include <string>

namespace rubato::unit {

/// What an instance has made of derivatives of inputs in `call`: whether it refuses those that it
/// says it takes. Any other fault is one of the unit.
template <class Instance, class Status>
bool refuses_derivatives(Instance& instance, Status status, const char* call) {
    if (status != Status::discard && status != Status::error) {
        instance.check(status, call);
        return false;
    }
    const std::string reason = instance.take_error();
    instance.rules().broken(Rule::input_derivatives_refused, call,
                            reason.empty() ? "it takes none" : reason);
    return true;
}

} // namespace rubato::unit
