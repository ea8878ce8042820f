// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/library.hpp>

namespace rubato::pipeline {

/// Adds the native models that come with Rubato to a library.
void add_native_models(unit::Library& library);

} // namespace rubato::pipeline
