// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

#include <rubato/algorithm/event_procedures.hpp>
#include <rubato/algorithm/written.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace rubato::algorithm {

namespace {

using scenario::Direction;
using scenario::Operation;
using scenario::WrittenOp;

Convergence convergence(const scenario::AlgorithmSettings& settings) {
    return {.absolute_tolerance = settings.absolute_tolerance,
            .relative_tolerance = settings.relative_tolerance,
            .limit = settings.iteration_limit,
            .accept_at_limit = settings.at_limit == scenario::AtLimit::accept,
            .iterations = std::nullopt};
}

std::unordered_set<PortId> connected_inputs(const scenario::System& system) {
    std::unordered_set<PortId> inputs;
    for (const scenario::Link& link : system.links) inputs.insert(link.to);
    for (const scenario::Configuration& configuration : system.configurations) {
        for (const scenario::Link& link : configuration.links) inputs.insert(link.to);
    }
    return inputs;
}

std::unordered_set<PortId> connected_at_events(const scenario::System& system) {
    std::unordered_set<PortId> inputs;
    const auto add = [&](const scenario::System& configured) {
        const EventExchange exchange(configured);
        for (std::size_t p = 0; p < exchange.takes_part.size(); ++p)
            if (exchange.takes_part[p]) inputs.insert(nth<PortId>(p));
    };
    if (system.configurations.empty()) add(system);
    for (const scenario::Configuration& configuration : system.configurations)
        add(in_configuration(system, configuration));
    return inputs;
}

class AlgorithmResolver {
public:
    AlgorithmResolver(const scenario::Scenario& scenario, const scenario::System& system,
                      Diagnostics& diagnostics)
        : scenario_(scenario), system_(system), diagnostics_(diagnostics),
          names_(system, diagnostics), connected_(connected_inputs(system)),
          until_(convergence(scenario.algorithm)) {}

    Algorithm run(const scenario::WrittenAlgorithm& written) {
        Algorithm algorithm;
        algorithm.initialization = body(written.initialization);
        until_.iterations = scenario_.algorithm.iterations; // semi-implicit: in steps only
        for (const scenario::WrittenProcedure& procedure : written.steps)
            algorithm.steps.push_back({procedure.name, body(procedure.body)});
        until_.iterations.reset();
        connected_ = connected_at_events(system_);
        for (const scenario::WrittenProcedure& procedure : written.events)
            algorithm.events.push_back({procedure.name, body(procedure.body)});
        check_procedures(written);
        return algorithm;
    }

private:
    Body body(const std::vector<WrittenOp>& written) {
        Body ops;
        for (const WrittenOp& op : written) {
            if (auto resolved = resolve(op)) ops.push_back(std::move(*resolved));
        }
        return ops;
    }

    /// nullopt: it is wrong, which has been reported, or without effect.
    std::optional<Op> resolve(const WrittenOp& op) {
        switch (op.operation) {
        case Operation::get: return get(op, false);
        case Operation::get_tentative: return get(op, true);
        case Operation::set: return set(op, false);
        case Operation::set_tentative: return set(op, true);
        case Operation::step: return step(op);
        case Operation::save_state: return of_unit<Save>(op);
        case Operation::restore_state: return of_unit<Restore>(op);
        case Operation::loop: return loop(op);
        case Operation::parallel: return parallel(op);
        case Operation::get_clock: return get(op, false);
        case Operation::set_clock: return set(op, false);
        case Operation::update: return of_unit<Update>(op);
        case Operation::get_interval:
        case Operation::get_shift: check_clock(op); break;
        }
        return std::nullopt;
    }

    std::optional<Op> get(const WrittenOp& op, bool tentative) {
        const auto port = names_.port(op.object, Direction::output, op.where);
        if (!port) return std::nullopt;
        return Get{*port, tentative};
    }

    std::optional<Op> set(const WrittenOp& op, bool tentative) {
        const auto port = names_.port(op.object, Direction::input, op.where);
        if (!port) return std::nullopt;
        if (!connected_.contains(*port)) {
            diagnostics_.warning(
                op.where, format("set {} does nothing: the input is not connected", op.object),
                "connect it, or remove the statement");
            return std::nullopt;
        }
        return Set{*port, tentative};
    }

    std::optional<Op> step(const WrittenOp& op) {
        const auto unit = names_.unit(op.object, op.where);
        const auto same_as = op.by_same_as ? names_.unit(*op.by_same_as, op.where) : std::nullopt;
        if (op.by && op.by_same_as) {
            diagnostics_.error(op.where,
                               format("the step of {} has both by and by-same-as", op.object),
                               "give one of them, or none to go by the common step");
        }
        if (op.by && (*op.by < 1 || *op.by > system_.largest_step)) {
            diagnostics_.error(
                op.where,
                format("the step of {} is by {}: it must be between 1 and the largest step, {}",
                       op.object, *op.by, system_.largest_step),
                "leave it out to go by the common step");
        }
        if (!unit || (op.by_same_as && !same_as)) return std::nullopt;
        return Step{*unit, op.by, same_as};
    }

