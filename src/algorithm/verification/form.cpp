// SPDX-License-Identifier: Apache-2.0
#include "form.hpp"

#include "loop_ports.hpp"
#include "words.hpp"

#include <rubato/algorithm/traversal.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace rubato::algorithm::verification {

namespace {

using scenario::Direction;
using scenario::System;

/// What stands around an operation.
struct Surroundings {
    bool in_initialization = false;
    bool in_loop = false; ///< in `iterate`, at whatever depth
    bool directly_in_fixed_point = false;
};

class FormCheck {
public:
    FormCheck(const System& system, const Algorithm& algorithm)
        : system_(system), algorithm_(algorithm), places_(algorithm) {}

    std::vector<Violation> run() {
        check_procedures();
        check(algorithm_.initialization, {.in_initialization = true});
        for (const Procedure& procedure : algorithm_.steps) {
            check(procedure.body, {});
            check_negotiations(procedure);
        }
        return std::move(violations_);
    }

private:
    // -- procedures ------------------------------------------------------------------------------

    void check_procedures() {
        if (algorithm_.steps.empty()) add("the algorithm has no step procedure", "give it one");
        std::set<std::string> names;
        for (const Procedure& procedure : algorithm_.steps) {
            if (names.insert(procedure.name).second) continue;
            add(format("there are two step procedures \"{}\"", procedure.name), "rename one");
        }
        for (const scenario::Configuration& configuration : system_.configurations) {
            if (names.contains(configuration.procedure)) continue;
            add(format("configuration \"{}\" names the step procedure \"{}\", which does not exist",
                       configuration.name, configuration.procedure),
                format("the step procedures are: {}", listed({names.begin(), names.end()})));
        }
    }

    void check_negotiations(const Procedure& procedure) {
        const Op* first = nullptr;
        for_each_op(procedure.body, [&](const Op& op) {
            if (!std::holds_alternative<Negotiate>(op)) return;
            if (first) {
                add(op,
                    format("is the second negotiation of its procedure (the first is {})",
                           places_.of(*first)),
                    "negotiate once, with all units that can reject a step");
            } else {
                first = &op;
            }
        });
    }

    // -- operations ------------------------------------------------------------------------------

    void check(const Body& body, Surroundings around) {
        for (const Op& op : body)
            std::visit([&](const auto& kind) { check(op, kind, around); }, op);
    }

    void check(const Op& op, const Get& get, Surroundings around) {
        check_port(op, get.port, Direction::output);
        check_tentative(op, get.tentative, around);
    }

    void check(const Op& op, const Set& set, Surroundings around) {
        check_port(op, set.port, Direction::input);
        check_tentative(op, set.tentative, around);
    }

    void check(const Op& op, const Step& step, Surroundings around) {
        check_only_in_steps(op, around);
        check_unit(op, step.unit);
        if (step.same_as) check_unit(op, *step.same_as);
        if (step.same_as == step.unit) {
            add(op, "has the unit wait for itself", "name another unit, or none");
        }
        if (step.by && step.same_as) {
            add(op, "goes both by a number and as far as another unit", "choose one");
        }
        if (step.by && (*step.by < 1 || *step.by > system_.largest_step)) {
            add(op, format("goes by {}, but steps come in 1 … {}", *step.by, system_.largest_step),
                "leave the number out to go by the common step");
        }
    }

    void check(const Op& op, const Save& save, Surroundings around) {
        check_only_in_steps(op, around);
        check_unit(op, save.unit);
        if (around.in_loop) {
            add(op, "stands in a loop, where the state to go back to would be overwritten",
                "save before the loop");
        }
    }

    void check(const Op& op, const Restore& restore, Surroundings around) {
        check_only_in_steps(op, around);
        check_unit(op, restore.unit);
        if (around.in_loop) {
            add(op, "stands in what a loop repeats, and undoes every iteration",
                "move it to what is done before each repetition");
        }
    }

    void check(const Op& op, const FixedPoint& loop, Surroundings around) {
        for (const PortId port : loop.ports) check_port(op, port, Direction::output);
        if (loop.ports.empty() && !loop.until.iterations)
            add(op, "compares no output", "name those whose values must have settled");
        if (loop.until.limit < 1 || loop.until.iterations.value_or(1) < 1)
            add(op, "may not do a single iteration", "allow one at least");
        if (around.directly_in_fixed_point)
            add(op, "stands directly in another fixed-point loop", "make them one loop");
        if (!loop.until.iterations) check_comparison(op, loop);
        if (around.in_initialization && !loop.retry.empty())
            add(op, "rolls back units that have not stepped yet", "remove what is done on retry");
        check_loop(op, loop.iterate, loop.retry, around, true);
    }

    /// The final value is what an iteration starts from, the tentative one what it gives, or the
    /// other way round: got both ways, both are of the same iteration.
    void check_comparison(const Op& op, const FixedPoint& loop) {
        const std::vector<LoopGet> gets = gets_of(loop.iterate);
        for (std::size_t n = 1; n < gets.size(); ++n) {
            const PortId port = gets[n].port;
            if (gets[n - 1].port != port || port.value >= system_.ports.size()) continue;
            if (std::ranges::find(loop.ports, port) == loop.ports.end()) continue;
            const std::string name = system_.name_of(port);
            add(op,
                format("compares {} with itself: one iteration gets both its final and its "
                       "tentative value",
                       name),
                format("get {} in one of the two ways only", name));
        }
    }

