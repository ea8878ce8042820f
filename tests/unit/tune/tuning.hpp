// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/models.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/unit/library.hpp>

#include <string>

namespace rubato::test {

/// A library of native models and a scenario.
struct Tuning {
    explicit Tuning(const std::string& file) : Tuning() {
        Diagnostics diagnostics;
        scenario = pipeline::read(std::string(RUBATO_SOURCE) + "/" + file, diagnostics);
        diagnostics.throw_if_errors();
    }
    Tuning() {
        for (const model::ModelType* type : models::all()) library.add(*type);
    }

    unit::Library library{silent_log()};
    scenario::Scenario scenario;
};

} // namespace rubato::test
