// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "component.hpp"

#include <rubato/fmi/fmi1.hpp>

#include <utility>

namespace rubato::model::fmi1_functions {

/// model::guarded with the status of this version of FMI.
template <class Body>
fmi1::Status guarded(void* component, Call call, const char* function, Body&& body) {
    return model::guarded<fmi1::Status>(component, call, function, std::forward<Body>(body));
}

} // namespace rubato::model::fmi1_functions
