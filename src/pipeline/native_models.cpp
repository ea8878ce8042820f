// SPDX-License-Identifier: Apache-2.0
#include <rubato/engine/step_size_factory.hpp>
#include <rubato/models.hpp>
#include <rubato/pipeline/native_models.hpp>

namespace rubato::pipeline {

void add_native_models(unit::Library& library) {
    for (const model::ModelType* type : models::all()) library.add(*type);
    library.add(engine::make_step_size_factory());
}

} // namespace rubato::pipeline
