// SPDX-License-Identifier: Apache-2.0
#include "compiler.hpp"

#include "runs.hpp"
#include "slots.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace rubato::engine {

using scenario::Port;
using scenario::Reactivity;
using scenario::System;
using unit::Unit;

namespace {

/// Where the values of a variable live: a unit's variable of some type, found by its reference.
struct Variable {
    UnitId unit;
    ValueType type = ValueType::float64;
    ValueRef reference = 0;
};

class Compiler {
public:
    Compiler(const System& system, std::span<const std::unique_ptr<Unit>> units, unsigned threads)
        : system_(system), units_(units), threads_(threads), final_(system.ports.size()),
          tentative_(system.ports.size()), history_(system.ports.size()),
          source_(system.ports.size()) {
        for (const scenario::Link& link : system.links) source_[link.to.value] = &link;
    }

    Compiled compile(const algorithm::Algorithm& algorithm) {
        assign_output_slots(algorithm.steps.front().body);
        assign_output_slots(algorithm.initialization);
        plan_->step = block(algorithm.steps.front().body);
        stepped_.clear();
        in_step_ = false;
        plan_->initialization = block(algorithm.initialization);
        plan_->first_guess = first_guess(algorithm.initialization);
        std::vector<Column> columns = observed();
        make_bulks(columns);
        return {std::move(plan_), std::move(columns)};
    }

private:
    // -- slots ---------------------------------------------------------------------------------

    /// Outputs that are read together get neighbouring slots.
    void assign_output_slots(const Body& body) {
        for_each_run(body, [&](std::span<const Op> run) {
            if (std::holds_alternative<algorithm::Get>(run.front())) {
                for (const auto& group : grouped<algorithm::Get>(run)) {
                    for (const algorithm::Get& get : group)
                        (void)output_slot(get.port, get.tentative);
                }
            } else {
                for_each_inner_body(run.front(),
                                    [&](const Body& inner) { assign_output_slots(inner); });
            }
        });
    }

    std::uint32_t output_slot(PortId port, bool tentative) {
        return slot((tentative ? tentative_ : final_)[port.value], system_.port(port).type);
    }

    std::uint32_t slot(std::optional<std::uint32_t>& assigned, ValueType type) {
        if (!assigned) assigned = slots_.add(storage_of(type));
        return *assigned;
    }

    // -- blocks --------------------------------------------------------------------------------

    Block block(const Body& body) {
        Block result;
        for_each_run(body, [&](std::span<const Op> run) {
            std::visit([&](const auto& kind) { compile_run(kind, run, result); }, run.front());
        });
        return result;
    }

    template <class Kind>
    std::vector<std::vector<Kind>> grouped(std::span<const Op> run) const {
        std::vector<std::vector<Kind>> groups;
        std::map<std::tuple<UnitId, ValueType, bool>, std::size_t> index;
        for (const Op& op : run) {
            const Kind& operation = std::get<Kind>(op);
            const Port& port = system_.port(operation.port);
            const auto [found, is_new] =
                index.try_emplace({port.unit, port.type, operation.tentative}, groups.size());
            if (is_new) groups.emplace_back();
            groups[found->second].push_back(operation);
        }
        return groups;
    }

    Unit& unit(UnitId id) const { return *units_[id.value]; }

    /// The entries that were added to a table since it had `before` of them.
    template <class Table>
    static Instruction added(Opcode opcode, const Table& table, std::size_t before) {
        return {opcode, static_cast<std::uint32_t>(before),
                static_cast<std::uint32_t>(table.size() - before)};
    }

    void compile_run(const algorithm::Get&, std::span<const Op> run, Block& block) {
        const std::size_t before = plan_->gets.size();
        for (const auto& group : grouped<algorithm::Get>(run)) {
            for (const algorithm::Get& get : group) {
                const Port& port = system_.port(get.port);
                add_get({port.unit, port.type, port.reference},
                        output_slot(get.port, get.tentative), &get == &group.front());
            }
        }
        block.push_back(added(Opcode::get, plan_->gets, before));
    }

    /// Extends the last call if the slots are neighbours, else adds one.
    void add_get(const Variable& variable, std::uint32_t slot, bool start_new) {
        if (!start_new) {
            PendingBulk& last = pending_gets_.back();
            if (slot == last.first_slot + last.references.size()) {
                last.references.push_back(variable.reference);
                return;
            }
        }
        plan_->gets.push_back(
            {.unit = &unit(variable.unit), .checked = storage_of(variable.type) == Storage::real});
        pending_gets_.push_back({variable.type, slot, {variable.reference}});
    }

    void compile_run(const algorithm::Set&, std::span<const Op> run, Block& block) {
        const std::size_t before = plan_->sets.size();
        for (const auto& group : grouped<algorithm::Set>(run)) add_set(group);
        block.push_back(added(Opcode::set, plan_->sets, before));
    }

