// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "packing.hpp"

#include <rubato/core/value.hpp>

#include <string>
#include <vector>

/// Values of variables in messages, by how they are stored: a type that is stored like others needs
/// nothing here.
namespace rubato::unit {

/// Which variables: all of a bulk but its values.
void put_variables(Writer& message, const Bulk& bulk);
/// The same where it lies in the message, without values.
Bulk take_variables(Reader& message);

void put_values(Writer& message, const Bulk& bulk);
/// Into where the bulk's values live.
void take_values(Reader& message, const Bulk& bulk);
void skip_values(Reader& message, const Bulk& bulk);

/// Where the values of one call at a time live that a message has no room for, as texts: they are
/// objects.
using Texts = std::vector<std::string>;

/// The bulk with its values at a place where they can be used.
Bulk with_values(Reader& message, Bulk bulk, Texts& texts);
/// The bulk with room for its values, in the message if possible.
Bulk with_room(Writer& message, Bulk bulk, Texts& texts);
/// Once the room is filled: whatever is not in the message yet.
void finish_values(Writer& message, const Bulk& bulk);

} // namespace rubato::unit
