// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/own_annotation.hpp"
#include "formats/ssp/reader.hpp"
#include "formats/ssp/settings.hpp"
#include "formats/ssp/values.hpp"

#include <rubato/private/format.hpp>
#include <rubato/scenario/ssp.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace rubato::scenario {

namespace formats::ssp {

namespace {

/// What two values of tables are compared by.
std::string key_of(const End& source, const Transformation& transformation) {
    std::string key =
        format("{}|{}{}|{}|{}", static_cast<const void*>(source.element), source.connector,
               source.indices, transformation.factor, transformation.offset);
    for (const MappedValue& entry : transformation.map)
        key += format("|{}:{}", rubato::to_string(entry.from), rubato::to_string(entry.to));
    return key;
}

/// Makes a scenario of a structure: connections lie where their ends are in one system, and systems
/// on the way show what has to get through.
class Builder {
public:
    Builder(const Structure& structure, Diagnostics& diagnostics)
        : structure_(structure), root_(*structure.root), diagnostics_(diagnostics),
          values_(root_, diagnostics) {}

    Scenario build() {
        name_units(root_);
        const std::vector<Flow> flows = Wiring(root_, diagnostics_).flows();
        for (const Flow& flow : flows) add(flow);
        if (!root_.connectors.empty()) expose_root(flows);
        Scenario scenario = make(root_);
        scenario.name = structure_.name;
        settle_experiment(structure_, scenario, diagnostics_);
        return scenario;
    }

private:
    /// What is gathered for a system.
    struct Parts {
        std::vector<Unit> units; ///< beyond its elements
        std::vector<Connection> connections;
        InterfaceSettings interface;
        std::map<std::string, std::string> inputs,
            outputs;                     ///< names in the interface by their keys
        std::set<std::string> taken;     ///< names in the interface
        std::set<std::string> connected; ///< ends of connections
    };

    void name_units(const Element& system) {
        std::set<std::string> taken;
        for (const auto& element : system.elements) {
            const std::string name = unique_name(plain_name(element->name), taken);
            names_[element.get()] = name;
            if (name != element->name && element->kind != Element::Kind::dictionary_reference)
                diagnostics_.note(element->where,
                                  format("\"{}\" is called \"{}\": names of units are "
                                         "made of letters, digits, _ and -",
                                         element->name, name));
            if (element->kind == Element::Kind::system) name_units(*element);
        }
    }

    static std::vector<const Element*> systems_around(const Element* element) {
        std::vector<const Element*> all;
        for (const Element* each = element->parent; each; each = each->parent) all.push_back(each);
        return all; // from the innermost
    }

    /// The innermost system that both are in.
    static const Element* common_system(const Element* a, const Element* b) {
        const auto around_b = systems_around(b);
        for (const Element* each : systems_around(a))
            if (std::ranges::find(around_b, each) != around_b.end()) return each;
        return nullptr;
    }

    /// What the connector of a system is called that a value passes.
    static std::string connector_of(const Flow& flow, const Element* system,
                                    const std::string& otherwise) {
        for (const Segment& segment : flow.segments)
            if (segment.to.element == system) return segment.to.connector;
        return flow.source.element == system ? flow.source.connector : otherwise;
    }

    /// The output as seen in `level`: systems below it show it.
    PortName lift(const Flow& flow, const Element* level) {
        const Element* element = flow.source.element;
        std::string port = flow.source.connector + flow.source.indices;
        while (element->parent != level) {
            const Element* const system = element->parent;
            Parts& parts = parts_[system];
            const std::string of = names_[element] + "." + port;
            std::string& name = parts.outputs[of];
            if (name.empty()) {
                name = unique_name(connector_of(flow, system, flow.source.connector), parts.taken);
                parts.interface.outputs.push_back({name, {of}, flow.segments.front().link->where});
            }
            port = name;
            element = system;
        }
        return {names_[element], port};
    }