    /// Every set call has slots of its own, so its values are neighbours.
    void add_set(std::vector<algorithm::Set> group) {
        const auto approximation = [&](const algorithm::Set& set) {
            const Port& port = system_.port(set.port);
            return std::tuple(port.approximation, port.reactivity);
        };
        std::ranges::stable_sort(group, {}, approximation);

        const Port& any = system_.port(group.front().port);
        PendingBulk bulk{any.type, 0, {}};
        SetExtras extras;
        first_source_.push_back(plan_->sources.size());
        for (std::uint32_t i = 0; i < group.size(); ++i) {
            const Port& port = system_.port(group[i].port);
            const scenario::Link& link = *source_[group[i].port.value];
            const std::uint32_t slot = slots_.add(storage_of(port.type));
            if (i == 0) bulk.first_slot = slot;
            bulk.references.push_back(port.reference);
            plan_->sources.push_back(output_slot(link.from, group[i].tentative));
            if (link.factor != 1 || link.offset != 0) {
                extras.scalings.push_back({i, link.factor, link.offset});
            }
            if (port.approximation != scenario::Approximation::constant) {
                add_approximation(extras, i, group[i].port);
            }
        }
        const bool plain = extras.scalings.empty() && extras.approximations.empty();
        plan_->sets.push_back(
            {.unit = &unit(any.unit),
             .extras = plain ? nullptr : &plan_->extras.emplace_back(std::move(extras))});
        pending_sets_.push_back(std::move(bulk));
    }

    /// Neighbours of like kind share an entry.
    void add_approximation(SetExtras& extras, std::uint32_t index, PortId id) {
        const Port& port = system_.port(id);
        const auto order = static_cast<unsigned>(port.approximation);
        const bool reactive = in_step_ && port.reactivity == Reactivity::reactive;
        const bool at_end = reactive || stepped_.contains(port.unit);
        auto& groups = extras.approximations;
        if (groups.empty() || groups.back().order != order ||
            groups.back().interpolate != reactive) {
            groups.push_back(
                {.first = index, .order = order, .interpolate = reactive, .at_end = at_end});
        }
        ApproximatedInputs& inputs = groups.back();
        inputs.histories.push_back(history(id, order));
        inputs.first_derivatives.push_back(0);
        inputs.second_derivatives.push_back(0);
    }

    std::uint32_t history(PortId id, unsigned order) {
        auto& assigned = history_[id.value];
        if (!assigned) {
            assigned = static_cast<std::uint32_t>(plan_->histories.size());
            plan_->histories.emplace_back(order);
        }
        return *assigned;
    }

