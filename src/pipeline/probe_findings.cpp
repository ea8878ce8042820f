// SPDX-License-Identifier: Apache-2.0
#include "probe_reports.hpp"

#include <rubato/pipeline/formats.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace rubato::pipeline {

using probe::Influence;
using probe::Instant;
using probe::Obstacle;
using probe::Probing;
using probe::Refusal;
using rubato::to_string;
using scenario::Origin;
using scenario::Port;
using scenario::System;
using synthesis::Loop;

namespace {

bool contains(const std::vector<PortId>& ports, PortId port) {
    return std::ranges::find(ports, port) != ports.end();
}

std::vector<std::string> values_of(const std::map<PortId, std::string>& texts) {
    std::vector<std::string> values;
    for (const auto& [port, text] : texts) values.push_back(text);
    return values;
}

bool is_about_unit(Obstacle::Kind kind) { return kind <= Obstacle::Kind::fault; }

/// The contracts as they were before a recipe changed them.
System declared_by(const Assembly& assembly) {
    Diagnostics said_before;
    return scenario::resolve(assembly.scenario, assembly.descriptions, said_before);
}

/// The feed-through of an output in both phases.
struct Feedthrough {
    std::vector<PortId> step, initial;

    std::vector<PortId>& in(bool initializing) { return initializing ? initial : step; }
};

/// Holds the contracts against what was seen.
class Comparison {
public:
    Comparison(const Probing& probing, const Assembly& assembly, Diagnostics& diagnostics)
        : probing_(probing), assembly_(assembly), diagnostics_(diagnostics),
          system_(declared_by(assembly)), seen_(system_.ports.size()) {
        for (const Influence& influence : probing.influences)
            seen_[influence.output.value]
                .in(influence.when.initializing)
                .push_back(influence.input);
        connect(system_.links);
        for (const auto& configuration : system_.configurations) connect(configuration.links);
    }

    void report() {
        for (std::size_t p = 0; p < system_.ports.size(); ++p) report_undeclared(nth<PortId>(p));
        for (std::size_t u = 0; u < system_.units.size(); ++u) report_unseen(nth<UnitId>(u));
        report_needless_loops();
    }

private:
    void connect(const std::vector<scenario::Link>& links) {
        for (const scenario::Link& link : links) connected_.insert({link.from, link.to});
    }

    const Port& port(PortId id) const { return system_.port(id); }
    const scenario::SystemUnit& unit_of(PortId id) const { return system_.unit(port(id).unit); }
    Feedthrough contract(PortId output) const {
        return {port(output).feedthrough, port(output).feedthrough_initial};
    }

    // -- what moved and should not have ----------------------------------------------------------

    void report_undeclared(PortId output) {
        Feedthrough contract = this->contract(output);
        Feedthrough mended = contract;
        std::map<PortId, std::string> evidence;
        bool does_harm = false;
        for (const Influence& influence : probing_.influences) {
            const bool initializing = influence.when.initializing;
            if (influence.output != output) continue;
            if (contains(contract.in(initializing), influence.input)) continue;
            mended.in(initializing).push_back(influence.input);
            does_harm |= connected_.contains(output) && connected_.contains(influence.input);
            evidence.emplace(influence.input, text_of(influence)); // the first will do
        }
        if (evidence.empty()) return;
        const bool by_scenario = port(output).feedthrough_origin == Origin::scenario;
        diagnostics_.add(
            does_harm ? Severity::error : Severity::warning, port(output).where,
            format(
                "output \"{}\" of unit \"{}\" moves at once with inputs that {} does not name: {}",
                port(output).name, unit_of(output).name,
                by_scenario ? "the scenario" : "the model description",
                listed(values_of(evidence), "; ")),
            format("{}; write {}",
                   does_harm
                       ? "an algorithm made for that contract may propagate values that are too old"
                       : "it does no harm here, as not both are connected",
                   setting(output, mended)));
    }

    std::string text_of(const Influence& influence) const {
        const ValueType input = port(influence.input).type, output = port(influence.output).type;
        return format("{} from {} to {} moves it from {} to {} {}", port(influence.input).name,
                      to_string(influence.input_before, input),
                      to_string(influence.input_after, input),
                      to_string(influence.output_before, output),
                      to_string(influence.output_after, output), to_string(influence.when));
    }

    /// `Fc: {feedthrough: [x1, v1]} under the outputs of unit "msd2"`
    std::string setting(PortId output, const Feedthrough& contract) const {
        scenario::OutputSettings settings;
        settings.name = port(output).name;
        settings.feedthrough = names_of(output, contract.step);
        const auto initial = names_of(output, contract.initial);
        if (initial != *settings.feedthrough) settings.feedthrough_initial = initial;
        const Format& written = scenario_format(assembly_.scenario.file);
        return format("{} under the outputs of unit \"{}\"", written.write_output(settings),
                      unit_of(output).name);
    }

    /// In the order of the unit.
    std::vector<std::string> names_of(PortId output, const std::vector<PortId>& inputs) const {
        std::vector<std::string> names;
        for (const PortId input : unit_of(output).inputs) {
            if (contains(inputs, input)) names.push_back(port(input).name);
        }
        return names;
    }

    // -- what should have moved and did not ------------------------------------------------------

