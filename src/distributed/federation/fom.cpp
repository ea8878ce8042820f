// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/xml_writer.hpp>
#include <rubato/distributed/fom.hpp>
#include <rubato/private/format.hpp>

#include <map>
#include <set>
#include <string_view>

namespace rubato::distributed {

namespace {

using scenario::HlaEncoding;
using scenario::HlaPort;

constexpr std::string_view schema_namespace = "http://standards.ieee.org/IEEE1516-2010";
constexpr std::string_view schema_location =
    "http://standards.ieee.org/IEEE1516-2010 "
    "http://standards.ieee.org/downloads/1516/1516.2-2010/IEEE1516-DIF-2010.xsd";
constexpr std::string_view time_type = "RubatoTime";

/// Attributes have data types, which the standard does not have for plain numbers: "RubatoFloat64BE"
/// is that of HLAfloat64BE.
std::string data_type_of(HlaEncoding encoding) {
    const std::string name(to_string(encoding));
    if (encoding == HlaEncoding::boolean || encoding == HlaEncoding::unicode_string) return name;
    std::string type = "Rubato" + name.substr(std::string_view("HLA").size());
    type[std::string_view("Rubato").size()] =
        storage_in(encoding) == Storage::real ? 'F' : 'I'; // capital letters begin words
    return type;
}

/// A class of objects with its subclasses.
struct ObjectClass {
    std::map<std::string, HlaEncoding> attributes;
    std::map<std::string, ObjectClass> subclasses;
};

void add(const HlaPort& port, ObjectClass& root) {
    ObjectClass* current = &root;
    std::string_view path = port.object_class;
    for (;;) {
        const std::size_t dot = path.find('.');
        current = &current->subclasses[std::string(path.substr(0, dot))];
        if (dot == std::string_view::npos) break;
        path.remove_prefix(dot + 1);
    }
    current->attributes.emplace(port.attribute, port.encoding);
}

class FomWriter {
public:
    std::string write(const std::string& name, const scenario::System& system) {
        ObjectClass root;
        for (const auto* list : {&system.hla_outputs, &system.hla_inputs})
            for (const HlaPort& port : *list) add(port, root);
        xml_.open("objectModel");
        xml_.attribute("xmlns", schema_namespace);
        xml_.attribute("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
        xml_.attribute("xsi:schemaLocation", schema_location);
        write_identification(name);
        write_objects(root);
        write_time();
        write_data_types(system);
        xml_.close();
        return xml_.text();
    }

private:
    void write_identification(const std::string& name) {
        xml_.open("modelIdentification");
        xml_.text_element("name", name.empty() ? "Rubato" : name);
        xml_.text_element("type", "FOM");
        xml_.text_element("version", "1.0");
        xml_.text_element("modificationDate", "2026-11-18"); // of the classes of Rubato
        xml_.text_element("securityClassification", "unclassified");
        xml_.text_element("description",
                          "What federates of Rubato exchange among each other and with others");
        xml_.open("poc");
        xml_.text_element("pocType", "Primary author");
        xml_.text_element("pocName", "Rubato");
        xml_.close();
        xml_.close();
    }

    void write_objects(const ObjectClass& root) {
        xml_.open("objects");
        xml_.open("objectClass");
        xml_.text_element("name", "HLAobjectRoot");
        write_frames();
        for (const auto& [name, subclass] : root.subclasses) write_class(name, subclass);
        xml_.close();
        xml_.close();
    }

    /// Frames come in the order of receipt: many of them are exchanged at one logical time.
    void write_frames() {
        xml_.open("objectClass");
        xml_.text_element("name", "RubatoFederate");
        xml_.text_element("sharing", "PublishSubscribe");
        xml_.text_element("semantics", "A process of a run");
        write_attribute("Frame", "HLAopaqueData", "values or decisions are exchanged", "Receive",
                        "Packed values, decisions and commands");
        xml_.close();
    }

    void write_class(const std::string& name, const ObjectClass& of) {
        xml_.open("objectClass");
        xml_.text_element("name", name);
        xml_.text_element("sharing", "PublishSubscribe");
        for (const auto& [attribute, encoding] : of.attributes)
            write_attribute(attribute, data_type_of(encoding), "at each communication point",
                            "TimeStamp", "A variable of a unit");
        for (const auto& [subname, subclass] : of.subclasses) write_class(subname, subclass);
        xml_.close();
    }

    void write_attribute(std::string_view name, std::string_view type, std::string_view condition,
                         std::string_view order, std::string_view semantics) {
        xml_.open("attribute");
        xml_.text_element("name", name);
        xml_.text_element("dataType", type);
        xml_.text_element("updateType", "Conditional");
        xml_.text_element("updateCondition", condition);
        xml_.text_element("ownership", "NoTransfer");
        xml_.text_element("sharing", "PublishSubscribe");
        xml_.text_element("transportation", "HLAreliable");
        xml_.text_element("order", order);
        xml_.text_element("semantics", semantics);
        xml_.close();
    }

    void write_time() {
        xml_.open("time");
        for (const auto& [element, semantics] :
             {std::pair{"timeStamp", "Simulated time (HLAfloat64Time)"},
              std::pair{"lookahead", "Zero for federates of Rubato (HLAfloat64Interval)"}}) {
            xml_.open(element);
            xml_.text_element("dataType", time_type);
            xml_.text_element("semantics", semantics);
            xml_.close();
        }
        xml_.close();
    }

    void write_data_types(const scenario::System& system) {
        std::set<HlaEncoding> used;
        for (const auto* list : {&system.hla_outputs, &system.hla_inputs})
            for (const HlaPort& port : *list) used.insert(port.encoding);
        xml_.open("dataTypes");
        xml_.open("simpleDataTypes");
        write_simple_type(time_type, "HLAfloat64BE", "s", "Seconds since the start");
        for (const HlaEncoding encoding : used) {
            const std::string type = data_type_of(encoding);
            if (type != to_string(encoding))
                write_simple_type(type, to_string(encoding), "NA", "A number");
        }
        xml_.close();
        xml_.close();
    }

    void write_simple_type(std::string_view name, std::string_view representation,
                           std::string_view units, std::string_view semantics) {
        xml_.open("simpleData");
        xml_.text_element("name", name);
        xml_.text_element("representation", representation);
        xml_.text_element("units", units);
        xml_.text_element("resolution", "NA");
        xml_.text_element("accuracy", "NA");
        xml_.text_element("semantics", semantics);
        xml_.close();
    }

    Xml xml_;
};

} // namespace

std::string federation_fom(const std::string& name, const scenario::System& system) {
    return FomWriter().write(name, system);
}

} // namespace rubato::distributed
