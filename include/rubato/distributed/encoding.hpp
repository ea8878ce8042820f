// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/scenario/hla.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace rubato::distributed {

/// The bytes of a value (IEEE 1516.2-2010, 4.13). Nullopt: the encoding cannot hold it.
std::optional<std::string> encode_value(scenario::HlaEncoding encoding, const Value& value);
/// Nullopt: these are not the bytes of a value in that encoding.
std::optional<Value> decode_value(scenario::HlaEncoding encoding, std::string_view bytes);

} // namespace rubato::distributed
