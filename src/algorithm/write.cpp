// SPDX-License-Identifier: Apache-2.0
#include <rubato/algorithm/written.hpp>

namespace rubato::algorithm {

namespace {

using scenario::Operation;
using scenario::WrittenOp;

/// Turns operations into statements.
class TreeWriter {
public:
    explicit TreeWriter(const scenario::System& system) : system_(system) {}

    std::vector<WrittenOp> body(const Body& ops) const {
        std::vector<WrittenOp> written;
        for (const Op& op : ops) {
            written.push_back(std::visit([&](const auto& kind) { return write(kind); }, op));
        }
        return written;
    }

private:
    static WrittenOp statement(Operation operation, std::string object = {}) {
        WrittenOp op;
        op.operation = operation;
        op.object = std::move(object);
        return op;
    }

    const std::string& name(UnitId unit) const { return system_.unit(unit).name; }

    WrittenOp write(const Get& get) const {
        const bool is_clock = system_.port(get.port).is_clock();
        return statement(is_clock        ? Operation::get_clock
                         : get.tentative ? Operation::get_tentative
                                         : Operation::get,
                         system_.name_of(get.port));
    }
    WrittenOp write(const Set& set) const {
        const bool is_clock = system_.port(set.port).is_clock();
        return statement(is_clock        ? Operation::set_clock
                         : set.tentative ? Operation::set_tentative
                                         : Operation::set,
                         system_.name_of(set.port));
    }
    WrittenOp write(const Save& save) const {
        return statement(Operation::save_state, name(save.unit));
    }
    WrittenOp write(const Restore& restore) const {
        return statement(Operation::restore_state, name(restore.unit));
    }
    WrittenOp write(const Update& update) const {
        return statement(Operation::update, name(update.unit));
    }
    WrittenOp write(const Step& step) const {
        WrittenOp op = statement(Operation::step, name(step.unit));
        op.by = step.by;
        if (step.same_as) op.by_same_as = name(*step.same_as);
        return op;
    }
    WrittenOp write(const FixedPoint& loop) const {
        WrittenOp op = statement(Operation::loop);
        op.until_converged.emplace();
        for (const PortId port : loop.ports) op.until_converged->push_back(system_.name_of(port));
        op.iterate = body(loop.iterate);
        op.if_retry_needed = body(loop.retry);
        return op;
    }
    WrittenOp write(const Negotiate& loop) const {
        WrittenOp op = statement(Operation::loop);
        op.until_step_accept.emplace();
        for (const UnitId unit : loop.units) op.until_step_accept->push_back(name(unit));
        op.iterate = body(loop.iterate);
        op.if_retry_needed = body(loop.retry);
        return op;
    }
    WrittenOp write(const Parallel& section) const {
        WrittenOp op = statement(Operation::parallel);
        for (const Body& branch : section.bodies) op.branches.push_back(body(branch));
        return op;
    }

    const scenario::System& system_;
};

} // namespace

scenario::WrittenAlgorithm write_algorithm(const Algorithm& algorithm,
                                           const scenario::System& system) {
    const TreeWriter writer(system);
    scenario::WrittenAlgorithm written;
    written.initialization = writer.body(algorithm.initialization);
    for (const Procedure& procedure : algorithm.steps)
        written.steps.push_back({procedure.name, writer.body(procedure.body), {}});
    for (const Procedure& procedure : algorithm.events)
        written.events.push_back({procedure.name, writer.body(procedure.body), {}});
    return written;
}

} // namespace rubato::algorithm
