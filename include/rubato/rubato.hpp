// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All that a program needs to read a scenario, run it and keep its results. Models include
/// <rubato/model/declare.hpp> instead.
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/log.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/report/csv_recorder.hpp>
#include <rubato/report/run_recorder.hpp>
#include <rubato/report/table.hpp>
#include <rubato/scenario/yaml.hpp>
#include <rubato/unit/library.hpp>
