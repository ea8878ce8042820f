// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/model_type.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/unit/unit.hpp>

#include <memory>
#include <string>

namespace rubato::unit {

/// What a native model is: what the description of its FMI 2.0 form declares.
scenario::UnitDescription describe(const model::ModelType& type);

/// A unit that runs a native model, to the last bit like its FMUs. `type` and `description`, which
/// is that of the type, must outlive it.
std::unique_ptr<Unit> make_native_unit(std::string name, const model::ModelType& type,
                                       const scenario::UnitDescription& description);

} // namespace rubato::unit
