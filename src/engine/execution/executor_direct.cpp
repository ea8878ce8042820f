// SPDX-License-Identifier: Apache-2.0
#include "executor.hpp"
#include "finite.hpp"

// Where units do little, this is what a step costs. So whatever can be done once for a row of
// direct calls is not done for each of them.

namespace rubato::engine {

namespace {

constexpr int worst_good_status = 1;

/// Two at a time.
void copy_values(const SetRow& row, const double* slots) {
    const std::uint32_t* source = row.sources;
    double* value = row.values.begin();
    double* const end = row.values.end();
    if ((end - value) % 2 != 0) *value++ = slots[*source++];
    for (; value != end; value += 2, source += 2) {
        value[0] = slots[source[0]];
        value[1] = slots[source[1]];
    }
}

} // namespace

[[gnu::always_inline]] inline void Executor::get(const GetRow& row, unit::CallUnderWay& record) {
    record.note_kind("get");
    for (const DirectGet& call : row.calls) {
        record.note_unit(call.unit);
        const int status = call.function(call.instance, call.references, call.count, call.values);
        if (status <= worst_good_status) [[likely]]
            continue;
        check_finite(row, static_cast<std::size_t>(&call - row.calls.begin()));
        call.unit->raise(end_, "get", status);
    }
    if (!all_finite(row.checked.begin(), row.checked.end())) [[unlikely]]
        check_finite(row, row.calls.size());
}

void Executor::check_finite(const GetRow& row, std::size_t count) const {
    for (const GetCall& call : std::span(plan_.gets).subspan(row.first, count))
        if (call.checked && !all_finite(call.bulk.as<double>())) fail_not_finite(call);
}

[[gnu::always_inline]] inline void Executor::set(const SetRow& row, unit::CallUnderWay& record) {
    copy_values(row, plan_.buffers.reals.data());
    record.note_kind("set");
    for (const DirectSet& call : row.calls) {
        record.note_unit(call.unit);
        const int status = call.function(call.instance, call.references, call.count, call.values);
        if (status > worst_good_status) [[unlikely]]
            call.unit->raise(end_, "set", status);
    }
}

[[gnu::always_inline]] inline Flow Executor::step(const StepRow& row, unit::CallUnderWay& record,
                                                  BlockOutcome& outcome) {
    outcome.unit_steps += row.count;
    const std::uint64_t sum = sum_.load(std::memory_order_relaxed);
    record.note_kind("step");
    for (const DirectStep& call : row.calls) {
        record.note_unit(call.unit);
        const int status = call.function(call.instance, now_.seconds, by_.seconds, 1);
        if (FloatingPointMode::sum() != sum) [[unlikely]]
            restore_mode(*call.unit);
        if (status <= worst_good_status) [[likely]]
            continue;
        const Flow flow = interrupted(*call.unit, call.unit->conclude(now_, by_, status), outcome);
        if (flow != Flow::proceed) return flow;
    }
    return Flow::proceed;
}

Flow Executor::execute(const Block& block, BlockOutcome& outcome) {
    unit::CallUnderWay& record = unit::call_under_way;
    for (const Instruction& instruction : block) {
        Flow flow = Flow::proceed;
        switch (instruction.opcode) {
        case Opcode::get_row: get(plan_.direct.get_rows[instruction.first], record); break;
        case Opcode::set_row: set(plan_.direct.set_rows[instruction.first], record); break;
        case Opcode::step_row:
            flow = step(plan_.direct.step_rows[instruction.first], record, outcome);
            break;
        default: flow = execute_through_units(instruction, outcome);
        }
        if (flow != Flow::proceed) [[unlikely]]
            return flow;
    }
    record.note_unit(nullptr);
    return Flow::proceed;
}

} // namespace rubato::engine
