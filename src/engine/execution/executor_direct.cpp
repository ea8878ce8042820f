// SPDX-License-Identifier: Apache-2.0
#include "executor.hpp"
#include "finite.hpp"

#include <optional>
#include <variant>

// Where units do little, this is what a step costs. So whatever can be done once for a row of
// direct calls is not done for each of them, and whatever can be done once for many steps is not
// done in each of them.

namespace rubato::engine {

namespace {

constexpr int worst_good_status = 1;

template <class Row>
const Row& as(const DirectRow& row) {
    const Row* const result = std::get_if<Row>(&row);
    if (result == nullptr) __builtin_unreachable(); // by its index
    return *result;
}

/// Two at a time.
[[gnu::always_inline]] inline void copy_values(const SetRow& row, const double* slots) {
    const std::uint32_t* source = row.sources;
    double* value = row.values.begin();
    double* const end = row.values.end();
    if (row.values.size() % 2 != 0) *value++ = slots[*source++];
    for (; value != end; value += 2, source += 2) {
        const double first = slots[source[0]];
        const double second = slots[source[1]];
        value[0] = first;
        value[1] = second;
    }
}

} // namespace

// No row is empty.

[[gnu::always_inline]] inline void Executor::get(const GetRow& row, unit::CallUnderWay& record) {
    record.note_kind("get");
    const auto& access = row.access;
    const Callee* callee = row.callees.begin();
    double* values = row.values.begin();
    do {
        record.note_unit(callee->unit);
        const int status =
            access.function(callee->instance, access.references, access.count, values);
        values += access.count;
        if (status > worst_good_status) [[unlikely]]
            fail_to_get(row, *callee, status);
    } while (++callee != row.callees.end());
    if (row.is_checked && !all_finite(row.values.begin(), row.values.end())) [[unlikely]]
        check_finite(row, row.callees.size());
}

void Executor::fail_to_get(const GetRow& row, const Callee& callee, int status) const {
    check_finite(row, static_cast<std::size_t>(&callee - row.callees.begin()));
    callee.unit->raise(end_, "get", status);
}

void Executor::check_finite(const GetRow& row, std::size_t count) const {
    for (const GetCall& call : std::span(plan_.gets).subspan(row.first, count))
        if (call.checked && !all_finite(call.bulk.as<double>())) fail_not_finite(call);
}

[[gnu::always_inline]] inline void Executor::set(const SetRow& row, unit::CallUnderWay& record) {
    copy_values(row, plan_.buffers.reals.data());
    record.note_kind("set");
    const auto& access = row.access;
    const Callee* callee = row.callees.begin();
    const double* values = row.values.begin();
    do {
        record.note_unit(callee->unit);
        const int status =
            access.function(callee->instance, access.references, access.count, values);
        values += access.count;
        if (status > worst_good_status) [[unlikely]]
            callee->unit->raise(end_, "set", status);
    } while (++callee != row.callees.end());
}

[[gnu::always_inline]] inline Flow Executor::step(const StepRow& row, unit::CallUnderWay& record,
                                                  BlockOutcome& outcome) {
    outcome.unit_steps += row.callees.size();
    const std::uint64_t sum = sum_.load(std::memory_order_relaxed);
    record.note_kind("step");
    const Callee* callee = row.callees.begin();
    do {
        record.note_unit(callee->unit);
        const int status = row.access.function(callee->instance, now_.seconds, by_.seconds, 1);
        if (status > worst_good_status || FloatingPointMode::sum() != sum) [[unlikely]] {
            const Flow flow = conclude(*callee->unit, status, outcome);
            if (flow != Flow::proceed) return flow;
        }
    } while (++callee != row.callees.end());
    return Flow::proceed;
}

Flow Executor::conclude(unit::Unit& unit, int status, BlockOutcome& outcome) {
    restore_mode(unit);
    if (status <= worst_good_status) return Flow::proceed;
    return interrupted(unit, unit.conclude(now_, by_, status), outcome);
}

[[gnu::always_inline]] inline Flow Executor::execute(std::span<const DirectRow> rows,
                                                     unit::CallUnderWay& record,
                                                     BlockOutcome& outcome) {
    for (const DirectRow& row : rows) {
        switch (row.index()) {
        case 0:
            if (const Flow flow = step(as<StepRow>(row), record, outcome); flow != Flow::proceed)
                return flow;
            break;
        case 1: get(as<GetRow>(row), record); break;
        default: set(as<SetRow>(row), record);
        }
    }
    return Flow::proceed;
}

Flow Executor::execute(const Block& block, BlockOutcome& outcome) {
    unit::CallUnderWay& record = unit::call_under_way;
    for (const Instruction& instruction : block) {
        const Flow flow = instruction.opcode == Opcode::rows
                              ? execute(slice(plan_.direct.rows, instruction), record, outcome)
                              : execute_through_units(instruction, outcome);
        if (flow != Flow::proceed) [[unlikely]]
            return flow;
    }
    record.note_unit(nullptr);
    return Flow::proceed;
}

/// Where steps have got to. It says so when it goes, also when a unit has failed.
class Executor::StepCount {
public:
    StepCount(Executor& executor, const WholeSteps& steps)
        : next(steps.next.number), executor_(executor), steps_(steps) {}
    ~StepCount() {
        const Grid& grid = steps_.grid;
        Summary& summary = executor_.summary_;
        summary.steps += static_cast<std::uint64_t>(next - steps_.next.number);
        summary.unit_steps = executor_.outcome_.unit_steps;
        if (next == steps_.next.number) return;
        summary.reached = steps_.now = grid.point(next - 1);
        steps_.next = {next, grid.point(next), grid.interval(next - 1)};
    }
    StepCount(const StepCount&) = delete;
    StepCount& operator=(const StepCount&) = delete;

    std::int64_t next; ///< the point that the step under way is to reach

private:
    Executor& executor_;
    const WholeSteps& steps_;
};

std::optional<Flow> Executor::advance(const WholeSteps& steps) {
    StepCount made(*this, steps);
    const auto rows = slice(plan_.direct.rows, plan_.procedures[configuration_].block.front());
    unit::CallUnderWay& record = unit::call_under_way;
    const Grid& grid = steps.grid;
    by_ = grid.step();
    end_ = steps.now;
    outcome_.interrupted = nullptr;
    for (std::uint64_t left = steps.count; left > 0; --left) {
        if (steps.stop.load(std::memory_order_relaxed)) break;
        now_ = end_;
        end_ = grid.whole_point(made.next);
        record.time.store(now_.seconds, std::memory_order_relaxed);
        outcome_.event = false;
        const Flow flow = execute(rows, record, outcome_);
        check_flushing();
        if (flow != Flow::proceed) [[unlikely]]
            return end_unusually(flow);
        if (outcome_.interrupted != nullptr) [[unlikely]] {
            if (end_ != grid.whole_point(made.next)) return flow;
            outcome_.interrupted = nullptr;
        }
        steps.done.store(end_.seconds, std::memory_order_relaxed);
        ++made.next;
    }
    record.note_unit(nullptr);
    return std::nullopt;
}

} // namespace rubato::engine
