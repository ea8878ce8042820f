// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/single.hpp>
#include <rubato/unit/library.hpp>

namespace rubato::pipeline {

/// The run of one FMU as a scenario that is named like the file. Reads the model description and
/// the table of inputs. Problems go to `diagnostics`; throws InputError where a file cannot be read.
scenario::SingleScenario make_single(const scenario::SingleRun& run, unit::Library& library,
                                     Diagnostics& diagnostics);

} // namespace rubato::pipeline
