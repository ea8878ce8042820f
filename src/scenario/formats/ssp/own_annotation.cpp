// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/own_annotation.hpp"

#include "formats/xml_source.hpp"

#include <rubato/core/hash.hpp>
#include <rubato/core/xml_writer.hpp>
#include <rubato/scenario/ssp.hpp>

namespace rubato::scenario {

namespace {

constexpr std::string_view begin = "<ssd:Annotations><ssc:Annotation type=\"org.rubato\">\n";
constexpr std::string_view end = "</ssc:Annotation></ssd:Annotations>\n";
constexpr std::string_view closing = "</ssd:SystemStructureDescription>";

std::string checksum_of(std::string_view description, std::string_view scenario) {
    return guid([&](std::uint64_t basis) {
        Hash hash(basis);
        hash.add(description);
        hash.add(scenario);
        return hash.value();
    });
}

} // namespace

std::string with_scenario(std::string description, const std::string& yaml) {
    const auto at = description.rfind(closing);
    Xml content;
    content.open("rubato:Scenario");
    content.attribute("xmlns:rubato", "org.rubato");
    content.attribute("checksum", checksum_of(description, yaml));
    content.attribute("yaml", yaml);
    content.close();
    std::string text = content.text();
    text.erase(0, text.find('\n') + 1); // the declaration of XML
    description.insert(at, std::string(begin) + text + std::string(end));
    return description;
}

namespace formats::ssp {

OwnAnnotation find_own_annotation(const std::string& label, const std::string& text) {
    OwnAnnotation result;
    const auto first = text.find(begin);
    const auto last = first == std::string::npos ? first : text.find(end, first);
    if (last == std::string::npos) {
        result.is_changed = text.find("org.rubato\"") != std::string::npos;
        return result;
    }
    std::string rest = text;
    rest.erase(first, last + end.size() - first);
    Diagnostics ignored;
    const XmlSource source(label, text.substr(first + begin.size(), last - first - begin.size()),
                           ignored);
    const pugi::xml_node scenario = source.root();
    const std::string yaml = scenario.attribute("yaml").value();
    if (checksum_of(rest, yaml) == scenario.attribute("checksum").value())
        result.yaml = yaml;
    else
        result.is_changed = true;
    return result;
}

} // namespace formats::ssp

} // namespace rubato::scenario
