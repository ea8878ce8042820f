// SPDX-License-Identifier: Apache-2.0
#include "check_probe.hpp"

#include "own_output.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/probe.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cstdio>
#include <set>

namespace rubato::cli {
namespace {

using probe::Influence;
using probe::Probing;
using report::TextTable;
using scenario::System;

/// Outputs that change at once when an input changes, in any phase.
using Outputs = std::set<PortId>;

/// Longer lists are replaced by their length.
constexpr std::size_t most_names = 6;
/// In a longer table only the rows that differ are shown.
constexpr std::size_t most_rows = 30;

std::string names_of(const System& system, const Outputs& outputs) {
    if (outputs.size() > most_names) return format("{} outputs", outputs.size());
    std::vector<std::string> names;
    for (const PortId id : outputs) names.push_back(system.port(id).name);
    return names.empty() ? "nothing" : format("{}", fmt::join(names, ", "));
}

std::string instants_text(const Probing& probing) {
    std::vector<std::string> texts;
    for (const probe::Instant& when : probing.instants)
        texts.push_back(when.initializing ? "initializing"
                                          : format("t = {} s", shortest(when.time.seconds)));
    return format("{}", fmt::join(texts, ", "));
}

struct Row {
    PortId input;
    bool probed = true;
    Outputs moved, declared;
    bool differs() const { return probed && moved != declared; }
};

Outputs moved_by(const Probing& probing, PortId input) {
    Outputs outputs;
    for (const Influence& influence : probing.influences)
        if (influence.input == input) outputs.insert(influence.output);
    return outputs;
}

Outputs declared_for(const System& system, PortId input) {
    Outputs outputs;
    for (const PortId id : system.unit(system.port(input).unit).outputs) {
        const scenario::Port& output = system.port(id);
        for (const auto* inputs : {&output.feedthrough, &output.feedthrough_initial})
            if (std::ranges::find(*inputs, input) != inputs->end()) outputs.insert(id);
    }
    return outputs;
}

/// A unit that cannot be probed excludes all its inputs.
bool is_probed(const Probing& probing, UnitId unit, PortId input) {
    return std::ranges::none_of(probing.obstacles, [&](const probe::Obstacle& obstacle) {
        return obstacle.kind == probe::Obstacle::Kind::no_snapshots ? obstacle.unit == unit
                                                                    : obstacle.port == input;
    });
}

std::vector<Row> rows_of(const Probing& probing, const System& declared) {
    std::vector<Row> rows;
    for (std::size_t u = 0; u < declared.units.size(); ++u) {
        for (const PortId input : declared.units[u].inputs)
            rows.push_back({input, is_probed(probing, nth<UnitId>(u), input),
                            moved_by(probing, input), declared_for(declared, input)});
    }
    return rows;
}

std::string counts_text(const std::vector<Row>& rows) {
    const auto differ = std::ranges::count_if(rows, &Row::differs);
    const auto not_probed = std::ranges::count(rows, false, &Row::probed);
    const auto same = static_cast<std::ptrdiff_t>(rows.size()) - differ - not_probed;
    return format("  of {}: {} as declared, {} different, {} not probed\n",
                  report::plural(rows.size(), "input"), same, differ, not_probed);
}

std::string table_text(const System& system, const std::vector<Row>& rows) {
    const bool only_differences = rows.size() > most_rows;
    TextTable table({{"input"}, {"changes at once"}, {"declared"}, {""}});
    for (const Row& row : rows) {
        if (only_differences && !row.differs()) continue;
        table.add({system.name_of(row.input),
                   row.probed ? names_of(system, row.moved) : "not probed",
                   names_of(system, row.declared), row.differs() ? "differs" : ""});
    }
    return (table.empty() ? "" : table.to_string()) + counts_text(rows);
}

void print_findings(const Diagnostics& findings, const Style& style) {
    for (const Diagnostic& finding : findings.all()) {
        if (finding.severity == Severity::error) continue; // thrown at the end
        const std::string text = to_string(finding);
        print(stdout, (finding.severity == Severity::warning ? style.yellow(text) : text) + "\n");
    }
}

} // namespace

void check_by_probing(const pipeline::Assembly& assembly, unit::Library& library) {
    Diagnostics known;
    const System declared = scenario::resolve(assembly.scenario, assembly.descriptions, known);
    const Probing probing = [&] {
        const OwnOutput own;
        return pipeline::probe(assembly, library, silent_log());
    }();
    const Style style(stdout);
    print(stdout, format("{} ({})\n{}\n", style.bold("Probed"), instants_text(probing),
                         table_text(declared, rows_of(probing, declared))));
    Diagnostics findings;
    pipeline::judge(probing, assembly, findings);
    print_findings(findings, style);
    std::fflush(stdout); // before the errors, which go to the other stream
    findings.throw_if_errors();
}

} // namespace rubato::cli
