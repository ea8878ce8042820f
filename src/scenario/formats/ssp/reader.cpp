// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/reader.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/ssp.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace rubato::scenario::formats::ssp {

namespace {

constexpr int deepest = 60;
constexpr int most_elements = 100'000;

constexpr std::array<std::pair<std::string_view, ConnectorKind>, 9> kinds = {{
    {"input", ConnectorKind::input},
    {"output", ConnectorKind::output},
    {"parameter", ConnectorKind::parameter},
    {"calculatedParameter", ConnectorKind::calculated_parameter},
    {"structuralParameter", ConnectorKind::structural_parameter},
    {"constant", ConnectorKind::constant},
    {"local", ConnectorKind::local},
    {"inout", ConnectorKind::inout},
    {"unspecified", ConnectorKind::unspecified},
}};

/// "[2,1]" for the indices "2 1"
std::string read_indices(const XmlSource& source, pugi::xml_node node, const char* attribute) {
    if (!node.attribute(attribute)) return {};
    const auto indices = files::parse_indices(source.text(node, attribute));
    if (!indices || indices->empty()) {
        source.error(node, format("{}=\"{}\" is no list of indices", attribute,
                                  source.text(node, attribute)));
        return {};
    }
    return format("[{}]", fmt::join(*indices, ","));
}

Link read_link(const XmlSource& source, pugi::xml_node node) {
    source.check_known(
        node,
        {"LinearTransformation", "BooleanMappingTransformation", "IntegerMappingTransformation",
         "EnumerationMappingTransformation", "ConnectionGeometry", "Annotations"},
        {"startElement", "startConnector", "startIndices", "endElement", "endConnector",
         "endIndices", "suppressUnitConversion", "id", "description"});
    Link link;
    link.where = source.locate(node);
    link.start_element = source.text(node, "startElement");
    link.start_connector = source.required(node, "startConnector");
    link.end_element = source.text(node, "endElement");
    link.end_connector = source.required(node, "endConnector");
    link.start_indices = read_indices(source, node, "startIndices");
    link.end_indices = read_indices(source, node, "endIndices");
    link.suppresses_conversion = source.boolean(node, "suppressUnitConversion").value_or(false);
    link.transformation = read_transformation(source, node);
    return link;
}

} // namespace

std::string_view to_string(ConnectorKind kind) {
    return std::ranges::find(kinds, kind, &decltype(kinds)::value_type::second)->first;
}

const Connector* Element::find_connector(std::string_view connector) const {
    const auto found = std::ranges::find(connectors, connector, &Connector::name);
    return found == connectors.end() ? nullptr : &*found;
}

Element* Element::find_element(std::string_view element) const {
    const auto found =
        std::ranges::find_if(elements, [&](const auto& e) { return e->name == element; });
    return found == elements.end() ? nullptr : found->get();
}

/// A description while it is read.
struct Reader::File {
    const XmlSource& source;
    Definitions definitions;
    SystemFiles& files;
    std::filesystem::path folder;   ///< of the file, within the files
    std::vector<std::string> again; ///< systems of it that are being instantiated once more
};

Structure Reader::read(const std::filesystem::path& file, SystemFiles& files) {
    Structure structure;
    structure.root = read_root(file, files, &structure);
    return structure;
}

std::unique_ptr<Element> Reader::read_root(const std::filesystem::path& file, SystemFiles& files,
                                           Structure* structure) {
    const std::string label = files.label(file);
    const XmlSource source(label, files.read(file), diagnostics_);
    const pugi::xml_node root = source.root();
    if (!root) return nullptr;
    if (local_name(root) != "SystemStructureDescription") {
        source.error(
            root, format("the root is <{}> instead of <SystemStructureDescription>", root.name()));
        return nullptr;
    }
    source.check_known(root,
                       {"System", "Enumerations", "Units", "DefaultExperiment", "Annotations",
                        "MetaData", "Signature"},
                       {"version", "name", "id", "description", "author", "fileversion",
                        "copyright", "license", "generationTool", "generationDateAndTime"});
    const std::string version = source.required(root, "version");
    if (!version.empty() && version != "1.0" && version != "2.0")
        source.warning(root,
                       format("version \"{}\" of SSP is not known: it is read as 2.0", version));
    const pugi::xml_node experiment = child_of(root, "DefaultExperiment");
    if (structure) {
        structure->name = source.required(root, "name");
        structure->start = source.number(experiment, "startTime");
        structure->stop = source.number(experiment, "stopTime");
        structure->hints = read_hints(source, experiment);
    }
    const pugi::xml_node system = child_of(root, "System");
    if (!system) {
        source.error(root, "there is no <System>");
        return nullptr;
    }
    chain_.push_back(label);
    File current{source, Definitions(source, root), files, file.parent_path(), {}};
    auto element = read_system(current, system);
    chain_.pop_back();
    return element;
}

