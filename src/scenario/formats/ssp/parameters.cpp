// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/reader.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>

namespace rubato::scenario::formats::ssp {

namespace {

constexpr std::array integer_types = {"Integer", "Int8",   "UInt8", "Int16", "UInt16",
                                      "Int32",   "UInt32", "Int64", "UInt64"};

bool is_integer_type(std::string_view type) {
    return std::ranges::find(integer_types, type) != integer_types.end();
}
bool is_real_type(std::string_view type) {
    return type == "Real" || type == "Float64" || type == "Float32";
}
bool is_type(std::string_view name) {
    return is_real_type(name) || is_integer_type(name) || name == "Boolean" || name == "String" ||
           name == "Enumeration" || name == "Binary";
}

std::vector<std::string> split_at_blanks(std::string_view text) {
    std::vector<std::string> parts;
    constexpr auto blanks = " \t\r\n";
    for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = text.find_first_not_of(blanks, end);
    }
    return parts;
}

/// nullopt: the text is no value of the type.
std::optional<Value> parse_value(const std::string& text, std::string_view type) {
    if (is_real_type(type)) {
        if (const auto number = files::parse_number<double>(text)) return *number;
        return std::nullopt;
    }
    if (is_integer_type(type)) {
        if (const auto number = files::parse_number<std::int64_t>(text)) return *number;
        if (files::parse_number<std::uint64_t>(text)) return text; // beyond int64: by its digits
        return std::nullopt;
    }
    if (type == "Boolean") {
        if (const auto truth = files::parse_boolean(text)) return *truth;
        return std::nullopt;
    }
    return text;
}

/// A parameter set, from a file or from within a description.
class ParameterSet {
public:
    ParameterSet(const XmlSource& source, pugi::xml_node set)
        : source_(source), definitions_(source, set) {
        source.check_known(set, {"Parameters", "Enumerations", "Units", "Annotations", "MetaData"},
                           {"version", "name", "id", "description", "author", "fileversion",
                            "copyright", "license", "generationTool", "generationDateAndTime"});
        for (const pugi::xml_node each : children_of(child_of(set, "Parameters"), "Parameter"))
            read(each);
    }

    std::vector<ParameterValue> take() { return std::move(values_); }

private:
    void read(pugi::xml_node node) {
        ParameterValue value;
        value.name = source_.required(node, "name");
        value.where = source_.locate(node);
        pugi::xml_node type;
        for (const pugi::xml_node child : node.children())
            if (child.type() == pugi::node_element && is_type(local_name(child))) type = child;
        if (!type) {
            source_.error(
                node, format("parameter \"{}\" has no value of a type that SSP knows", value.name),
                "SSP knows Real, Integer, Boolean, String, Enumeration, Binary, and in "
                "2.0 Float64 … UInt64");
            return;
        }
        if (local_name(type) == "Binary") {
            source_.warning(type, format("parameter \"{}\" is binary: it is not set", value.name));
            return;
        }
        value.unit = definitions_.measure(source_, type, "unit");
        if (local_name(type) == "Enumeration")
            value.items = definitions_.items(source_.text(type, "name"));
        if (read_values(node, type, value)) values_.push_back(std::move(value));
    }

    bool read_values(pugi::xml_node node, pugi::xml_node type, ParameterValue& value) {
        const bool is_array = static_cast<bool>(child_of(node, "Dimension"));
        std::vector<std::string> texts;
        for (const pugi::xml_node each : children_of(type, "Value"))
            texts.emplace_back(each.child_value());
        const std::string_view kind = local_name(type);
        const bool is_listed =
            is_array && texts.empty() && kind != "String" && kind != "Enumeration";
        if (is_listed) texts = split_at_blanks(source_.text(type, "value"));
        if (!is_array && texts.empty()) texts = {source_.text(type, "value")};
        if (!is_array && !type.attribute("value") && !child_of(type, "Value")) {
            (void)source_.required(type, "value");
            return false;
        }
        for (const std::string& text : texts) {
            const auto parsed = parse_value(text, kind);
            if (!parsed) {
                source_.error(
                    type, format("\"{}\" of parameter \"{}\" is no {}", text, value.name, kind));
                return false;
            }
            value.elements.push_back(*parsed);
        }
        if (is_array) return !value.elements.empty();
        value.value = value.elements.front();
        value.elements.clear();
        return true;
    }

