// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/measure.hpp>
#include <rubato/core/value.hpp>
#include <rubato/core/xml_writer.hpp>

#include <limits>
#include <optional>
#include <string>

/// Elements of model descriptions, for those who write them.
namespace rubato::fmi {

/// Of a variable in FMI 1.0 and 2.0.
constexpr const char* element_of(ValueType type) {
    switch (storage_of(type)) {
    case Storage::real: return "Real";
    case Storage::boolean: return "Boolean";
    case Storage::string: return "String";
    default: return type == ValueType::enumeration ? "Enumeration" : "Integer";
    }
}

/// Of a variable in FMI 3.0.
constexpr const char* fmi3_element_of(ValueType type) {
    switch (type) {
    case ValueType::float64: return "Float64";
    case ValueType::float32: return "Float32";
    case ValueType::int8: return "Int8";
    case ValueType::uint8: return "UInt8";
    case ValueType::int16: return "Int16";
    case ValueType::uint16: return "UInt16";
    case ValueType::int32: return "Int32";
    case ValueType::uint32: return "UInt32";
    case ValueType::int64: return "Int64";
    case ValueType::uint64: return "UInt64";
    case ValueType::boolean: return "Boolean";
    case ValueType::string: return "String";
    case ValueType::binary: return "Binary";
    case ValueType::clock: return "Clock";
    default: return "Enumeration";
    }
}

template <class T>
void write_range(Xml& xml) {
    xml.attribute("min", std::numeric_limits<T>::min());
    xml.attribute("max", std::numeric_limits<T>::max());
}

/// What an Integer of FMI 1.0 and 2.0 can be, where it stands for another type.
inline void write_integer_range(Xml& xml, ValueType type) {
    switch (type) {
    case ValueType::int8: write_range<std::int8_t>(xml); break;
    case ValueType::uint8: write_range<std::uint8_t>(xml); break;
    case ValueType::int16: write_range<std::int16_t>(xml); break;
    case ValueType::uint16: write_range<std::uint16_t>(xml); break;
    case ValueType::uint32:
    case ValueType::uint64: xml.attribute("min", 0); break;
    default: break;
    }
}

/// The definition of a unit of measure in FMI 2.0 and 3.0.
inline void write_unit(Xml& xml, const std::string& name, const std::optional<Measure>& measure) {
    xml.open("Unit");
    xml.attribute("name", name);
    if (measure) {
        xml.open("BaseUnit");
        for (std::size_t i = 0; i < base_units.size(); ++i)
            if (measure->dimension[i] != 0) xml.attribute(base_units[i], measure->dimension[i]);
        if (measure->factor != 1) xml.attribute("factor", measure->factor);
        if (measure->offset != 0) xml.attribute("offset", measure->offset);
        xml.close();
    }
    xml.close();
}

} // namespace rubato::fmi
