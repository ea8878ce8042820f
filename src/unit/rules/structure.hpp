// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/fmi_version.hpp"
#include "description/xml.hpp"

#include <rubato/scenario/description.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace rubato::unit {

/// From what stands in the XML to an index into the variables; nullopt: there is none.
using ResolveVariable = std::function<std::optional<std::uint32_t>(std::uint32_t)>;

/// The rules for <ModelStructure>.
void check_structure(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                     std::span<const scenario::Variable> variables, const ResolveVariable& resolve);

} // namespace rubato::unit
