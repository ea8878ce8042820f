// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/words.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace rubato::scenario {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// What an object model may call a class or an attribute: names that begin with HLA are those of
/// the standard.
bool is_model_name(std::string_view name) {
    return !name.empty() && is_letter(name.front()) && !name.starts_with("HLA") &&
           std::ranges::all_of(
               name, [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

bool is_class_path(std::string_view path) {
    for (;;) {
        const std::size_t dot = path.find('.');
        if (!is_model_name(path.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return true;
        path.remove_prefix(dot + 1);
    }
}

std::string encodings_of(Storage storage) {
    std::vector<std::string_view> list;
    for (const auto& word : words<HlaEncoding>())
        if (storage_in(word.value) == storage) list.push_back(word.text);
    return format("{}", fmt::join(list, ", "));
}

/// Makes ports of what the section `hla` names.
class AttributeMapper {
public:
    explicit AttributeMapper(Resolver& resolver) : resolver_(resolver) {}

    void map_all() {
        const HlaSettings& hla = resolver_.scenario.hla;
        for (const HlaAttribute& each : hla.outputs)
            if (auto port = find(each, Direction::output))
                add(each, *port, resolver_.system.hla_outputs);
        for (const HlaAttribute& each : hla.inputs)
            if (auto port = find(each, Direction::input))
                if (can_be_fed(each, *port)) add(each, *port, resolver_.system.hla_inputs);
        check_instances();
    }

private:
    void error(const HlaAttribute& each, const std::string& message, const std::string& hint) {
        resolver_.diagnostics.error(each.where, format("hla: {} {}", each.variable, message), hint);
    }

    std::optional<PortId> find(const HlaAttribute& each, Direction direction) {
        const auto name = split_port_name(each.variable);
        if (!name) return std::nullopt; // reported when it was read
        const auto unit = resolver_.find_unit(name->unit);
        if (!unit) {
            resolver_.report_unknown_unit(each.where, name->unit);
            return std::nullopt;
        }
        const bool is_input = direction == Direction::input;
        const auto ports = resolver_.find_ports(*unit, name->port, direction);
        if (ports.empty()) {
            resolver_.report_unknown_variable(
                each.where, *unit, name->port, is_input ? "input" : "output",
                [&](const Variable& variable) {
                    return variable.causality == (is_input ? Causality::input : Causality::output);
                });
            return std::nullopt;
        }
        const Port& port = resolver_.system.port(ports.front());
        if (ports.size() > 1 || port.part.size != 1) {
            error(each, "is an array", "only scalars can be attributes");
            return std::nullopt;
        }
        return ports.front();
    }

    bool can_be_fed(const HlaAttribute& each, PortId input) {
        const Port& port = resolver_.system.port(input);
        const auto feeds_it = [&](const Link& link) { return link.to == input; };
        const System& system = resolver_.system;
        bool is_connected = std::ranges::any_of(system.links, feeds_it) ||
                            std::ranges::any_of(system.event_links, feeds_it);
        for (const Configuration& configuration : system.configurations)
            is_connected = is_connected || std::ranges::any_of(configuration.links, feeds_it) ||
                           std::ranges::any_of(configuration.event_links, feeds_it);
        if (is_connected) {
            error(each, "is connected to an output already",
                  "an input has one source: remove the connection or the attribute");
            return false;
        }
        if (resolver_.descriptions[port.unit.value].capabilities.event_mode &&
            (!port.is_continuous || !port.clocks.empty())) {
            error(each, "is a discrete input of a unit with event mode",
                  "attributes of others can feed continuous inputs, and inputs of units without "
                  "event mode");
            return false;
        }
        return true;
    }

    void add(const HlaAttribute& each, PortId id, std::vector<HlaPort>& ports) {
        const Port& port = resolver_.system.port(id);
        const auto usual = usual_encoding(port.type);
        if (!usual) {
            error(each, format("is of type {}", to_string(port.type)),
                  "attributes can be numbers, booleans and strings");
            return;
        }
        const HlaEncoding encoding = each.encoding.value_or(*usual);
        if (storage_in(encoding) != storage_of(port.type)) {
            error(each,
                  format("is of type {}, which {} cannot hold", to_string(port.type),
                         to_string(encoding)),
                  format("encodings that can: {}", encodings_of(storage_of(port.type))));
            return;
        }
        HlaPort mapped{.port = id,
                       .object_class = each.object_class,
                       .instance = each.instance.value_or(resolver_.unit(port.unit).name),
                       .attribute = each.attribute.value_or(port.name),
                       .encoding = encoding};
        constexpr std::string_view root = "HLAobjectRoot.";
        if (mapped.object_class.starts_with(root)) mapped.object_class.erase(0, root.size());
        if (!has_good_names(each, mapped) || !agrees(each, mapped)) return;
        ports.push_back(std::move(mapped));
    }

    bool has_good_names(const HlaAttribute& each, const HlaPort& mapped) {
        constexpr std::string_view rule =
            "names consist of letters, digits, _ and -, begin with a letter and not with HLA";
        const auto check = [&](bool is_good, std::string_view what, const std::string& name,
                               std::string_view hint) {
            if (!is_good) error(each, format("has the {} \"{}\"", what, name), std::string(hint));
            return is_good;
        };
        return check(is_class_path(mapped.object_class), "class", mapped.object_class,
                     format("{}; a subclass is Vehicle.Car", rule)) &&
               check(is_model_name(mapped.attribute), "attribute", mapped.attribute, rule) &&
               check(!mapped.instance.empty() && !mapped.instance.starts_with("HLA"), "instance",
                     mapped.instance, "names of instances must not begin with HLA");
    }

    /// One attribute of a class has one encoding, and one output of ours.
    bool agrees(const HlaAttribute& each, const HlaPort& mapped) {
        const auto [known, is_new] =
            encodings_.try_emplace({mapped.object_class, mapped.attribute}, mapped.encoding);
        if (!is_new && known->second != mapped.encoding) {
            error(each,
                  format("makes attribute {}.{} {}, which is {} elsewhere", mapped.object_class,
                         mapped.attribute, to_string(mapped.encoding), to_string(known->second)),
                  "give both the same encoding");
            return false;
        }
        if (resolver_.system.port(mapped.port).direction == Direction::input) return true;
        if (published_.insert({mapped.instance, mapped.attribute}).second) return true;
        error(each,
              format("is attribute {} of instance \"{}\", as another output is", mapped.attribute,
                     mapped.instance),
              "an attribute has one source");
        return false;
    }

    /// The federate that registers an instance publishes it: it is ours, or others'.
    void check_instances() {
        for (const HlaPort& output : resolver_.system.hla_outputs) {
            for (const auto* list : {&resolver_.system.hla_outputs, &resolver_.system.hla_inputs}) {
                const bool is_input = list == &resolver_.system.hla_inputs;
                for (const HlaPort& other : *list) {
                    if (other.instance != output.instance) continue;
                    if (is_input)
                        report_instance(other, "is of this scenario: it publishes its attributes");
                    else if (other.object_class != output.object_class)
                        report_instance(other, "has two classes");
                }
            }
        }
    }
    void report_instance(const HlaPort& port, std::string_view problem) {
        if (!reported_.insert(port.instance).second) return;
        resolver_.diagnostics.error(resolver_.scenario.hla.where,
                                    format("hla: instance \"{}\" {}", port.instance, problem),
                                    "give one of them another instance");
    }

    Resolver& resolver_;
    std::map<std::pair<std::string, std::string>, HlaEncoding> encodings_; ///< class, attribute
    std::set<std::pair<std::string, std::string>> published_;              ///< instance, attribute
    std::set<std::string> reported_;
};

} // namespace

Storage storage_in(HlaEncoding encoding) {
    switch (encoding) {
    case HlaEncoding::float64_be:
    case HlaEncoding::float64_le:
    case HlaEncoding::float32_be:
    case HlaEncoding::float32_le: return Storage::real;
    case HlaEncoding::boolean: return Storage::boolean;
    case HlaEncoding::unicode_string: return Storage::string;
    default: return Storage::integer;
    }
}

std::optional<HlaEncoding> usual_encoding(ValueType type) {
    switch (type) {
    case ValueType::float64: return HlaEncoding::float64_be;
    case ValueType::float32: return HlaEncoding::float32_be;
    case ValueType::int8:
    case ValueType::uint8:
    case ValueType::int16: return HlaEncoding::integer16_be;
    case ValueType::uint16:
    case ValueType::int32: return HlaEncoding::integer32_be;
    case ValueType::uint32:
    case ValueType::int64:
    case ValueType::uint64:
    case ValueType::enumeration: return HlaEncoding::integer64_be;
    case ValueType::boolean: return HlaEncoding::boolean;
    case ValueType::string: return HlaEncoding::unicode_string;
    case ValueType::binary:
    case ValueType::clock: break;
    }
    return std::nullopt;
}

void map_attributes(Resolver& resolver) {
    const HlaSettings& hla = resolver.scenario.hla;
    if (hla.empty()) return;
    if (resolver.is_nested) {
        resolver.diagnostics.warning(hla.where, "hla has no effect: the scenario is a unit",
                                     "name the attributes in the scenario that it is a unit of");
        return;
    }
    AttributeMapper(resolver).map_all();
}

} // namespace rubato::scenario
