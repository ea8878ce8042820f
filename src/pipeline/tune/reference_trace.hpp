// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune/runs.hpp"

namespace rubato::pipeline {

/// What errors are measured by.
struct ReferenceTrace {
    TuneReference info;
    Trace trace;
    double seconds = 0; ///< of wall clock that its last run took
};

/// Halves the step of an accurate algorithm until that changes results by a small part of the
/// tolerance, within a third of the budget, and compares with another algorithm.
/// Throws Error: no such run succeeds.
ReferenceTrace make_reference(TuneRuns& runs, double given_seconds);

/// The same reference as before.
ReferenceTrace repeat_reference(TuneRuns& runs, const TuneReference& info);

} // namespace rubato::pipeline
