// SPDX-License-Identifier: Apache-2.0
#include "direct_calls.hpp"

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

/// Lays calls out in rows.
class DirectBinding {
public:
    explicit DirectBinding(Plan& plan) : plan_(plan), direct_(plan.direct) {
        for (const GetCall& call : plan.gets)
            direct_.gets.push_back(access(*call.unit, call.bulk, &unit::DirectCalls::get));
        for (const SetCall& call : plan.sets)
            direct_.sets.push_back(
                call.extras ? DirectSet{} : access(*call.unit, call.bulk, &unit::DirectCalls::set));
        for (const StepCall& call : plan.steps) {
            const unit::DirectCalls* const of_unit = find_direct_calls(*call.unit);
            direct_.steps.push_back(
                of_unit ? DirectStep{call.unit, of_unit->step, of_unit->instance} : DirectStep{});
        }
    }

    /// The block with rows in the place of direct calls.
    Block bound(const Block& block) {
        Block result;
        for (const Instruction& instruction : block) {
            switch (instruction.opcode) {
            case Opcode::get:
            case Opcode::set:
            case Opcode::step: split(instruction, result); break;
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
    DirectAccess<Function> access(unit::Unit& unit, const Bulk& bulk,
                                  Function unit::DirectCalls::*function) const {
        const bool is_plain = bulk.type == ValueType::float64 && bulk.parts.empty();
        const unit::DirectCalls* const of_unit = is_plain ? find_direct_calls(unit) : nullptr;
        if (!of_unit) return {};
        return {&unit,      of_unit->*function, of_unit->instance, bulk.references.data(),
                bulk.count, bulk.reals().data()};
    }

    void split(const Instruction& whole, Block& result) {
        const std::uint32_t end = whole.first + whole.count;
        for (std::uint32_t first = whole.first, next = first; first < end; first = next) {
            const bool is_row = is_direct(whole.opcode, first);
            do {
                ++next;
            } while (next < end && is_direct(whole.opcode, next) == is_row &&
                     (!is_row || continues(whole.opcode, next)));
            const Instruction part{whole.opcode, first, next - first};
            if (is_row)
                add_row(row(part), result);
            else
                result.push_back(part);
        }
    }

    /// Rows that follow each other are one instruction.
    void add_row(DirectRow row, Block& result) {
        if (result.empty() || result.back().opcode != Opcode::rows)
            result.push_back(added(Opcode::rows, direct_.rows, direct_.rows.size()));
        direct_.rows.push_back(row);
        ++result.back().count;
    }

    bool is_direct(Opcode opcode, std::uint32_t i) const {
        switch (opcode) {
        case Opcode::get: return direct_.gets[i].function != nullptr;
        case Opcode::set: return direct_.sets[i].function != nullptr;
        default: return direct_.steps[i].function != nullptr;
        }
    }

    /// Whether the values of the i-th call follow on those of the call before, and are checked, or
    /// come from sources, that do.
    bool continues(Opcode opcode, std::uint32_t i) const {
        switch (opcode) {
        case Opcode::get:
            return plan_.gets[i - 1].checked == plan_.gets[i].checked &&
                   end_of(direct_.gets[i - 1]) == direct_.gets[i].values;
        case Opcode::set:
            return plan_.sets[i - 1].sources + direct_.sets[i - 1].count == plan_.sets[i].sources &&
                   end_of(direct_.sets[i - 1]) == direct_.sets[i].values;
        default: return true;
        }
    }

    template <class Function>
    static double* end_of(const DirectAccess<Function>& call) {
        return call.values + call.count;
    }

    DirectRow row(const Instruction& part) const {
        if (part.opcode == Opcode::get) {
            const auto calls = row_of(direct_.gets, part);
            const double* const values = calls.front().values;
            const bool is_checked = plan_.gets[part.first].checked;
            return GetRow{calls, {values, is_checked ? end_of(calls.back()) : values}, part.first};
        }
        if (part.opcode == Opcode::set) {
            const auto calls = row_of(direct_.sets, part);
            return SetRow{calls,
                          {calls.front().values, end_of(calls.back())},
                          plan_.sets[part.first].sources};
        }
        return StepRow{row_of(direct_.steps, part), part.count};
    }

    template <class Call>
    static Row<const Call> row_of(const std::vector<Call>& calls, const Instruction& part) {
        return {calls.data() + part.first, calls.data() + part.first + part.count};
    }

    const Plan& plan_;
    DirectRows& direct_;
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