    /// The input as seen in `level`. What gets the same from the same source has one input.
    PortName lower(const Flow& flow, const Element* level, const std::string& key) {
        const Element* element = flow.target.element;
        std::string port = flow.target.connector + flow.target.indices;
        while (element->parent != level) {
            const Element* const system = element->parent;
            Parts& parts = parts_[system];
            const std::string of = names_[element] + "." + port;
            std::string& name = parts.inputs[key];
            if (name.empty()) {
                name = unique_name(connector_of(flow, system, flow.target.connector), parts.taken);
                parts.interface.inputs.push_back({name, {}, flow.segments.back().link->where});
            }
            auto& all = std::ranges::find(parts.interface.inputs, name, &ExposedVariable::name)->of;
            if (std::ranges::find(all, of) == all.end()) all.push_back(of);
            port = name;
            element = system;
        }
        return {names_[element], port};
    }

    /// Items of enumerations by their numbers, where FMUs do not know the names.
    static Value known_item(const Value& value, const End& end) {
        const auto* const name = std::get_if<std::string>(&value);
        const Variable* const variable = variable_of(*end.element, end.connector);
        const Connector* const connector = end.element->find_connector(end.connector);
        if (!name || (variable && variable->find_item(*name)) || !connector || !connector->items)
            return value;
        const auto item = std::ranges::find(*connector->items, *name, &EnumerationItem::name);
        return item == connector->items->end() ? value : Value(item->value);
    }

    void add(const Flow& flow) {
        values_.pass_on(flow);
        if (!flow.has_source() || flow.target.element->kind != Element::Kind::component) return;
        if (is_of_initialization(flow)) return;
        auto passage = passage_of(flow, diagnostics_);
        if (!passage) return;
        for (MappedValue& entry : passage->transformation.map) {
            entry.from = known_item(entry.from, flow.source);
            entry.to = known_item(entry.to, flow.target);
        }
        const Element* const level = common_system(flow.source.element, flow.target.element);
        const std::string key = key_of(flow.source, passage->transformation);
        PortName from = lift(flow, level);
        const PortName to = lower(flow, level, key);
        Parts& parts = parts_[level];
        if (!parts.connected.insert(to.unit + "." + to.port).second) return; // shared
        const Location& where = flow.segments.back().link->where;
        Connection connection;
        if (!passage->transformation.map.empty()) {
            from = add_lookup(flow, from, to, passage->transformation.map, parts);
            const Variable* const target = variable_of(*flow.target.element, flow.target.connector);
            if (target && storage_of(target->type) == Storage::boolean)
                connection.to_type = TypeConversion::nonzero;
        }
        std::tie(connection.from_unit, connection.from_port) = std::tie(from.unit, from.port);
        std::tie(connection.to_unit, connection.to_port) = std::tie(to.unit, to.port);
        connection.factor = passage->transformation.factor;
        connection.offset = passage->transformation.offset;
        connection.convert = !passage->is_explicit || is_without_units(flow);
        connection.where = where;
        parts.connections.push_back(std::move(connection));
    }

    /// A table of values is a unit of its own: the native model "lookup". Returns its output.
    PortName add_lookup(const Flow& flow, const PortName& from, const PortName& to,
                        const std::vector<MappedValue>& map, Parts& parts) {
        const Location& where = flow.segments.back().link->where;
        Unit unit;
        unit.name = format("map-to-{}-{}", to.unit, plain_name(to.port));
        unit.origin = NativeModel{"lookup"};
        unit.where = where;
        Assignment sources{"from", {}, where, {}, {}}, targets{"to", {}, where, {}, {}};
        for (const MappedValue& entry : map) {
            sources.elements.emplace_back(number_of(entry.from, flow.source, where));
            targets.elements.emplace_back(number_of(entry.to, flow.target, where));
        }
        // Until the first value arrives, it has one that is in the table.
        unit.start = {{"u", sources.elements.front(), where, {}, {}}};
        unit.parameters = {{"n", Value(static_cast<std::int64_t>(map.size())), where, {}, {}},
                           std::move(sources),
                           std::move(targets)};
        Connection connection;
        std::tie(connection.from_unit, connection.from_port) = std::tie(from.unit, from.port);
        connection.to_unit = unit.name;
        connection.to_port = "u";
        connection.where = where;
        parts.connections.push_back(std::move(connection));
        parts.units.push_back(std::move(unit));
        return {parts.units.back().name, "y"};
    }