    void check(const Op& op, const Negotiate& loop, Surroundings around) {
        check_only_in_steps(op, around);
        for (const UnitId unit : loop.units) check_unit(op, unit);
        check_negotiators(op, loop);
        if (loop.retry.empty())
            add(op, "rolls no unit back", "restore the units that it steps before each repetition");
        check_loop(op, loop.iterate, loop.retry, around, false);
    }

    void check(const Op& op, const Update&, Surroundings) {
        add(op, "ends an instant of event mode", "move it to an event procedure");
    }

    void check(const Op& op, const Parallel& section, Surroundings around) {
        if (section.bodies.empty()) add(op, "has no operations", "remove it");
        for (const Body& body : section.bodies) check(body, around);
    }

    void check_loop(const Op& op, const Body& iterate, const Body& retry, Surroundings around,
                    bool is_fixed_point) {
        if (iterate.empty()) add(op, "has no operations", "remove it, or say what it repeats");
        check_roll_back(op, iterate, retry);
        around.in_loop = true;
        around.directly_in_fixed_point = is_fixed_point;
        check(iterate, around);
        for (const Op& inner : retry) {
            if (const auto* restore = std::get_if<Restore>(&inner)) {
                check_unit(inner, restore->unit);
            } else {
                add(inner,
                    "stands among what is done before each repetition, where only units are "
                    "restored",
                    "move it to the operations that are repeated");
            }
        }
    }

    /// A loop repeats at least once: what is not rolled back would go on and on.
    void check_roll_back(const Op& loop, const Body& iterate, const Body& retry) {
        std::vector<std::uint8_t> rolled_back(system_.units.size());
        for_each_of<Restore>(retry, [&](const Restore& restore) {
            if (exists(restore.unit)) rolled_back[restore.unit.value] = 1;
        });
        for_each_op(iterate, [&](const Op& op) {
            const auto* step = std::get_if<Step>(&op);
            if (!step || !exists(step->unit)) return;
            if (std::exchange(rolled_back[step->unit.value], std::uint8_t{1})) return;
            const std::string& unit = system_.unit(step->unit).name;
            add(op,
                format("is repeated by {}, which does not roll {} back", words_of(loop, system_),
                       unit),
                format("save {} before the loop and restore it before each repetition", unit));
        });
    }

    /// Every unit that can reject a step has a say, and is asked.
    void check_negotiators(const Op& op, const Negotiate& loop) {
        std::vector<std::uint8_t> listed_units(system_.units.size()), stepped(system_.units.size());
        for (const UnitId unit : loop.units) {
            if (exists(unit)) listed_units[unit.value] = 1;
        }
        for_each_of<Step>(loop.iterate, [&](const Step& step) {
            if (exists(step.unit)) stepped[step.unit.value] = 1;
        });
        for (std::size_t u = 0; u < system_.units.size(); ++u) {
            const std::string& name = system_.units[u].name;
            if (system_.units[u].can_reject_step && !listed_units[u]) {
                add(op, format("leaves out {}, which can reject a step", name),
                    format("name {} among the units that must accept the step", name));
            } else if (listed_units[u] && !stepped[u]) {
                add(op, format("waits for {} to accept a step, but does not step it", name),
                    format("step {} in the loop", name));
            }
        }
    }

    // -- parts of operations ---------------------------------------------------------------------

    bool exists(UnitId unit) const { return unit.value < system_.units.size(); }

    void check_unit(const Op& op, UnitId unit) {
        if (!exists(unit)) add(op, "names a unit that does not exist", "name one of the system's");
    }

    void check_port(const Op& op, PortId port, Direction direction) {
        if (port.value >= system_.ports.size()) {
            add(op, "names a port that does not exist", "name one of the system's");
        } else if (system_.port(port).direction != direction) {
            const bool is_input = direction == Direction::output;
            add(op,
                format("takes {} for an {}", system_.name_of(port), is_input ? "output" : "input"),
                is_input ? "inputs are set, not got" : "outputs are got, not set");
        }
    }

    void check_tentative(const Op& op, bool tentative, Surroundings around) {
        if (tentative && !around.in_loop)
            add(op, "is tentative, but stands in no loop", "make it final");
    }

    void check_only_in_steps(const Op& op, Surroundings around) {
        if (around.in_initialization)
            add(op, "stands in the initialization, where time does not pass",
                "there, only get and set");
    }

    void add(const Op& op, const std::string& what, const std::string& hint) {
        add(format("{} ({}) {}", words_of(op, system_), places_.of(op), what), hint);
    }
    void add(std::string message, std::string hint) {
        violations_.push_back({std::move(message), std::move(hint), {}});
    }

    const System& system_;
    const Algorithm& algorithm_;
    Places places_;
    std::vector<Violation> violations_;
};

} // namespace

std::vector<Violation> check_form(const System& system, const Algorithm& algorithm) {
    return FormCheck(system, algorithm).run();
}

} // namespace rubato::algorithm::verification
