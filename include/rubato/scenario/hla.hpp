// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// How the value of an attribute is encoded (IEEE 1516.2-2010, 4.13).
enum class HlaEncoding : std::uint8_t {
    float64_be,
    float64_le,
    float32_be,
    float32_le,
    integer64_be,
    integer64_le,
    integer32_be,
    integer32_le,
    integer16_be,
    integer16_le,
    boolean,
    unicode_string,
};
std::string_view to_string(HlaEncoding encoding);

/// Which values it carries.
Storage storage_in(HlaEncoding encoding);
/// The one that carries all values of a type, or most of them (uint64); nullopt: there is none.
std::optional<HlaEncoding> usual_encoding(ValueType type);

/// A variable of a unit as an attribute of an HLA object instance, which federates of other tools
/// know.
struct HlaAttribute {
    std::string variable;                 ///< `unit.variable`
    std::string object_class;             ///< "Vehicle.Car", below HLAobjectRoot
    std::optional<std::string> instance;  ///< none: the name of the unit
    std::optional<std::string> attribute; ///< none: the name of the variable
    std::optional<HlaEncoding> encoding;  ///< none: by the type of the variable
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("class", self.object_class,
              "object class of the FOM, below HLAobjectRoot: Vehicle.Car");
        visit("instance", self.instance, "name of the object instance; default: that of the unit");
        visit("attribute", self.attribute,
              "attribute of the class; default: the name of the variable");
        visit("encoding", self.encoding,
              "how values are encoded; default: by the type of the variable, big endian");
    }
    friend bool operator==(const HlaAttribute&, const HlaAttribute&) = default;
};

/// What a scenario exchanges with federates of other tools, when it runs as a federation.
struct HlaSettings {
    std::vector<HlaAttribute> outputs; ///< published at each communication point
    std::vector<HlaAttribute> inputs;  ///< fed by attributes of others
    Location where;
    bool empty() const { return outputs.empty() && inputs.empty(); }
    friend bool operator==(const HlaSettings&, const HlaSettings&) = default;
};

} // namespace rubato::scenario
