// SPDX-License-Identifier: Apache-2.0
#include "compiler.hpp"

#include "calls.hpp"
#include "columns.hpp"
#include "conditions.hpp"
#include "event_program.hpp"
#include "inner_values.hpp"
#include "loops/loop_setup.hpp"
#include "output_slots.hpp"
#include "runs.hpp"
#include "ticks.hpp"

#include <rubato/algorithm/event_procedures.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

namespace rubato::engine {

using scenario::Port;
using scenario::Reactivity;
using scenario::System;
using unit::Unit;

namespace {

class Compiler {
public:
    Compiler(const System& system, std::span<const std::unique_ptr<Unit>> units,
             const CompileOptions& options)
        : system_(system), units_(units), threads_(options.threads),
          first_guesses_(options.first_guesses), history_(system.ports.size()) {
        if (options.may_be_taken_back) calls_.expect_all_saved();
    }

    Compiled compile(const algorithm::Algorithm& algorithm) {
        for (const algorithm::Procedure& procedure : algorithm.steps) slots_.assign(procedure.body);
        slots_.assign(algorithm.initialization);
        compile_steps(algorithm);
        in_step_ = false;
        use(0);
        plan_->initialization = block(algorithm.initialization);
        plan_->first_guess = first_guess(algorithm.initialization);
        compile_exchanges(algorithm);
        read_conditions(system_, *plan_, calls_);
        std::vector<std::uint32_t> watched = read_watched(system_, *plan_, calls_);
        RecordedSlots recorded =
            record_slots(system_, units_, slots_.final_slots(), *plan_, calls_);
        compile_events(algorithm, recorded.clocked);
        calls_.bind();
        std::vector<ObservedValue> values;
        for (const auto& [storage, slot] : recorded.slots) {
            recorded.columns[values.size()].value = plan_->buffers.at(storage, slot);
            values.push_back({storage, plan_->buffers.at(storage, slot)});
        }
        return {std::move(plan_),          std::move(recorded.columns), std::move(values),
                slots_.take_final_slots(), std::move(history_),         std::move(watched)};
    }

private:
    void compile_steps(const algorithm::Algorithm& algorithm) {
        if (system_.configurations.empty()) {
            use(0);
            add_step(algorithm.steps.front().body);
        }
        for (std::size_t c = 0; c < system_.configurations.size(); ++c) {
            use(c);
            const std::string& name = system_.configurations[c].procedure;
            add_step(std::ranges::find(algorithm.steps, name, &algorithm::Procedure::name)->body);
        }
    }

    void add_step(const Body& body) {
        Procedure procedure;
        procedure.fraction = fraction_of_step(body, system_);
        procedure.block = block(body);
        procedure.take_over = take_over();
        plan_->procedures.push_back(std::move(procedure));
    }

    /// Calls `use_event` with each first procedure of its connections and what is done at events.
    template <class Use>
    void for_each_event(const algorithm::Algorithm& algorithm, bool is_needed, Use&& use_event) {
        for (std::size_t c = 0; c < plan_->procedures.size(); ++c) {
            if (plan_->procedures[c].connections != c) continue;
            const auto* const event = algorithm::find_event_procedure(system_, algorithm, c);
            if (!event && (is_needed || c != 0))
                throw std::logic_error("there is no event procedure for these connections");
            use(c);
            use_event(plan_->procedures[c], event);
        }
    }

    /// At an instant between steps: by the event procedure, or else as when values were
    /// initialized.
    void compile_exchanges(const algorithm::Algorithm& algorithm) {
        for (std::size_t c = 0; c < system_.configurations.size(); ++c)
            plan_->procedures[c].connections = first_with_connections_of(system_, c);
        for_each_event(algorithm, false, [&](Procedure& procedure, const auto* event) {
            procedure.exchange =
                event ? block(exchange_in_steps(event->body, configured_)) : plan_->initialization;
        });
    }