    template <class Kind>
    std::optional<Op> of_unit(const WrittenOp& op) {
        const auto unit = names_.unit(op.object, op.where);
        if (!unit) return std::nullopt;
        return Kind{*unit};
    }

    void check_clock(const WrittenOp& op) {
        const auto name = scenario::split_port_name(op.object);
        const scenario::UnitClocks* unit =
            name && scenario_.clocks ? scenario_.clocks->find_unit(name->unit) : nullptr;
        if (unit && std::ranges::find(unit->inputs, name->port, &scenario::InputClock::name) !=
                        unit->inputs.end())
            return;
        diagnostics_.error(op.where, format("\"{}\" names no input clock", op.object),
                           "write unit.clock");
    }

    std::optional<Op> loop(const WrittenOp& op) {
        Body iterate = body(op.iterate);
        Body retry = body(op.if_retry_needed);
        if (op.iterate.empty()) {
            diagnostics_.error(op.where, "the loop has no operations",
                               "give it some under iterate, or remove it");
        }
        if (op.until_converged.has_value() == op.until_step_accept.has_value()) {
            diagnostics_.error(op.where,
                               op.until_converged
                                   ? "the loop has both until-converged and until-step-accept"
                                   : "the loop has neither until-converged nor until-step-accept",
                               "give exactly one of them");
            return std::nullopt;
        }
        if (op.until_converged) {
            return FixedPoint{ports(*op.until_converged, op.where), std::move(iterate),
                              std::move(retry), until_};
        }
        return Negotiate{units(*op.until_step_accept, op.where), std::move(iterate),
                         std::move(retry)};
    }

    std::vector<PortId> ports(const std::vector<std::string>& names, const Location& where) {
        std::vector<PortId> result;
        for (const std::string& name : names) {
            if (const auto port = names_.port(name, Direction::output, where))
                result.push_back(*port);
        }
        if (names.empty()) diagnostics_.error(where, "until-converged names no output");
        return result;
    }

    std::vector<UnitId> units(const std::vector<std::string>& names, const Location& where) {
        std::vector<UnitId> result;
        for (const std::string& name : names) {
            if (const auto unit = names_.unit(name, where)) result.push_back(*unit);
        }
        if (names.empty()) diagnostics_.error(where, "until-step-accept names no unit");
        return result;
    }

    std::optional<Op> parallel(const WrittenOp& op) {
        Parallel section;
        for (const std::vector<WrittenOp>& branch : op.branches) {
            if (branch.empty()) diagnostics_.error(op.where, "a parallel branch has no operations");
            section.bodies.push_back(body(branch));
        }
        if (op.branches.empty()) diagnostics_.error(op.where, "parallel has no branches");
        return section;
    }

    void check_procedures(const scenario::WrittenAlgorithm& written) {
        if (written.steps.empty()) {
            diagnostics_.error(written.where, "the algorithm has no step procedure",
                               "say what is done in each step");
        }
        std::vector<std::string> names;
        for (const scenario::WrittenProcedure& procedure : written.steps)
            names.push_back(procedure.name);
        for (const scenario::ConfigurationSettings& configuration : scenario_.configurations) {
            if (std::ranges::find(names, configuration.procedure) != names.end()) continue;
            diagnostics_.error(configuration.where,
                               format("configuration \"{}\" names the step procedure \"{}\", which "
                                      "does not exist",
                                      configuration.name, configuration.procedure),
                               suggest(configuration.procedure, names, "the step procedures"));
        }
        check_event_names(written);
    }

    void check_event_names(const scenario::WrittenAlgorithm& written) {
        std::vector<std::string> names;
        for (const scenario::ConfigurationSettings& configuration : scenario_.configurations)
            names.push_back(configuration.name);
        for (const scenario::WrittenProcedure& procedure : written.events) {
            if (names.empty() || std::ranges::find(names, procedure.name) != names.end()) continue;
            diagnostics_.error(
                procedure.where,
                format("the event procedure \"{}\" is for no configuration", procedure.name),
                suggest(procedure.name, names, "the configurations"));
        }
    }

    const scenario::Scenario& scenario_;
    const scenario::System& system_;
    Diagnostics& diagnostics_;
    Names names_;
    std::unordered_set<PortId> connected_;
    Convergence until_;
};

} // namespace

Algorithm resolve_algorithm(const scenario::Scenario& scenario, const scenario::System& system,
                            Diagnostics& diagnostics) {
    if (!scenario.written) throw std::logic_error("resolve_algorithm wants a written algorithm");
    return AlgorithmResolver(scenario, system, diagnostics).run(*scenario.written);
}

} // namespace rubato::algorithm