    void report_unseen(UnitId unit) {
        std::vector<std::string> unseen, settings;
        bool is_assumed = false;
        for (const PortId output : system_.unit(unit).outputs) {
            Feedthrough idle = idle_part(output);
            if (idle.step.empty() && idle.initial.empty()) continue;
            unseen.push_back(text_of(output, idle));
            Feedthrough left = contract(output);
            for (const bool initializing : {false, true})
                std::erase_if(left.in(initializing),
                              [&](PortId input) { return contains(idle.in(initializing), input); });
            settings.push_back(setting(output, left));
            is_assumed |= port(output).feedthrough_origin == Origin::assumed;
            narrowed_.emplace_back(output, std::move(left));
        }
        if (unseen.empty()) return;
        diagnostics_.note(
            system_.unit(unit).where,
            format("unit \"{}\": {}, but not seen, that {}", system_.unit(unit).name,
                   is_assumed ? "assumed, since nothing is declared" : "declared",
                   listed(unseen, "; ")),
            format("it is careful to keep it; if you know that it is not so{}, write {}",
                   remark_on_fmi(unit), listed(settings, "; ")));
    }

    std::string text_of(PortId output, const Feedthrough& inputs) const {
        const bool at_initialization = inputs.step.empty();
        return format("{} moves at once with {}{}", port(output).name,
                      listed(names_of(output, at_initialization ? inputs.initial : inputs.step)),
                      at_initialization ? " at initialization" : "");
    }

    /// FMI 2.0, section 4.2.4, and FMI 3.0 alike: after a step, outputs need not follow inputs
    /// before the next one.
    std::string_view remark_on_fmi(UnitId unit) const {
        return assembly_.descriptions[unit.value].kind.starts_with("FMI")
                   ? " (an FMU may keep its outputs until its next step)"
                   : "";
    }

    /// What the contract names, was tried in earnest and never moved the output.
    Feedthrough idle_part(PortId output) {
        Feedthrough idle = contract(output);
        for (const bool initializing : {false, true}) {
            const std::vector<PortId>& moved = seen_[output.value].in(initializing);
            const bool is_in_doubt = !was_probed(initializing) || is_obstructed(output);
            std::erase_if(idle.in(initializing), [&](PortId input) {
                return is_in_doubt || is_obstructed(input) || contains(moved, input);
            });
        }
        return idle;
    }

    bool was_probed(bool initializing) const {
        return std::ranges::find(probing_.instants, initializing, &Instant::initializing) !=
               probing_.instants.end();
    }

    bool is_obstructed(PortId id) const {
        const auto obstructs = [&](const Obstacle& obstacle) {
            return is_about_unit(obstacle.kind) ? obstacle.unit == port(id).unit
                                                : obstacle.port == id;
        };
        const auto refuses_all = [&](const Refusal& refusal) {
            return refusal.input == id && refusal.refused == refusal.tried;
        };
        return std::ranges::any_of(probing_.obstacles, obstructs) ||
               std::ranges::any_of(probing_.refusals, refuses_all);
    }

    // -- what that costs -------------------------------------------------------------------------

    void report_needless_loops() const {
        if (narrowed_.empty() || assembly_.scenario.written) return;
        System narrowed = system_;
        for (const auto& [output, contract] : narrowed_) {
            narrowed.port(output).feedthrough = contract.step;
            narrowed.port(output).feedthrough_initial = contract.initial;
        }
        Diagnostics said_before;
        const auto& settings = assembly_.scenario.algorithm;
        const auto other = synthesis::orchestrate(narrowed, settings, said_before);
        const auto& here = assembly_.orchestration;
        std::vector<std::string> loops;
        add_needless(here.initial_loops, other.initial_loops, "at initialization", loops);
        add_needless(here.step_loops, other.step_loops, "in each step", loops);
        if (loops.empty()) return;
        diagnostics_.note(assembly_.scenario.algorithm.where,
                          format("without the dependencies that were not seen there would be no {}",
                                 listed(loops, ", nor ")));
    }

    void add_needless(const std::vector<Loop>& with, const std::vector<Loop>& without,
                      std::string_view when, std::vector<std::string>& loops) const {
        for (const Loop& loop : with) {
            const bool stays = std::ranges::any_of(without, [&](const Loop& other) {
                return std::ranges::any_of(other.ports,
                                           [&](PortId p) { return contains(loop.ports, p); });
            });
            if (stays || loop.ports.empty()) continue;
            std::vector<std::string> names;
            for (const PortId id : loop.ports) names.push_back(system_.name_of(id));
            loops.push_back(format("{} {} over {}", to_string(loop.kind), when, listed(names)));
        }
    }

    const Probing& probing_;
    const Assembly& assembly_;
    Diagnostics& diagnostics_;
    System system_;
    std::vector<Feedthrough> seen_; ///< by output
    std::set<PortId> connected_;
    std::vector<std::pair<PortId, Feedthrough>> narrowed_; ///< contracts without what was not seen
};

} // namespace

void judge(const Probing& probing, const Assembly& assembly, Diagnostics& diagnostics) {
    Comparison(probing, assembly, diagnostics).report();
    report_obstacles(probing, assembly, diagnostics);
    if (!probing.fault.empty()) diagnostics.error({}, probing.fault);
}

} // namespace rubato::pipeline