    /// Units with event mode go through instants, with clocks and guards.
    void compile_events(const algorithm::Algorithm& algorithm,
                        std::span<const ClockedColumn> clocked) {
        if (std::ranges::none_of(units_, [](const auto& each) { return each->event_mode(); }))
            return;
        events_.emplace(system_, units_, *plan_, calls_, slots_.final_slots(), history_);
        for_each_event(algorithm, true, [&](Procedure& procedure, const auto* event) {
            use_sources(configured_.event_links);
            use_sources(configured_.clock_links);
            events_->begin(event->body, source_, configured_.links);
            procedure.event_guesses = block(loop_gets_of(event->body));
            procedure.event = block(event->body);
            procedure.watched = events_->take_watched();
        });
        events_->add_columns(clocked);
    }

    /// Delayed inputs are set at the end of a step. In the first one of this configuration, what
    /// was reactive in the last must be set before.
    Block take_over() {
        if (system_.configurations.size() < 2) return {};
        Body sets;
        for (const scenario::Link& link : configured_.links) {
            const Port& port = configured_.port(link.to);
            const bool is_held = port.approximation == scenario::Approximation::constant;
            if (!is_held && port.reactivity == Reactivity::delayed)
                sets.push_back(algorithm::Set{link.to});
        }
        going_on_ = true;
        Block result = block(sets);
        going_on_ = false;
        return result;
    }

    /// From here on, links and contracts are those of the n-th configuration.
    void use(std::size_t n) {
        const bool varies = !system_.configurations.empty();
        configured_ = varies ? in_configuration(system_, system_.configurations[n]) : system_;
        source_.assign(system_.ports.size(), nullptr);
        use_sources(configured_.links);
        stepped_.clear();
    }

    void use_sources(const std::vector<scenario::Link>& links) {
        for (const scenario::Link& link : links) source_[link.to.value] = &link;
    }

    std::uint32_t output_slot(PortId port, bool tentative) {
        return events_ ? events_->slot(port, tentative) : slots_.of(port, tentative);
    }

    Block block(const Body& body) {
        Block result;
        for_each_run(body, [&](std::span<const Op> run) {
            std::visit([&](const auto& kind) { compile_run(kind, run, result); }, run.front());
        });
        return result;
    }

    void compile_run(const algorithm::Get&, std::span<const Op> run, Block& block) {
        if (events_) return events_->add_gets(run, in_event_loop_, block);
        const std::size_t before = plan_->gets.size();
        for (const auto& group : grouped<algorithm::Get>(run, system_)) {
            for (const algorithm::Get& get : group) {
                const Port& port = system_.port(get.port);
                calls_.add_get(variable_of(port), output_slot(get.port, get.tentative),
                               &get == &group.front());
            }
        }
        block.push_back(added(Opcode::get, plan_->gets, before));
    }

    void compile_run(const algorithm::Set&, std::span<const Op> run, Block& block) {
        if (events_) return events_->add_sets(run, block);
        const std::size_t before = plan_->sets.size();
        for (auto& group : grouped<algorithm::Set>(run, system_)) {
            // What is connected in other configurations only is left as it is.
            std::erase_if(group, [&](const auto& set) { return !source_[set.port.value]; });
            if (!group.empty()) add_set(std::move(group));
        }
        block.push_back(added(Opcode::set, plan_->sets, before));
    }

    /// Every set call has slots of its own, so its values are neighbours.
    void add_set(std::vector<algorithm::Set> group) {
        const auto approximation = [&](const algorithm::Set& set) {
            const Port& port = configured_.port(set.port);
            return std::tuple(port.approximation, port.reactivity,
                              port.part.size > 1 ? port.variable : 0, port.part.first);
        };
        std::ranges::stable_sort(group, {}, approximation);

        std::vector<Variable> variables;
        std::vector<std::uint32_t> sources;
        SetExtras extras;
        for (const algorithm::Set& set : group) {
            const Port& port = system_.port(set.port);
            const scenario::Link& link = *source_[set.port.value];
            const std::uint32_t from = output_slot(link.from, set.tentative);
            const auto change = type_change_of(link, system_);
            variables.push_back(variable_of(port));
            for (std::uint32_t element = 0; element < port.part.count; ++element) {
                const auto index = static_cast<std::uint32_t>(sources.size());
                sources.push_back(add_source(extras, index, from + element, link, change));
                if (port.approximation != scenario::Approximation::constant &&
                    units_[port.unit.value]->input_derivatives())
                    add_approximation(extras, index, set.port);
            }
        }
        calls_.add_set(variables, sources, std::move(extras));
    }