    void compile_run(const algorithm::Step&, std::span<const Op> run, Block& block) {
        const std::size_t before = plan_->steps.size();
        for (const Op& op : run) {
            const UnitId id = std::get<algorithm::Step>(op).unit;
            plan_->steps.push_back({&unit(id)});
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
        for (const Op& op : run) {
            Unit& saved = unit(std::get<Kind>(op).unit);
            unit::Snapshots* snapshots = saved.snapshots();
            saved_.insert(&saved);
            assert(snapshots && "checked before: the unit can roll back");
            plan_->snapshots.push_back({snapshots});
        }
        block.push_back(added(opcode, plan_->snapshots, before));
    }

    void compile_run(const algorithm::FixedPoint& op, std::span<const Op>, Block& out) {
        FixedPointLoop loop;
        loop.until = op.until;
        loop.iterate = block(op.iterate);
        loop.retry = block(op.retry);
        std::set<PortId> tentative;
        collect_tentative_gets(op.iterate, tentative);
        for (const PortId port : op.ports) {
            const bool overwrites = !tentative.contains(port);
            const Storage storage = storage_of(system_.port(port).type);
            loop.values[static_cast<std::size_t>(storage)].push_back(
                {.now = output_slot(port, !overwrites),
                 .before = output_slot(port, overwrites),
                 .overwrites = overwrites,
                 .port = port});
        }
        plan_->fixed_points.push_back(std::move(loop));
        out.push_back(
            added(Opcode::fixed_point, plan_->fixed_points, plan_->fixed_points.size() - 1));
    }

    void compile_run(const algorithm::Negotiate& op, std::span<const Op>, Block& out) {
        NegotiationLoop loop{block(op.iterate), block(op.retry)};
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

    /// A loop of the initialization starts from what its outputs are before any input is set.
    Block first_guess(const Body& initialization) {
        const std::size_t before = plan_->gets.size();
        for (const Op& op : initialization) {
            const auto* loop = std::get_if<algorithm::FixedPoint>(&op);
            if (!loop) continue;
            for (const PortId id : loop->ports) {
                const Port& port = system_.port(id);
                add_get({port.unit, port.type, port.reference}, output_slot(id, false), true);
            }
        }
        return {added(Opcode::get, plan_->gets, before)};
    }

    // -- recording -----------------------------------------------------------------------------

    struct PendingColumn {
        Storage storage = Storage::real;
        std::uint32_t slot = 0;
    };

    std::vector<Column> observed() {
        std::vector<Column> columns;
        const std::size_t before = plan_->gets.size();
        const auto port_of = ports_by_variable();
        std::optional<std::pair<UnitId, ValueType>> last;
        for (const scenario::Observed& entry : system_.observed) {
            const auto& variable = unit(entry.unit).description().variables[entry.variable];
            columns.push_back({system_.unit(entry.unit).name + "." + variable.name, variable.unit,
                               variable.type, nullptr});
            const Storage storage = storage_of(variable.type);
            const auto port = port_of.find({entry.unit, entry.variable});
            if (port != port_of.end() && final_[port->second.value]) {
                pending_columns_.push_back({storage, *final_[port->second.value]});
                continue;
            }
            const std::uint32_t slot = slots_.add(storage);
            add_get({entry.unit, variable.type, variable.reference}, slot,
                    last != std::pair(entry.unit, variable.type));
            last = {entry.unit, variable.type};
            pending_columns_.push_back({storage, slot});
        }
        for (std::size_t i = before; i < plan_->gets.size(); ++i) plan_->gets[i].checked = false;
        plan_->observe = {added(Opcode::get, plan_->gets, before)};
        return columns;
    }

    std::map<std::pair<UnitId, std::uint32_t>, PortId> ports_by_variable() const {
        std::map<std::pair<UnitId, std::uint32_t>, PortId> result;
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            result[{system_.ports[p].unit, system_.ports[p].variable}] = nth<PortId>(p);
        }
        return result;
    }

    // -- bulks ---------------------------------------------------------------------------------

    void make_bulks(std::vector<Column>& columns) {
        slots_.allocate(plan_->buffers);
        for (StepCall& call : plan_->steps) {
            if (const auto direct = direct_calls(*call.unit, ValueType::float64)) {
                call.direct = direct->step;
                call.instance = direct->instance;
            }
        }
        for (std::size_t i = 0; i < plan_->gets.size(); ++i) {
            GetCall& call = plan_->gets[i];
            call.bulk = bulk(std::move(pending_gets_[i]));
            if (const auto direct = direct_calls(*call.unit, call.bulk.type)) {
                call.direct = direct->get;
                call.instance = direct->instance;
            }
        }
        for (std::size_t i = 0; i < plan_->sets.size(); ++i) {
            SetCall& call = plan_->sets[i];
            call.bulk = bulk(std::move(pending_sets_[i]));
            call.sources = plan_->sources.data() + first_source_[i];
            if (!call.extras) {
                if (const auto direct = direct_calls(*call.unit, call.bulk.type)) {
                    call.direct = direct->set;
                    call.instance = direct->instance;
                }
                continue;
            }
            for (ApproximatedInputs& inputs : call.extras->approximations) {
                inputs.references =
                    call.bulk.references.subspan(inputs.first, inputs.histories.size());
            }
        }
        for (std::size_t i = 0; i < columns.size(); ++i) {
            columns[i].value =
                plan_->buffers.at(pending_columns_[i].storage, pending_columns_[i].slot);
        }
    }

    std::optional<unit::DirectCalls> direct_calls(Unit& unit, ValueType type) const {
        if (type != ValueType::float64 || saved_.contains(&unit)) return std::nullopt;
        return unit.direct_calls();
    }

    Bulk bulk(PendingBulk&& pending) {
        const auto& references = *plan_->references.insert(std::move(pending.references)).first;
        return {pending.type, references,
                plan_->buffers.at(storage_of(pending.type), pending.first_slot), references.size()};
    }

    const System& system_;
    std::span<const std::unique_ptr<Unit>> units_;
    unsigned threads_;
    std::unique_ptr<Plan> plan_ = std::make_unique<Plan>();
    Slots slots_;
    std::vector<std::optional<std::uint32_t>> final_, tentative_, history_; ///< by port
    std::vector<const scenario::Link*> source_;                             ///< by input
    std::map<UnitId, bool> stepped_; ///< in the procedure so far
    std::set<const Unit*> saved_;
    bool in_step_ = true;
    std::vector<PendingBulk> pending_gets_, pending_sets_; ///< beside the plan's tables
    std::vector<std::size_t> first_source_;                ///< by set call
    std::vector<PendingColumn> pending_columns_;
};

} // namespace

Compiled compile(const System& system, const algorithm::Algorithm& algorithm,
                 std::span<const std::unique_ptr<Unit>> units, unsigned threads) {
    return Compiler(system, units, threads).compile(algorithm);
}

} // namespace rubato::engine
