// SPDX-License-Identifier: Apache-2.0
#include "isolated_unit.hpp"

namespace rubato::unit {

void put(Writer& message, const IsolatedOrigin& origin) {
    message.put_text(origin.name);
    message.put_text(origin.fmu.string());
    message.put(origin.type);
    message.put(origin.solver.method);
    message.put(origin.solver.tolerance);
    message.put(origin.solver.max_step);
    message.put(origin.solver.step);
    message.put(origin.logging.on);
    message.put(origin.logging.limit);
    message.put(origin.logging.categories.size());
    for (const std::string& category : origin.logging.categories) message.put_text(category);
    message.put(origin.limits);
    message.put(origin.strictness);
}

IsolatedOrigin take_origin(Reader& message) {
    IsolatedOrigin origin;
    origin.name = message.take_text();
    origin.fmu = message.take_text();
    origin.type = message.take<std::optional<scenario::Interface>>();
    origin.solver.method = message.take<scenario::SolverMethod>();
    origin.solver.tolerance = message.take<std::optional<double>>();
    origin.solver.max_step = message.take<std::optional<double>>();
    origin.solver.step = message.take<std::optional<double>>();
    origin.logging.on = message.take<bool>();
    origin.logging.limit = message.take<int>();
    const auto categories = message.take<std::size_t>();
    for (std::size_t i = 0; i < categories; ++i)
        origin.logging.categories.emplace_back(message.take_text());
    origin.limits = message.take<files::ArchiveLimits>();
    origin.strictness = message.take<Strictness>();
    return origin;
}

} // namespace rubato::unit