    /// Neighbours of like kind share an entry.
    void add_approximation(SetExtras& extras, std::uint32_t index, PortId id) {
        const Port& port = configured_.port(id);
        const auto order = static_cast<unsigned>(port.approximation);
        const bool reactive = in_step_ && port.reactivity == Reactivity::reactive;
        const bool at_end = reactive || stepped_.contains(port.unit);
        using Mode = ApproximatedInputs::Mode;
        const Mode mode = going_on_  ? Mode::go_on
                          : reactive ? Mode::interpolate
                                     : Mode::extrapolate;
        auto& groups = extras.approximations;
        if (groups.empty() || groups.back().order != order || groups.back().mode != mode)
            groups.push_back({.first = index, .order = order, .mode = mode, .at_end = at_end});
        ApproximatedInputs& inputs = groups.back();
        inputs.histories.push_back(history(id));
        if (order == 2 && mode == Mode::interpolate)
            inputs.within.push_back(inner_value(system_, *source_[id.value], units_, *plan_));
        inputs.first_derivatives.push_back(0);
        inputs.second_derivatives.push_back(0);
    }

    std::uint32_t history(PortId id) {
        auto& assigned = history_[id.value];
        if (!assigned) {
            assigned = static_cast<std::uint32_t>(plan_->histories.size());
            const Port& port = system_.port(id);
            plan_->histories.emplace_back(static_cast<unsigned>(port.approximation),
                                          port.join == scenario::Join::continuous);
        }
        return *assigned;
    }

    void compile_run(const algorithm::Update&, std::span<const Op> run, Block& block) {
        events_->add_updates(run, block);
    }

    void compile_run(const algorithm::Step&, std::span<const Op> run, Block& block) {
        const std::size_t before = plan_->steps.size();
        for (const Op& op : run) {
            const UnitId id = std::get<algorithm::Step>(op).unit;
            calls_.add_step(id);
            stepped_[id] = true;
        }
        block.push_back(added(Opcode::step, plan_->steps, before));
    }

    void compile_run(const algorithm::Save&, std::span<const Op> run, Block& block) {
        add_snapshots<algorithm::Save>(Opcode::save, run, block);
    }

    void compile_run(const algorithm::Restore&, std::span<const Op> run, Block& block) {
        add_snapshots<algorithm::Restore>(Opcode::restore, run, block);
    }

    template <class Kind>
    void add_snapshots(Opcode opcode, std::span<const Op> run, Block& block) {
        const std::size_t before = plan_->snapshots.size();
        for (const Op& op : run) calls_.add_snapshot(std::get<Kind>(op).unit);
        block.push_back(added(opcode, plan_->snapshots, before));
    }

    void compile_run(const algorithm::FixedPoint& op, std::span<const Op>, Block& out) {
        FixedPointLoop loop;
        loop.until = op.until;
        for (const PortId id : op.ports) compared_around_.insert(id);
        in_event_loop_ = events_.has_value();
        loop.iterate = block(op.iterate);
        in_event_loop_ = false;
        for (const PortId id : op.ports) compared_around_.erase(compared_around_.find(id));
        loop.retry = block(op.retry);
        std::set<PortId> tentative, guessed;
        collect_tentative_gets(op.iterate, tentative);
        for (const scenario::Link* link : guessed_links(op)) guessed.insert(link->from);
        std::vector<PortId> ports = op.ports;
        std::stable_partition(ports.begin(), ports.end(),
                              [&](PortId id) { return guessed.contains(id); });
        for (const PortId id : ports) {
            const bool overwrites = !tentative.contains(id);
            LoopValue value{.now = output_slot(id, !overwrites), .overwrites = overwrites};
            value.before = output_slot(id, overwrites);
            value.port = id;
            add_value(loop, system_.port(id), guessed.contains(id), value);
        }
        for (const PortId id : op.ports) tentative.erase(id);
        add_followers(loop, tentative);
        plan_->fixed_points.push_back(std::move(loop));
        out.push_back(
            added(Opcode::fixed_point, plan_->fixed_points, plan_->fixed_points.size() - 1));
    }

