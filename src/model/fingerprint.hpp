// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/model_type.hpp>

#include <string>

namespace rubato::model {

/// "{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}": a hash of everything in a model description,
/// including start values, and of how instances are laid out.
std::string identifier_of(const ModelType& type);

} // namespace rubato::model
