// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "session.hpp"

#include <rubato/unit/unit_factory.hpp>

namespace rubato::python {

/// Makes units of the models in Python that the session knows. The session must outlive it.
std::unique_ptr<unit::UnitFactory> make_unit_factory(Session& session);

} // namespace rubato::python