    /// Tentative values become final where their loop ends, but for those that a loop around it
    /// has yet to compare with the final ones.
    template <class Loop>
    void add_followers(Loop& loop, const std::set<PortId>& tentative) {
        for (const PortId id : tentative)
            if (!compared_around_.contains(id))
                add_follower(loop.followers, system_.port(id), output_slot(id, true),
                             output_slot(id, false));
    }

    void compile_run(const algorithm::Negotiate& op, std::span<const Op>, Block& out) {
        NegotiationLoop loop{block(op.iterate), block(op.retry), {}};
        std::set<PortId> tentative;
        collect_tentative_gets(op.iterate, tentative);
        add_followers(loop, tentative);
        plan_->negotiations.push_back(std::move(loop));
        out.push_back(
            added(Opcode::negotiate, plan_->negotiations, plan_->negotiations.size() - 1));
    }

    /// On one thread the bodies come one after the other, which is one of the orders they may run
    /// in; so they do where they hold loops, which all threads would have to agree on.
    void compile_run(const algorithm::Parallel& op, std::span<const Op>, Block& out) {
        const bool is_plain = std::ranges::all_of(
            op.bodies, [](const Body& body) { return std::ranges::none_of(body, is_compound); });
        if (threads_ == 1 || !is_plain) {
            for (const Body& body : op.bodies)
                std::ranges::move(block(body), std::back_inserter(out));
            return;
        }
        Section section;
        for (const Body& body : op.bodies) section.branches.push_back({.block = block(body)});
        plan_->sections.push_back(std::move(section));
        out.push_back(added(Opcode::section, plan_->sections, plan_->sections.size() - 1));
    }

    std::vector<const scenario::Link*> guessed_links(const algorithm::FixedPoint& loop) const {
        std::vector<const scenario::Link*> guessed;
        std::set<OutputValue> got;
        collect_guessed(loop.iterate, source_, guessed, got);
        return guessed;
    }

    /// A loop of the initialization starts from what its outputs are before any input is set, or
    /// from what the scenario says of a guessed input.
    Block first_guess(const Body& initialization) {
        const std::size_t before = plan_->gets.size();
        for (const Op& op : initialization) {
            const auto* loop = std::get_if<algorithm::FixedPoint>(&op);
            if (!loop) continue;
            for (const PortId id : loop->ports) {
                const Port& port = system_.port(id);
                calls_.add_get(variable_of(port), output_slot(id, false), true);
            }
            for (const scenario::Link* link : guessed_links(*loop))
                add_guess(*plan_, *link, system_.port(link->to), first_guesses_,
                          output_slot(link->from, false));
        }
        return {added(Opcode::get, plan_->gets, before)};
    }

    const System& system_;
    std::span<const std::unique_ptr<Unit>> units_;
    unsigned threads_;
    std::span<const FirstGuess> first_guesses_;
    std::unique_ptr<Plan> plan_ = std::make_unique<Plan>();
    Calls calls_{*plan_, units_};
    OutputSlots slots_{system_, calls_};
    std::vector<std::optional<std::uint32_t>> history_; ///< by port
    System configured_;                         ///< the configuration that is being compiled
    std::vector<const scenario::Link*> source_; ///< by input, in it
    std::map<UnitId, bool> stepped_;            ///< in the procedure so far
    std::multiset<PortId> compared_around_;     ///< by the loops around what is being compiled
    bool in_step_ = true;
    bool going_on_ = false;              ///< what is set belongs to take_over
    std::optional<EventProgram> events_; ///< while event procedures are compiled
    bool in_event_loop_ = false;
};

} // namespace

Compiled compile(const System& system, const algorithm::Algorithm& algorithm,
                 std::span<const std::unique_ptr<Unit>> units, const CompileOptions& options) {
    Compiled compiled = Compiler(system, units, options).compile(algorithm);
    prepare_loops(*compiled.plan, system, options.loops);
    return compiled;
}

} // namespace rubato::engine
