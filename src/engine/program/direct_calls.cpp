// SPDX-License-Identifier: Apache-2.0
#include "direct_calls.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace rubato::engine {

namespace {

/// Blocks that are executed once the units are initialized.
template <class Use>
void for_each_block(Plan& plan, Use&& use) {
    for (Procedure& procedure : plan.procedures)
        for (Block* block : {&procedure.block, &procedure.take_over, &procedure.exchange,
                             &procedure.event, &procedure.event_guesses})
            use(*block);
    for (FixedPointLoop& loop : plan.fixed_points)
        for (Block* block : {&loop.iterate, &loop.retry}) use(*block);
    for (NegotiationLoop& loop : plan.negotiations)
        for (Block* block : {&loop.iterate, &loop.retry}) use(*block);
    for (Section& section : plan.sections)
        for (Section::Branch& branch : section.branches) use(branch.block);
    for (Block* block : {&plan.conditions, &plan.watch, &plan.observe, &plan.event_watch})
        use(*block);
}

/// A call of a unit, before it is one of a row. Calls through the unit have no function.
template <class Access>
struct BoundCall {
    Callee callee;
    Access access = {};
    double* values = nullptr;

    double* end() const { return values + access.count; }
};

/// Lays calls out in rows.
class DirectBinding {
public:
    explicit DirectBinding(Plan& plan) : plan_(plan), direct_(plan.direct) {
        for (const GetCall& call : plan.gets)
            gets_.push_back(bound(*call.unit, call.bulk, &unit::DirectCalls::get));
        for (const SetCall& call : plan.sets)
            sets_.push_back(call.extras ? BoundCall<DirectSet>{}
                                        : bound(*call.unit, call.bulk, &unit::DirectCalls::set));
        for (const StepCall& call : plan.steps) {
            const unit::DirectCalls* const of_unit = find_direct_calls(*call.unit);
            steps_.push_back(
                of_unit ? BoundCall<DirectStep>{{call.unit, of_unit->instance}, {of_unit->step}}
                        : BoundCall<DirectStep>{});
        }
    }

    /// The block with rows in the place of direct calls.
    Block bound(const Block& block) {
        Block result;
        for (const Instruction& instruction : block) {
            switch (instruction.opcode) {
            case Opcode::get: split(instruction, gets_, result); break;
            case Opcode::set: split(instruction, sets_, result); break;
            case Opcode::step: split(instruction, steps_, result); break;
            default: result.push_back(instruction);
            }
        }
        return result;
    }

private:
    const unit::DirectCalls* find_direct_calls(unit::Unit& unit) const {
        return plan_.saved_units.contains(&unit) ? nullptr : unit.direct_calls();
    }

    template <class Function>
    BoundCall<DirectAccess<Function>> bound(unit::Unit& unit, const Bulk& bulk,
                                            Function unit::DirectCalls::*function) const {
        const bool is_plain = bulk.type == ValueType::float64 && bulk.parts.empty();
        const unit::DirectCalls* const of_unit = is_plain ? find_direct_calls(unit) : nullptr;
        if (!of_unit) return {};
        return {{&unit, of_unit->instance},
                {of_unit->*function, bulk.references.data(), bulk.count},
                bulk.reals().data()};
    }

    template <class Access>
    void split(const Instruction& whole, const std::vector<BoundCall<Access>>& calls,
               Block& result) {
        const std::uint32_t end = whole.first + whole.count;
        for (std::uint32_t first = whole.first, next = first; first < end; first = next) {
            const Access& access = calls[first].access;
            const bool is_row = access.function != nullptr;
            do {
                ++next;
            } while (next < end && calls[next].access == access &&
                     (!is_row || continues(calls, next)));
            const auto part = slice(calls, {whole.opcode, first, next - first});
            if (is_row)
                add_row(row(part, first), result);
            else
                result.push_back({whole.opcode, first, next - first});
        }
    }

    /// Rows that follow each other are one instruction.
    void add_row(DirectRow row, Block& result) {
        if (result.empty() || result.back().opcode != Opcode::rows)
            result.push_back(added(Opcode::rows, direct_.rows, direct_.rows.size()));
        direct_.rows.push_back(row);
        ++result.back().count;
    }

    // Whether the values of the i-th call follow on those of the call before, and are checked, or
    // come from sources, that do.
    bool continues(const std::vector<BoundCall<DirectGet>>& calls, std::uint32_t i) const {
        return plan_.gets[i - 1].checked == plan_.gets[i].checked &&
               calls[i - 1].end() == calls[i].values;
    }
    bool continues(const std::vector<BoundCall<DirectSet>>& calls, std::uint32_t i) const {
        return plan_.sets[i - 1].sources + calls[i - 1].access.count == plan_.sets[i].sources &&
               calls[i - 1].end() == calls[i].values;
    }
    static bool continues(const std::vector<BoundCall<DirectStep>>&, std::uint32_t) { return true; }

    DirectRow row(std::span<const BoundCall<DirectGet>> part, std::uint32_t first) {
        return GetRow{callees_of(part),
                      part.front().access,
                      {part.front().values, part.back().end()},
                      plan_.gets[first].checked,
                      first};
    }
    DirectRow row(std::span<const BoundCall<DirectSet>> part, std::uint32_t first) {
        return SetRow{callees_of(part),
                      part.front().access,
                      {part.front().values, part.back().end()},
                      plan_.sets[first].sources};
    }
    DirectRow row(std::span<const BoundCall<DirectStep>> part, std::uint32_t) {
        return StepRow{callees_of(part), part.front().access};
    }

    /// The same units in the same order are laid out once: a step goes over them several times.
    template <class Call>
    Row<const Callee> callees_of(std::span<const Call> part) {
        std::vector<Callee> callees;
        for (const Call& call : part) callees.push_back(call.callee);
        Row<const Callee>& known = by_first_[callees.front().unit];
        if (std::ranges::equal(callees, known)) return known;
        const std::vector<Callee>& own = direct_.callees.emplace_back(std::move(callees));
        return known = {own.data(), own.data() + own.size()};
    }

    const Plan& plan_;
    DirectRows& direct_;
    std::vector<BoundCall<DirectGet>> gets_;
    std::vector<BoundCall<DirectSet>> sets_;
    std::vector<BoundCall<DirectStep>> steps_;
    std::map<const unit::Unit*, Row<const Callee>> by_first_; ///< those laid out last
};

} // namespace

void bind_direct_calls(Plan& plan) {
    DirectBinding binding(plan);
    for_each_block(plan, [&](Block& block) {
        plan.blocks_through_units.push_back(std::exchange(block, binding.bound(block)));
    });
}

void unbind_direct_calls(Plan& plan) {
    for (const StepCall& call : plan.steps) plan.saved_units.insert(call.unit);
    auto before = plan.blocks_through_units.begin();
    if (before == plan.blocks_through_units.end()) return; // nothing is bound yet
    for_each_block(plan, [&](Block& block) { block = std::move(*before++); });
    plan.blocks_through_units.clear();
}

} // namespace rubato::engine