Connector Reader::read_connector(File& file, pugi::xml_node node) {
    const XmlSource& source = file.source;
    Connector connector;
    connector.where = source.locate(node);
    connector.name = source.required(node, "name");
    const std::string kind = source.required(node, "kind");
    const auto known = std::ranges::find(kinds, kind, &decltype(kinds)::value_type::first);
    if (known != kinds.end()) {
        connector.kind = known->second;
    } else if (!kind.empty()) {
        std::vector<std::string> names;
        for (const auto& each : kinds) names.emplace_back(each.first);
        source.error(node,
                     format("connector \"{}\" is of kind \"{}\", which SSP does not know",
                            connector.name, kind),
                     suggest(kind, names, "kinds"));
    }
    for (const pugi::xml_node child : node.children()) {
        const std::string_view name = local_name(child);
        if (name == "Real" || name == "Float64" || name == "Float32")
            connector.unit = file.definitions.measure(source, child, "unit");
        if (name == "Enumeration")
            connector.items = file.definitions.items(source.text(child, "name"));
        if (name == "Dimension") connector.is_array = true;
    }
    return connector;
}

void Reader::read_common(File& file, pugi::xml_node node, Element& element) {
    const XmlSource& source = file.source;
    element.where = source.locate(node);
    element.name = source.required(node, "name");
    for (const pugi::xml_node list : children_of(node, "Connectors")) {
        for (const pugi::xml_node each : children_of(list, "Connector")) {
            Connector connector = read_connector(file, each);
            if (const Connector* first = element.find_connector(connector.name))
                source.error(
                    each, format("\"{}\" has two connectors \"{}\"", element.name, connector.name),
                    format("the other is at {}", to_string(first->where)));
            else
                element.connectors.push_back(std::move(connector));
        }
    }
    element.bindings = read_bindings(source, node, file.files, file.folder);
    element.hints = read_hints(source, node);
}

bool Reader::is_too_deep(File& file, pugi::xml_node node) {
    if (++count_ > most_elements || depth_ >= deepest) {
        if (count_ <= most_elements + 1)
            file.source.error(node, count_ > most_elements
                                        ? format("there are more than {} elements", most_elements)
                                        : format("systems are within each other more than {} "
                                                 "levels deep",
                                                 deepest));
        return true;
    }
    return false;
}

std::unique_ptr<Element> Reader::read_system(File& file, pugi::xml_node node) {
    if (is_too_deep(file, node)) return nullptr;
    ++depth_;
    file.source.check_known(node,
                            {"Connectors", "ElementGeometry", "ParameterBindings", "Elements",
                             "Connections", "SignalDictionaries", "SystemGeometry",
                             "GraphicalElements", "Annotations", "MetaData", "Signature"},
                            {"name", "id", "description"});
    auto system = std::make_unique<Element>();
    system->kind = Element::Kind::system;
    read_common(file, node, *system);
    read_dictionaries(file, node, *system);
    read_elements(file, child_of(node, "Elements"), *system);
    for (const pugi::xml_node each : children_of(child_of(node, "Connections"), "Connection"))
        system->links.push_back(read_link(file.source, each));
    --depth_;
    return system;
}

void Reader::read_elements(File& file, pugi::xml_node node, Element& system) {
    file.source.check_known(node,
                            {"Component", "SignalDictionaryReference", "System", "Annotations"},
                            {"id", "description"});
    for (const pugi::xml_node child : node.children()) {
        const std::string_view kind = local_name(child);
        std::unique_ptr<Element> element;
        if (kind == "Component") element = read_component(file, child);
        if (kind == "System") element = read_system(file, child);
        if (kind == "SignalDictionaryReference") element = read_reference(file, child);
        if (!element) continue;
        if (const Element* first = system.find_element(element->name)) {
            file.source.error(
                child, format("system \"{}\" has two elements \"{}\"", system.name, element->name),
                format("the other is at {}", to_string(first->where)));
            continue;
        }
        element->parent = &system;
        system.elements.push_back(std::move(element));
    }
}

std::unique_ptr<Element> Reader::read_component(File& file, pugi::xml_node node) {
    if (is_too_deep(file, node)) return nullptr;
    const XmlSource& source = file.source;
    source.check_known(node,
                       {"Connectors", "ElementGeometry", "ParameterBindings", "Annotations",
                        "MetaData", "Signature"},
                       {"name", "id", "description", "type", "source", "implementation"});
    const std::string type = source.text(node, "type");
    const std::string uri = source.text(node, "source");
    if (!node.attribute("source")) {
        source.error(node,
                     format("component \"{}\" has no source: there is nothing to simulate",
                            source.text(node, "name")),
                     "give it the path of an FMU: source=\"resources/winch.fmu\"");
        return nullptr;
    }
    const auto named = fmu_of_uri(source, node, uri);
    if (!named) return nullptr;
    const std::filesystem::path& path = named->path;
    if (path.empty() && !named->fragment.empty()) return read_again(file, node, named->fragment);
    const bool is_package =
        type == "application/x-ssp-package" || (type.empty() && path.extension() == ".ssp");
    const bool is_description =
        type == "application/x-ssp-definition" || (type.empty() && path.extension() == ".ssd");
    const auto within = path.is_absolute() ? path : (file.folder / path).lexically_normal();
    if (is_package || is_description)
        return read_inner(file, node, within, named->fragment, is_package);
    if (!type.empty() && type != "application/x-fmu-sharedlibrary") {
        source.error(node,
                     format("component \"{}\" is of type \"{}\", which Rubato cannot run",
                            source.text(node, "name"), type),
                     "components are FMUs, SSP packages or system structure descriptions");
        return nullptr;
    }
    auto component = std::make_unique<Element>();
    component->is_isolated = named->is_isolated;
    read_common(file, node, *component);
    read_fmu(file, node, within, *component);
    return component;
}

