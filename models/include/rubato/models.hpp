// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/model_type.hpp>

#include <vector>

/// The models that come with Rubato, in their native form.
namespace rubato::models {

/// All of them.
const std::vector<const model::ModelType*>& all();

} // namespace rubato::models
