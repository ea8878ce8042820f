// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>

namespace rubato::algorithm {

/// Calls `use` with each body within an operation: iterate, retry, or those of a parallel section.
template <class Use>
void for_each_body(const Op& op, Use&& use) {
    if (const auto* loop = std::get_if<FixedPoint>(&op)) {
        use(loop->iterate);
        use(loop->retry);
    } else if (const auto* search = std::get_if<Negotiate>(&op)) {
        use(search->iterate);
        use(search->retry);
    } else if (const auto* section = std::get_if<Parallel>(&op)) {
        for (const Body& body : section->bodies) use(body);
    }
}

/// Calls `use` with each operation, loops before what is in them.
template <class Use>
void for_each_op(const Body& body, Use&& use) {
    for (const Op& op : body) {
        use(op);
        for_each_body(op, [&](const Body& inner) { for_each_op(inner, use); });
    }
}

/// The same for an operation and those within it.
template <class Kind, class Use>
void for_each_within(const Op& op, Use&& use) {
    if (const auto* found = std::get_if<Kind>(&op)) use(*found);
    for_each_body(op, [&](const Body& body) {
        for (const Op& inner : body) for_each_within<Kind>(inner, use);
    });
}

/// The same for operations of one kind.
template <class Kind, class Use>
void for_each_of(const Body& body, Use&& use) {
    for_each_op(body, [&](const Op& op) {
        if (const auto* found = std::get_if<Kind>(&op)) use(*found);
    });
}

} // namespace rubato::algorithm