void Reader::read_fmu(File& file, pugi::xml_node node, const std::filesystem::path& source_path,
                      Element& component) {
    const std::string implementation = file.source.text(node, "implementation");
    if (implementation == "CoSimulation") {
        component.interface = Interface::co_simulation;
    } else if (implementation == "ModelExchange") {
        component.interface = Interface::model_exchange;
    } else if (!implementation.empty() && implementation != "any") {
        file.source.error(node,
                          format("component \"{}\": implementation=\"{}\" cannot be run",
                                 component.name, implementation),
                          "Rubato runs CoSimulation and ModelExchange");
    }
    try {
        component.source = file.files.path_of(source_path);
    } catch (const InputError& error) {
        file.source.error(node, format("component \"{}\": \"{}\": {}", component.name,
                                       file.source.text(node, "source"), error.what()));
        return;
    }
    Unit unit;
    unit.name = component.name;
    unit.origin = FmuFile{component.source};
    unit.type = component.interface;
    component.description = file.files.describe(unit);
}

/// The system of another description takes the place of the component.
std::unique_ptr<Element> Reader::read_inner(File& file, pugi::xml_node node,
                                            const std::filesystem::path& path,
                                            const std::string& fragment, bool is_package) {
    Element outside;
    read_common(file, node, outside);
    std::unique_ptr<Element> system;
    try {
        opened_.push_back(file.files.open(path));
        SystemFiles& files = *opened_.back();
        const std::filesystem::path inside =
            !is_package ? path.filename()
                        : std::filesystem::path(fragment.empty() ? default_ssd : fragment);
        if (std::ranges::find(chain_, files.label(inside)) != chain_.end()) {
            file.source.error(node,
                              format("component \"{}\": the system contains itself: {} → {}",
                                     outside.name, fmt::join(chain_, " → "), files.label(inside)));
            return nullptr;
        }
        ++depth_;
        if (!is_too_deep(file, node)) system = read_root(inside, files, nullptr);
        --depth_;
    } catch (const InputError& error) {
        file.source.error(node, format("component \"{}\": \"{}\": {}", outside.name,
                                       file.source.text(node, "source"), error.what()));
    }
    if (!system) return nullptr;
    system->name = outside.name;
    system->where = outside.where;
    std::ranges::move(outside.bindings, std::back_inserter(system->bindings));
    return system;
}

/// A system of the same file, once more.
std::unique_ptr<Element> Reader::read_again(File& file, pugi::xml_node node,
                                            const std::string& id) {
    const pugi::xml_node other = node.root().find_node([&](pugi::xml_node each) {
        return local_name(each) == "System" && id == each.attribute("id").value();
    });
    if (!other) {
        file.source.error(node, format("no <System> has the id \"{}\"", id));
        return nullptr;
    }
    if (std::ranges::find(file.again, id) != file.again.end() || is_too_deep(file, node)) {
        file.source.error(node, format("the system \"#{}\" contains itself", id));
        return nullptr;
    }
    Element outside;
    read_common(file, node, outside);
    file.again.push_back(id);
    auto system = read_system(file, other);
    file.again.pop_back();
    if (!system) return nullptr;
    system->name = outside.name;
    std::ranges::move(outside.bindings, std::back_inserter(system->bindings));
    return system;
}

std::unique_ptr<Element> Reader::read_reference(File& file, pugi::xml_node node) {
    auto reference = std::make_unique<Element>();
    reference->kind = Element::Kind::dictionary_reference;
    read_common(file, node, *reference);
    reference->dictionary = file.source.required(node, "dictionary");
    return reference;
}

/// Of a dictionary only the name matters: what its entries are, connectors say, too.
void Reader::read_dictionaries(File& file, pugi::xml_node node, Element& system) {
    for (const pugi::xml_node each :
         children_of(child_of(node, "SignalDictionaries"), "SignalDictionary")) {
        system.dictionaries.push_back(file.source.required(each, "name"));
        const std::string uri = file.source.text(each, "source");
        if (uri.empty()) continue;
        std::string fragment;
        const auto path = path_of_uri(file.source, each, uri, fragment);
        if (!path) continue;
        try {
            (void)file.files.read((file.folder / *path).lexically_normal());
        } catch (const InputError& error) {
            file.source.error(each, format("\"{}\": {}", uri, error.what()));
        }
    }
}

} // namespace rubato::scenario::formats::ssp
