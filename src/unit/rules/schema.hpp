// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/xml.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace rubato::unit {

/// The schema of a model description as data: which elements and attributes there are, and of which
/// kind.

enum class AttributeKind : std::uint8_t {
    text,
    boolean,
    index,   ///< a whole number of 32 bits from 0 on
    integer, ///< a whole number of 64 bits
    number,
    indices, ///< a list of them, separated by blanks
    date_time,
};

struct AttributeSchema {
    std::string_view name;
    AttributeKind kind = AttributeKind::text;
    bool required = false;
};

enum class Occurs : std::uint8_t {
    optional,
    once,
    many, ///< or not at all
};

struct ElementSchema;

struct ChildSchema {
    std::string_view name;
    const ElementSchema* element = nullptr; ///< null: what is in it is not looked at
    Occurs occurs = Occurs::optional;
    bool anywhere = false; ///< its place among its siblings is free
};

struct ElementSchema {
    std::array<std::span<const AttributeSchema>, 6> attributes = {};
    std::span<const ChildSchema> children = {};

    const AttributeSchema* find_attribute(std::string_view name) const;
};

extern const ElementSchema fmi1_schema, fmi2_schema, fmi3_schema; ///< of the root

/// Reports where an element and all that is in it depart from the schema. Only elements that the
/// schema knows are entered: the depth is that of the schema.
void check_schema(const XmlReader& reader, pugi::xml_node node, const ElementSchema& schema);

} // namespace rubato::unit
