// SPDX-License-Identifier: Apache-2.0
#include "symbolic_interpreter.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <tuple>

namespace rubato::test {

using algorithm::Algorithm;
using algorithm::Body;
using scenario::Link;
using scenario::System;

namespace {

/// What stops an execution.
struct Fault : std::runtime_error {
    using runtime_error::runtime_error;
};

/// An execution of an algorithm: the units, and the values on their way between them.
class Execution {
public:
    Execution(const System& system, RandomSource interleaving)
        : system_(system), units_(system), interleaving_(interleaving),
          inputs_(system.ports.size()), initial_outputs_(system.ports.size()),
          final_(system.ports.size()), tentative_(system.ports.size()),
          snapshots_(system.units.size()) {
        for (std::size_t u = 0; u < system.units.size(); ++u) {
            states_.push_back({units_.initial_state(nth<UnitId>(u)), 0});
        }
    }

    void initialize(const Body& body) {
        use_configuration(0);
        run(body);
        for (const scenario::SystemUnit& unit : system_.units) {
            for (const PortId output : unit.outputs) initial_outputs_[output.value] = read(output);
        }
        initializing_ = false;
    }

    void step(const Body& body, const Circumstances& circumstances) {
        use_configuration(circumstances.configuration);
        tolerated_ = &circumstances.tolerated;
        common_step_ = circumstances.wanted;
        accepted_.assign(system_.units.size(), std::nullopt);
        run(body);
    }

    const Symbol& state(std::size_t unit) const { return states_[unit].symbol; }
    int time(std::size_t unit) const { return states_[unit].time; }

private:
    struct UnitState {
        Symbol symbol;
        int time = 0;
    };
    struct Snapshot {
        UnitState state;
        std::vector<Symbol> inputs; ///< as in the unit
    };

    void use_configuration(std::size_t configuration) {
        links_ = system_.configurations.empty() ? &system_.links
                                                : &system_.configurations[configuration].links;
    }

    void run(std::span<const algorithm::Op> body) {
        for (const algorithm::Op& op : body) {
            std::visit([this](const auto& o) { execute(o); },
                       static_cast<const algorithm::Op::variant&>(op));
        }
    }

    /// After the initialization an output that is read before the first step still has the value
    /// that the initialization gave it, whatever inputs have been set since.
    Symbol read(PortId output) const {
        const UnitState& state = states_[system_.port(output).unit.value];
        if (initializing_) return units_.initial_output(output, state.symbol, inputs_);
        if (state.time == 0) return initial_outputs_[output.value];
        return units_.output(output, state.symbol, inputs_);
    }

    void execute(const algorithm::Get& get) {
        (get.tentative ? tentative_ : final_)[get.port.value] = read(get.port);
    }

    void execute(const algorithm::Set& set) {
        const auto link = std::ranges::find(*links_, set.port, &Link::to);
        if (link == links_->end()) throw Fault(system_.name_of(set.port) + " has no source");
        inputs_[set.port.value] = (set.tentative ? tentative_ : final_)[link->from.value];
    }

    /// The largest step stands for the common one, as in the format that steps `by` come from.
    int length(const algorithm::Step& step) const {
        if (step.by && *step.by != system_.largest_step) return *step.by;
        if (!step.same_as) return common_step_;
        const auto& accepted = accepted_[step.same_as->value];
        if (!accepted) throw Fault(system_.unit(*step.same_as).name + " has accepted no step yet");
        return *accepted;
    }

    void execute(const algorithm::Update&) {} // of events, which are not interpreted here

    void execute(const algorithm::Step& step) {
        const std::size_t unit = step.unit.value;
        const bool may_reject = system_.unit(step.unit).can_reject_step;
        const int wanted = length(step);
        const int by = may_reject ? std::min(wanted, (*tolerated_)[unit]) : wanted;
        UnitState& state = states_[unit];
        state = {units_.step(step.unit, state.symbol, by, inputs_), state.time + by};
        accepted_[unit] = by;
    }

    void execute(const algorithm::Save& save) {
        Snapshot snapshot{states_[save.unit.value], {}};
        for (const PortId input : system_.unit(save.unit).inputs) {
            snapshot.inputs.push_back(inputs_[input.value]);
        }
        snapshots_[save.unit.value] = std::move(snapshot);
    }

    void execute(const algorithm::Restore& restore) {
        const auto& snapshot = snapshots_[restore.unit.value];
        if (!snapshot) throw Fault(system_.unit(restore.unit).name + " was never saved");
        states_[restore.unit.value] = snapshot->state;
        const auto& inputs = system_.unit(restore.unit).inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            inputs_[inputs[i].value] = snapshot->inputs[i];
        }
    }

