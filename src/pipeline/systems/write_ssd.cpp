// SPDX-License-Identifier: Apache-2.0
#include "systems/write_ssd.hpp"

#include <rubato/core/text.hpp>
#include <rubato/core/xml_writer.hpp>
#include <rubato/pipeline/scenario_unit.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <map>

namespace rubato::pipeline {

namespace {

using scenario::Causality;
using scenario::Variable;

/// What SSP calls a causality; null: it has no connector.
const char* kind_of(const Variable& variable) {
    switch (variable.causality) {
    case Causality::input: return "input";
    case Causality::output: return "output";
    case Causality::parameter: return "parameter";
    default: return nullptr;
    }
}

/// SSP 1.0 has five types; null: the type needs SSP 2.0.
const char* type_of(const Variable& variable) {
    if (variable.is_array()) return nullptr;
    switch (variable.type) {
    case ValueType::float64: return "Real";
    case ValueType::int32: return "Integer";
    case ValueType::boolean: return "Boolean";
    case ValueType::string: return "String";
    case ValueType::enumeration: return variable.items ? "Enumeration" : "Integer";
    default: return nullptr;
    }
}

const char* type_of(const Value& value) {
    constexpr std::array names = {"Real", "Integer", "Boolean", "String"};
    return names[value.index()];
}

class Writer {
public:
    explicit Writer(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    std::string write(const Assembly& assembly, const scenario::Scenario& packed) {
        xml_.open("ssd:SystemStructureDescription");
        for (const auto& [prefix, name] :
             {std::pair("ssd", "Description"), std::pair("ssc", "Common"),
              std::pair("ssv", "ParameterValues")})
            xml_.attribute(format("xmlns:{}", prefix),
                           format("http://ssp-standard.org/SSP1/SystemStructure{}", name));
        xml_.attribute("version", "1.0");
        xml_.attribute("name", packed.name);
        xml_.attribute("generationTool", "Rubato " RUBATO_VERSION);
        write_system(assembly, packed, packed.name, nullptr);
        write_enumerations();
        write_units();
        xml_.open("ssd:DefaultExperiment");
        xml_.attribute("startTime", assembly.scenario.experiment.start);
        xml_.attribute("stopTime", assembly.scenario.experiment.stop);
        xml_.close();
        xml_.close();
        return xml_.text();
    }

private:
    void write_type(const Variable& variable) {
        const char* const type = type_of(variable);
        xml_.open(format("ssc:{}", type));
        if (variable.type == ValueType::float64 && variable.measure) {
            units_[variable.unit] = *variable.measure;
            xml_.attribute("unit", variable.unit);
        }
        if (std::string_view(type) == "Enumeration") {
            const std::string name = format("enumeration{}", enumerations_.size() + 1);
            const auto known = enumerations_.emplace(variable.items.get(), name).first;
            xml_.attribute("name", known->second);
        }
        xml_.close();
    }

    /// `count`: of the variables that are shown.
    void write_connectors(const scenario::UnitDescription& description, std::size_t count,
                          const scenario::Unit* unit) {
        xml_.open("ssd:Connectors");
        for (std::size_t v = 0; v < count; ++v) {
            const Variable& variable = description.variables[v];
            const char* const kind = kind_of(variable);
            if (!kind) continue;
            if (!type_of(variable)) {
                if (unit)
                    diagnostics_.note(unit->where,
                                      format("{}.{} is of a type that SSP 1.0 does not have: only "
                                             "Rubato's annotation holds it",
                                             unit->name, variable.name));
                continue;
            }
            xml_.open("ssd:Connector");
            xml_.attribute("name", variable.name);
            xml_.attribute("kind", kind);
            write_type(variable);
            xml_.close();
        }
        xml_.close();
    }

    void write_parameters(const scenario::Unit& unit) {
        if (unit.parameters.empty() && unit.start.empty()) return;
        xml_.open("ssd:ParameterBindings");
        xml_.open("ssd:ParameterBinding");
        xml_.open("ssd:ParameterValues");
        xml_.open("ssv:ParameterSet");
        xml_.attribute("version", "1.0");
        xml_.attribute("name", unit.name);
        xml_.open("ssv:Parameters");
        for (const auto* list : {&unit.parameters, &unit.start}) {
            for (const scenario::Assignment& assignment : *list) {
                if (!assignment.elements.empty()) continue; // SSP 1.0 has no arrays
                xml_.open("ssv:Parameter");
                xml_.attribute("name", assignment.variable);
                xml_.open(format("ssv:{}", type_of(assignment.value)));
                xml_.attribute("value", to_string(assignment.value));
                xml_.close();
                xml_.close();
            }
        }
        for (int i = 0; i < 5; ++i) xml_.close();
    }

    void write_unit(const Assembly& assembly, std::size_t index, const scenario::Unit& unit) {
        if (assembly.nested[index]) {
            const NestedAssembly& nested = *assembly.nested[index];
            const auto& inner = std::get<scenario::NestedScenario>(unit.origin);
            write_system(nested.assembly, *inner.scenario, unit.name, &nested);
            return;
        }
        const auto* const fmu = std::get_if<scenario::FmuFile>(&unit.origin);
        if (!fmu) return; // which has been reported
        const scenario::UnitDescription& description = assembly.descriptions[index];
        xml_.open("ssd:Component");
        xml_.attribute("name", unit.name);
        xml_.attribute("type", "application/x-fmu-sharedlibrary");
        xml_.attribute("source", fmu->file.string());
        if (unit.type)
            xml_.attribute("implementation", *unit.type == scenario::Interface::co_simulation
                                                 ? "CoSimulation"
                                                 : "ModelExchange");
        write_connectors(description, description.variables.size(), &unit);
        write_parameters(unit);
        xml_.close();
    }

    void write_connection(const std::string& from, const std::string& from_port,
                          const std::string& to, const std::string& to_port,
                          const scenario::Connection& how) {
        xml_.open("ssd:Connection");
        if (!from.empty()) xml_.attribute("startElement", from);
        xml_.attribute("startConnector", from_port);
        if (!to.empty()) xml_.attribute("endElement", to);
        xml_.attribute("endConnector", to_port);
        if (!how.convert) xml_.attribute("suppressUnitConversion", true);
        if (how.factor != 1 || how.offset != 0) {
            xml_.open("ssc:LinearTransformation");
            xml_.attribute("factor", how.factor);
            xml_.attribute("offset", how.offset);
            xml_.close();
        }
        xml_.close();
    }

    /// Whether SSP 1.0 has connectors for both ends.
    static bool can_be_written(const Assembly& assembly, const scenario::Connection& connection) {
        const auto has = [&](const std::string& unit, const std::string& port) {
            const auto& units = assembly.scenario.units;
            const auto found = std::ranges::find(units, unit, &scenario::Unit::name);
            const auto& description =
                assembly.descriptions[static_cast<std::size_t>(found - units.begin())];
            const auto variable = description.find_variable(port);
            return variable && type_of(description.variables[*variable]);
        };
        return !connection.to_type && has(connection.from_unit, connection.from_port) &&
               has(connection.to_unit, connection.to_port);
    }

    void write_connections(const Assembly& assembly, const NestedAssembly* nested) {
        xml_.open("ssd:Connections");
        for (const scenario::Connection& each : assembly.scenario.connections) {
            if (can_be_written(assembly, each))
                write_connection(each.from_unit, each.from_port, each.to_unit, each.to_port, each);
            else
                diagnostics_.warning(
                    each.where,
                    format("{}.{} -> {}.{} has no counterpart in SSP 1.0: other tools leave it out",
                           each.from_unit, each.from_port, each.to_unit, each.to_port));
        }
        if (nested) write_interface(*nested);
        xml_.close();
    }

    /// What a system shows is connected with what it stands for.
    void write_interface(const NestedAssembly& nested) {
        const composite::Interface& interface = nested.interface;
        for (std::size_t v = 0; v < exposed_count(interface); ++v) {
            const Variable& variable = interface.description.variables[v];
            if (!kind_of(variable) || !type_of(variable)) continue;
            for (const composite::InnerVariable& inner : interface.stands_for[v]) {
                const std::string& unit = nested.assembly.scenario.units[inner.unit.value].name;
                const std::string& port =
                    nested.assembly.descriptions[inner.unit.value].variables[inner.variable].name;
                if (variable.causality == Causality::output)
                    write_connection(unit, port, {}, variable.name, {});
                else
                    write_connection({}, variable.name, unit, port, {});
            }
        }
    }

    void write_system(const Assembly& assembly, const scenario::Scenario& packed,
                      const std::string& name, const NestedAssembly* nested) {
        xml_.open("ssd:System");
        xml_.attribute("name", name);
        if (nested)
            write_connectors(nested->interface.description, exposed_count(nested->interface),
                             nullptr);
        xml_.open("ssd:Elements");
        for (std::size_t u = 0; u < packed.units.size(); ++u)
            write_unit(assembly, u, packed.units[u]);
        xml_.close();
        write_connections(assembly, nested);
        xml_.close();
    }

    void write_enumerations() {
        if (enumerations_.empty()) return;
        xml_.open("ssd:Enumerations");
        for (const auto& [items, name] : enumerations_) {
            xml_.open("ssc:Enumeration");
            xml_.attribute("name", name);
            for (const scenario::EnumerationItem& item : *items) {
                xml_.open("ssc:Item");
                xml_.attribute("name", item.name);
                xml_.attribute("value", item.value);
                xml_.close();
            }
            xml_.close();
        }
        xml_.close();
    }

    void write_units() {
        if (units_.empty()) return;
        xml_.open("ssd:Units");
        for (const auto& [name, measure] : units_) {
            xml_.open("ssc:Unit");
            xml_.attribute("name", name);
            xml_.open("ssc:BaseUnit");
            for (std::size_t i = 0; i < base_units.size(); ++i)
                if (measure.dimension[i] != 0) xml_.attribute(base_units[i], measure.dimension[i]);
            if (measure.factor != 1) xml_.attribute("factor", measure.factor);
            if (measure.offset != 0) xml_.attribute("offset", measure.offset);
            xml_.close();
            xml_.close();
        }
        xml_.close();
    }

    Diagnostics& diagnostics_;
    Xml xml_;
    std::map<std::string, Measure> units_; ///< that connectors have
    std::map<const std::vector<scenario::EnumerationItem>*, std::string> enumerations_;
};

} // namespace

std::string write_ssd(const Assembly& assembly, const scenario::Scenario& packed,
                      Diagnostics& diagnostics) {
    return Writer(diagnostics).write(assembly, packed);
}

} // namespace rubato::pipeline
