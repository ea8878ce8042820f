// SPDX-License-Identifier: Apache-2.0
#include "clocks.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace rubato::unit {

namespace {

constexpr std::array kinds = {ClockKind::constant, ClockKind::fixed,     ClockKind::tunable,
                              ClockKind::changing, ClockKind::countdown, ClockKind::triggered};

std::optional<ClockKind> find_kind(std::string_view word) {
    const auto found =
        std::ranges::find(kinds, word, [](ClockKind kind) { return to_string(kind); });
    return found == kinds.end() ? std::nullopt : std::optional(*found);
}

/// Attributes of a clock, which its declared type may hold instead.
class ClockReader {
public:
    ClockReader(const XmlReader& reader, pugi::xml_node node, const Definitions& definitions)
        : reader_(reader), node_(node), definitions_(definitions) {}

    std::string word(const char* attribute) const {
        return reader_.text(definitions_.having(attribute, node_), attribute);
    }

    std::optional<ClockPeriod> period() const {
        ClockPeriod period{.resolution = number("resolution"),
                           .interval_counter = number("intervalCounter"),
                           .shift_counter = number("shiftCounter")};
        if (period.resolution == 0 || period.interval_counter == 0) {
            const auto interval = decimal("intervalDecimal");
            if (!interval) return std::nullopt;
            return ClockPeriod{.interval = *interval, .shift = decimal("shiftDecimal").value_or(0)};
        }
        const auto seconds = [&](std::uint64_t counter) {
            return static_cast<double>(counter) / static_cast<double>(period.resolution);
        };
        period.interval = seconds(period.interval_counter);
        period.shift = seconds(period.shift_counter);
        return period;
    }

private:
    std::optional<double> decimal(const char* attribute) const {
        return reader_.find_number(definitions_.having(attribute, node_), attribute);
    }
    std::uint64_t number(const char* attribute) const {
        return parse_number<std::uint64_t>(word(attribute)).value_or(0);
    }

    const XmlReader& reader_;
    pugi::xml_node node_;
    const Definitions& definitions_;
};

} // namespace

ClockAttributes read_clock(const XmlReader& reader, pugi::xml_node node,
                           const Definitions& definitions) {
    const ClockReader clock(reader, node, definitions);
    const std::string name = reader.text(node, "name");
    const std::string word = clock.word("intervalVariability");
    const auto kind = find_kind(word);
    if (!kind && !word.empty()) {
        reader.report(Rule::clock_timing, node,
                      format("clock \"{}\" has intervalVariability=\"{}\"", name, word));
    }
    ClockAttributes attributes{.kind = kind.value_or(ClockKind::triggered), .period = {}};
    attributes.gives_fractions = clock.word("supportsFraction") == "true";
    if (!is_periodic(attributes.kind)) return attributes;
    attributes.period = clock.period();
    if (!attributes.period && attributes.kind == ClockKind::constant) {
        reader.report(Rule::clock_timing, node,
                      format("clock \"{}\" is constant, but has no intervalDecimal", name));
        return {};
    }
    if (attributes.period && !(attributes.period->interval > 0)) {
        reader.report(Rule::clock_timing, node,
                      format("the interval of clock \"{}\" is {} s", name,
                             shortest(attributes.period->interval)));
        return {};
    }
    return attributes;
}

std::vector<std::uint32_t> read_clocks_of(const XmlReader& reader, pugi::xml_node node,
                                          const IndexByReference& index_of,
                                          const std::vector<scenario::Variable>& variables) {
    std::vector<std::uint32_t> clocks;
    for (const ValueRef reference : reader.find_indices(node, "clocks").value_or(clocks)) {
        const auto found = index_of.find(reference);
        if (found != index_of.end() && variables[found->second].type == ValueType::clock) {
            clocks.push_back(found->second);
        } else {
            reader.report(Rule::clock_reference, node,
                          format("variable \"{}\" has clocks=\"{}\", but {} is no clock",
                                 reader.text(node, "name"), reader.text(node, "clocks"),
                                 reference));
        }
    }
    return clocks;
}

} // namespace rubato::unit
