// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <rubato/scenario/written.hpp>

namespace rubato::scenario::formats {

/// Reads a list of statements, called `path` in messages: `get: a.y`, `{step: a, by: 2}`,
/// `loop: {until-converged: [a.y], iterate: […], if-retry-needed: […]}`. That names exist and that
/// loops make sense is checked when they are resolved.
std::vector<WrittenOp> read_statements(Reporter& reporter, const std::string& path,
                                       const Node& node);

/// Reads procedures by name.
std::vector<WrittenProcedure> read_procedures(Reporter& reporter, const std::string& path,
                                              const Node& node);

/// Reads one procedure without a name, which is called `name` then.
WrittenProcedure read_unnamed_procedure(Reporter& reporter, const std::string& path,
                                        const Entry& entry, std::string_view name);

} // namespace rubato::scenario::formats
