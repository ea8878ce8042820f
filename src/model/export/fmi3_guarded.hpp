// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "component.hpp"

#include <rubato/fmi/fmi3.hpp>

#include <utility>

namespace rubato::model::fmi3_functions {

/// model::guarded with the status of this version of FMI.
template <class Body>
fmi3::Status guarded(void* component, Call call, const char* function, Body&& body) {
    return model::guarded<fmi3::Status>(component, call, function, std::forward<Body>(body));
}

} // namespace rubato::model::fmi3_functions