    const XmlSource& source_;
    Definitions definitions_;
    std::vector<ParameterValue> values_;
};

/// Values under the names that a mapping gives them; those that it does not name are dropped.
std::vector<ParameterValue> mapped(const XmlSource& source, pugi::xml_node mapping,
                                   const std::vector<ParameterValue>& values) {
    std::vector<ParameterValue> result;
    source.check_known(mapping, {"MappingEntry", "Annotations", "MetaData"},
                       {"version", "id", "description", "author", "fileversion", "copyright",
                        "license", "generationTool", "generationDateAndTime"});
    for (const pugi::xml_node entry : children_of(mapping, "MappingEntry")) {
        const std::string from = source.text(entry, "source");
        const std::string to = source.required(entry, "target");
        if (!entry.attribute("source")) (void)source.required(entry, "source");
        if (entry.attribute("source") && from.empty()) { // templates of tools leave it empty
            source.diagnostics().note(
                source.locate(entry),
                format("nothing is mapped to \"{}\": source has no text", to));
            continue;
        }
        const auto value = std::ranges::find(values, from, &ParameterValue::name);
        if (value == values.end()) continue; // sets and mappings may be larger than what is there
        ParameterValue renamed = *value;
        renamed.name = to;
        renamed.suppresses_conversion =
            source.boolean(entry, "suppressUnitConversion").value_or(false);
        renamed.transformation = read_transformation(source, entry);
        result.push_back(std::move(renamed));
    }
    return result;
}

/// Calls `use` with the root element of what a binding refers to: of its file, or of what is
/// written within it.
template <class Use>
void with_content(const XmlSource& source, pugi::xml_node node, pugi::xml_node inner,
                  std::string_view root, SystemFiles& files, const std::filesystem::path& folder,
                  Use&& use) {
    const std::string uri = source.text(node, "source");
    if (source.text(node, "sourceBase") == "component") {
        source.error(node,
                     format("\"{}\" lies within the component (sourceBase=\"component\"), "
                            "which Rubato does not look into",
                            uri),
                     "store the file next to the system");
        return;
    }
    if (!node.attribute("source")) {
        const pugi::xml_node content = child_of(inner, root);
        if (content)
            use(source, content);
        else
            source.error(node, format("<{}> has neither a source nor a <{}>", node.name(), root));
        return;
    }
    std::string fragment;
    const auto path = path_of_uri(source, node, uri, fragment);
    if (!path) return;
    const auto file = path->is_absolute() ? *path : (folder / *path).lexically_normal();
    try {
        const XmlSource other(files.label(file), files.read(file), source.diagnostics());
        if (!other.root()) return;
        if (local_name(other.root()) == root)
            use(other, other.root());
        else
            other.error(other.root(),
                        format("the root is <{}> instead of <{}>", other.root().name(), root));
    } catch (const InputError& error) {
        source.error(node, format("\"{}\": {}", uri, error.what()));
    }
}

bool has_type(const XmlSource& source, pugi::xml_node node, std::string_view expected) {
    const std::string type = source.text(node, "type");
    if (type.empty() || type == expected) return true;
    source.warning(node,
                   format("<{}> of type \"{}\" is not read: it sets nothing", node.name(), type));
    return false;
}

std::vector<ParameterValue> read_binding(const XmlSource& source, pugi::xml_node binding,
                                         SystemFiles& files, const std::filesystem::path& folder) {
    std::vector<ParameterValue> values;
    if (!has_type(source, binding, "application/x-ssp-parameter-set")) return values;
    with_content(
        source, binding, child_of(binding, "ParameterValues"), "ParameterSet", files, folder,
        [&](const XmlSource& from, pugi::xml_node set) { values = read_parameter_set(from, set); });
    const std::string prefix = source.text(binding, "prefix");
    for (ParameterValue& value : values) value.name = prefix + value.name;
    const pugi::xml_node mapping = child_of(binding, "ParameterMapping");
    if (!mapping || !has_type(source, mapping, "application/x-ssp-parameter-mapping"))
        return values;
    with_content(source, mapping, mapping, "ParameterMapping", files, folder,
                 [&](const XmlSource& from, pugi::xml_node content) {
                     values = mapped(from, content, values);
                 });
    return values;
}

} // namespace

std::vector<ParameterValue> read_parameter_set(const XmlSource& source, pugi::xml_node set) {
    return ParameterSet(source, set).take();
}

std::vector<std::vector<ParameterValue>> read_bindings(const XmlSource& source,
                                                       pugi::xml_node element, SystemFiles& files,
                                                       const std::filesystem::path& folder) {
    std::vector<std::vector<ParameterValue>> bindings;
    for (const pugi::xml_node list : children_of(element, "ParameterBindings"))
        for (const pugi::xml_node binding : children_of(list, "ParameterBinding"))
            bindings.push_back(read_binding(source, binding, files, folder));
    return bindings;
}

} // namespace rubato::scenario::formats::ssp