    /// What was got tentatively is final, unless a loop around has yet to compare it.
    void end_loop(std::span<const algorithm::Op> body) {
        for (const algorithm::Op& op : body) {
            if (const auto* get = std::get_if<algorithm::Get>(&op)) {
                const bool is_awaited = std::ranges::find(awaited_, get->port) != awaited_.end();
                if (get->tentative && !is_awaited)
                    final_[get->port.value] = tentative_[get->port.value];
            } else if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op)) {
                end_loop(loop->iterate);
            } else if (const auto* search = std::get_if<algorithm::Negotiate>(&op)) {
                end_loop(search->iterate);
            } else if (const auto* section = std::get_if<algorithm::Parallel>(&op)) {
                for (const Body& branch : section->bodies) end_loop(branch);
            }
        }
    }

    void execute(const algorithm::FixedPoint& loop) {
        awaited_.insert(awaited_.end(), loop.ports.begin(), loop.ports.end());
        for (const PortId port : loop.ports) {
            if (overwrites(loop, port)) adopt(loop, port);
        }
        constexpr std::size_t enough_iterations = 4 * std::tuple_size_v<decltype(Symbol::levels)>;
        for (std::size_t iteration = 0; iteration < enough_iterations; ++iteration) {
            run(loop.iterate);
            const bool converged = std::ranges::all_of(loop.ports, [&](PortId port) {
                return tentative_[port.value] == final_[port.value];
            });
            for (const PortId port : loop.ports) adopt(loop, port);
            if (converged) {
                for (const PortId port : loop.ports) std::erase(awaited_, port);
                return end_loop(loop.iterate);
            }
            run(loop.retry);
        }
        throw Fault("a loop does not converge");
    }

    /// Tentative values become final at the end of an iteration. A loop that does not roll back may
    /// get its values as final ones: then what they were is kept aside, to be compared with.
    void adopt(const algorithm::FixedPoint& loop, PortId port) {
        if (overwrites(loop, port)) {
            tentative_[port.value] = final_[port.value];
        } else {
            final_[port.value] = tentative_[port.value];
        }
    }

    static bool overwrites(const algorithm::FixedPoint& loop, PortId port) {
        return loop.retry.empty() && std::ranges::none_of(loop.iterate, [&](const auto& op) {
                   const auto* get = std::get_if<algorithm::Get>(&op);
                   return get && get->port == port && get->tentative;
               });
    }

    void execute(const algorithm::Negotiate& loop) {
        for (int iteration = 0; iteration <= system_.largest_step; ++iteration) {
            run(loop.iterate);
            const int wanted = common_step_;
            for (const UnitId unit : loop.units) {
                const auto& accepted = accepted_[unit.value];
                if (!accepted) throw Fault(system_.unit(unit).name + " is asked for no step");
                common_step_ = std::min(common_step_, *accepted);
            }
            const bool agreed = std::ranges::all_of(
                loop.units, [&](UnitId unit) { return accepted_[unit.value] == common_step_; });
            if (agreed && common_step_ == wanted) return end_loop(loop.iterate);
            run(loop.retry);
        }
        throw Fault("a negotiation does not end");
    }

    /// The operations of the bodies in some order that keeps that within each body.
    void execute(const algorithm::Parallel& parallel) {
        std::vector<std::span<const algorithm::Op>> left(parallel.bodies.begin(),
                                                         parallel.bodies.end());
        for (;;) {
            std::erase_if(left, [](const auto& body) { return body.empty(); });
            if (left.empty()) return;
            auto& body = left[interleaving_.below(left.size())];
            run(body.first(1));
            body = body.subspan(1);
        }
    }

    const System& system_;
    SymbolicUnits units_;
    RandomSource interleaving_;                      ///< of what may run at the same time
    std::vector<UnitState> states_;                  ///< by unit
    std::vector<Symbol> inputs_;                     ///< by port
    std::vector<Symbol> initial_outputs_;            ///< by port
    std::vector<Symbol> final_, tentative_;          ///< by port: values of outputs
    std::vector<std::optional<Snapshot>> snapshots_; ///< by unit
    std::vector<std::optional<int>> accepted_;       ///< by unit, in this step
    std::vector<PortId> awaited_;                    ///< what the loops under way compare
    const std::vector<Link>* links_ = nullptr;
    const std::vector<int>* tolerated_ = nullptr;
    int common_step_ = 1;
    bool initializing_ = true;
};

const Body& procedure(const System& system, const Algorithm& algorithm, std::size_t configuration) {
    if (system.configurations.empty()) return algorithm.steps.front().body;
    const std::string& name = system.configurations[configuration].procedure;
    return std::ranges::find(algorithm.steps, name, &algorithm::Procedure::name)->body;
}

} // namespace

SymbolicInterpreter::SymbolicInterpreter(const System& system, std::size_t most_runs)
    : system_(system), runs_(runs_of(system, most_runs)), ideal_(system) {}

std::optional<std::string> SymbolicInterpreter::find_departure(const Algorithm& algorithm) {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
        const auto fault = find_fault(algorithm, runs_[r], RandomSource(r));
        if (fault) return *fault + ", in the run\n" + describe(system_, runs_[r]);
    }
    return std::nullopt;
}

std::optional<std::string> SymbolicInterpreter::find_fault(const Algorithm& algorithm,
                                                           const Run& run,
                                                           RandomSource interleaving) try {
    Execution execution(system_, interleaving);
    execution.initialize(algorithm.initialization);
    std::vector<IdealSolution::Step> taken;
    for (const Circumstances& circumstances : run) {
        const int start = execution.time(0);
        execution.step(procedure(system_, algorithm, circumstances.configuration), circumstances);
        taken.push_back({circumstances.configuration, execution.time(0) - start});
        const std::string step = " in step " + std::to_string(taken.size());
        if (taken.back().by < 1 || taken.back().by > circumstances.wanted) {
            return "time goes wrong" + step;
        }
        const auto& ideal = ideal_.after(taken).states;
        for (std::size_t u = 0; u < system_.units.size(); ++u) {
            if (execution.state(u) != ideal[u]) return system_.units[u].name + " goes wrong" + step;
        }
    }
    return std::nullopt;
} catch (const Fault& fault) {
    return fault.what();
}

} // namespace rubato::test