    /// Booleans are 0 and 1, items of enumerations what the FMU or the file says.
    std::int64_t number_of(const Value& value, const End& end, const Location& where) {
        if (const bool* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
        if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
        const auto* const name = std::get_if<std::string>(&value);
        const Variable* const variable = variable_of(*end.element, end.connector);
        const auto item = name && variable ? variable->find_item(*name) : std::nullopt;
        if (item) return *item;
        diagnostics_.error(where,
                           format("\"{}\" is no item of the enumeration \"{}.{}\"",
                                  rubato::to_string(value), end.element->name, end.connector));
        return 0;
    }

    /// Nothing has a unit of measure: there is nothing to convert.
    static bool is_without_units(const Flow& flow) {
        const auto has_none = [](const End& end) {
            const Variable* const variable = variable_of(*end.element, end.connector);
            return variable && variable->unit.empty();
        };
        return has_none(flow.source) && has_none(flow.target);
    }

    /// Constants and calculated parameters are known after initialization, before the run.
    bool is_of_initialization(const Flow& flow) {
        const Variable* const variable = variable_of(*flow.source.element, flow.source.connector);
        if (!variable || variable->causality == Causality::output) return false;
        if (variable->variability == Variability::constant && variable->start) {
            const auto passage = passage_of(flow, diagnostics_);
            if (passage) values_.set_constant(flow, *variable->start, passage->transformation);
            return true;
        }
        if (variable->causality != Causality::calculated_parameter &&
            variable->causality != Causality::local)
            return false;
        diagnostics_.error(flow.segments.back().link->where,
                           format("\"{}.{}\" is {}: Rubato connects outputs to inputs",
                                  flow.source.element->name, flow.source.connector,
                                  variable->causality == Causality::local
                                      ? "a local variable"
                                      : "a calculated parameter"),
                           "let the FMU have an output for it");
        return true;
    }

    /// What the whole shows to the outside.
    void expose_root(const std::vector<Flow>& flows) {
        for (const Flow& flow : flows) {
            const bool is_input = !flow.has_source() && flow.source.element == &root_ &&
                                  flow.target.element->kind == Element::Kind::component;
            const bool is_output = flow.has_source() && flow.target.element == &root_;
            if (!is_input && !is_output) continue;
            const bool is_of_parameter = is_input && is_parameter_connector(flow.target);
            if (is_of_parameter && flow.target.element->parent != &root_)
                continue; // the parameters of inner systems are set there
            const auto passage = passage_of(flow, diagnostics_);
            if (!passage) continue;
            if (!passage->transformation.is_identity()) {
                diagnostics_.warning(
                    flow.segments.back().link->where,
                    format("connector \"{}\" of the outermost system has a "
                           "transformation: it is not shown to the outside",
                           is_input ? flow.source.connector : flow.target.connector));
                continue;
            }
            if (is_output)
                add_exposed(parts_[&root_].interface.outputs, flow.target.connector,
                            lift(flow, &root_), flow);
            else
                add_exposed(is_of_parameter ? parts_[&root_].interface.parameters
                                            : parts_[&root_].interface.inputs,
                            flow.source.connector,
                            lower(flow, &root_, key_of(flow.source, passage->transformation)),
                            flow);
        }
        shows_root_ = true;
    }

    static bool is_parameter_connector(const End& end) {
        const Variable* const variable = variable_of(*end.element, end.connector);
        return variable && is_parameter(variable->causality);
    }

    static void add_exposed(std::vector<ExposedVariable>& all, const std::string& name,
                            const PortName& of, const Flow& flow) {
        const std::string text = of.unit + "." + of.port;
        const auto known = std::ranges::find(all, name, &ExposedVariable::name);
        if (known == all.end())
            all.push_back({name, {text}, flow.segments.back().link->where});
        else if (std::ranges::find(known->of, text) == known->of.end())
            known->of.push_back(text);
    }

    Scenario make(const Element& system) {
        Scenario scenario;
        scenario.name = names_.contains(&system) ? names_[&system] : system.name;
        scenario.experiment.open = {.start = true, .stop = true, .step = true, .tolerance = true};
        for (const auto& element : system.elements) {
            if (element->kind == Element::Kind::component)
                scenario.units.push_back(make_component(*element));
            else if (element->kind == Element::Kind::system)
                add_system(*element, scenario);
        }
        Parts& parts = parts_[&system];
        std::ranges::move(parts.units, std::back_inserter(scenario.units));
        scenario.connections = std::move(parts.connections);
        if (&system != &root_ || shows_root_) scenario.interface = std::move(parts.interface);
        settle_algorithm(system, scenario, diagnostics_);
        return scenario;
    }

    Unit make_component(const Element& component) {
        Unit unit;
        unit.name = names_[&component];
        unit.where = component.where;
        unit.origin = FmuFile{component.source};
        unit.type = component.interface;
        if (component.is_isolated) unit.isolate.emplace().where = component.where;
        values_.assign(component, unit);
        settle_solver(component, unit);
        settle_own_step(component, unit, diagnostics_);
        return unit;
    }

    void add_system(const Element& system, Scenario& scenario) {
        Scenario inner = make(system);
        if (inner.units.empty()) {
            diagnostics_.warning(
                system.where,
                format("system \"{}\" has no components: it is left out", system.name));
            return;
        }
        Unit unit;
        unit.name = names_[&system];
        unit.where = system.where;
        unit.origin = NestedScenario{{}, std::make_shared<const Scenario>(std::move(inner))};
        scenario.units.push_back(std::move(unit));
    }

    const Structure& structure_;
    const Element& root_;
    Diagnostics& diagnostics_;
    Values values_;
    std::map<const Element*, std::string> names_;
    std::map<const Element*, Parts> parts_;
    bool shows_root_ = false;
};

} // namespace
} // namespace formats::ssp

namespace {

/// Units of scenarios at all levels name files as those of the package are.
void locate_files(Scenario& scenario, const SystemFiles& files) {
    for (Unit& unit : scenario.units) {
        if (auto* const fmu = std::get_if<FmuFile>(&unit.origin))
            fmu->file = files.path_of(fmu->file);
        auto* const nested = std::get_if<NestedScenario>(&unit.origin);
        if (!nested || !nested->scenario) continue;
        Scenario inner = *nested->scenario;
        locate_files(inner, files);
        nested->scenario = std::make_shared<const Scenario>(std::move(inner));
    }
}

} // namespace

Scenario parse_ssd(const std::filesystem::path& file, SystemFiles& files,
                   Diagnostics& diagnostics) {
    const auto own = formats::ssp::find_own_annotation(files.label(file), files.read(file));
    if (own.yaml) {
        Scenario scenario = parse_yaml(*own.yaml, files.label(file), diagnostics);
        locate_files(scenario, files);
        return scenario;
    }
    if (own.is_changed)
        diagnostics.warning({files.label(file), 0, 0},
                            "was written by Rubato and changed since: what it says counts, and not "
                            "the settings that Rubato has stored in an annotation");
    formats::ssp::Reader reader(diagnostics);
    const formats::ssp::Structure structure = reader.read(file, files);
    if (!structure.root || diagnostics.has_errors()) return {};
    Scenario scenario = formats::ssp::Builder(structure, diagnostics).build();
    if (scenario.units.empty() && !diagnostics.has_errors())
        diagnostics.error(structure.root->where, "the system has no components to simulate");
    return scenario;
}

} // namespace rubato::scenario
