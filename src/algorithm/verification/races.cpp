// SPDX-License-Identifier: Apache-2.0
#include "form.hpp"
#include "loop_ports.hpp"
#include "words.hpp"

#include <rubato/algorithm/traversal.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <tuple>

namespace rubato::algorithm::verification {

namespace {

using scenario::System;

/// What operations of different bodies may meet in. A unit stands for all that is its own: its
/// time, its inputs, its saved state and what it has accepted.
enum class Meeting { unit, accepted_step, final_slot, tentative_slot, common_step };

/// An operation reads or writes something.
struct Access {
    Meeting what = Meeting::unit;
    std::uint32_t index = 0;
    std::size_t body = 0;
    bool writes = false;
    const Op* op = nullptr;

    auto place() const { return std::tuple(what, index); }
};

class SectionCheck {
public:
    SectionCheck(const System& system, const Wiring& wiring, Places& places)
        : system_(system), wiring_(wiring), places_(places) {}

    void check(const Parallel& section, std::vector<Violation>& violations) {
        accesses_.clear();
        for (body_ = 0; body_ < section.bodies.size(); ++body_) {
            for_each_op(section.bodies[body_], [&](const Op& op) {
                std::visit([&](const auto& kind) { note(op, kind); }, op);
            });
        }
        std::ranges::stable_sort(accesses_, {}, &Access::place);
        for (auto first = accesses_.begin(); first != accesses_.end();) {
            const auto last = std::find_if(first, accesses_.end(), [&](const Access& access) {
                return access.place() != first->place();
            });
            check_group({first, last}, violations);
            first = last;
        }
    }

private:
    void note(const Op& op, const Get& get) {
        if (!wiring_.connects_ever(get.port)) return;
        note_unit(op, system_.port(get.port).unit);
        note(op, slot(get.tentative), get.port.value, true);
    }
    void note(const Op& op, const Set& set) {
        if (!wiring_.connects(set.port)) return;
        note_unit(op, system_.port(set.port).unit);
        note(op, slot(set.tentative), wiring_.source[set.port.value]->value, false);
    }
    void note(const Op& op, const Step& step) {
        note_unit(op, step.unit);
        note(op, Meeting::accepted_step, step.unit.value, true);
        if (step.same_as) {
            note(op, Meeting::accepted_step, step.same_as->value, false);
        } else {
            note(op, Meeting::common_step, 0, false);
        }
    }
    void note(const Op& op, const Save& save) { note_unit(op, save.unit); }
    void note(const Op& op, const Restore& restore) { note_unit(op, restore.unit); }
    void note(const Op& op, const FixedPoint& loop) {
        for (const PortId port : loop.ports) {
            note(op, Meeting::final_slot, port.value, true);
            note(op, Meeting::tentative_slot, port.value, true);
        }
        note_adopted(op, loop.iterate);
    }
    void note(const Op& op, const Negotiate& loop) {
        note_adopted(op, loop.iterate);
        note(op, Meeting::common_step, 0, true);
        for (std::size_t u = 0; u < system_.units.size(); ++u)
            note(op, Meeting::accepted_step, static_cast<std::uint32_t>(u), false);
    }
    void note(const Op&, const Parallel&) {}
    void note(const Op&, const Update&) {}

    /// Tentative values become final when a loop ends.
    void note_adopted(const Op& op, const Body& iterate) {
        for (const PortId port : tentative_gets_of(iterate)) {
            note(op, Meeting::tentative_slot, port.value, false);
            note(op, Meeting::final_slot, port.value, true);
        }
    }
    /// Whatever is done to a unit, no one else may use it meanwhile.
    void note_unit(const Op& op, UnitId unit) { note(op, Meeting::unit, unit.value, true); }
    void note(const Op& op, Meeting what, std::uint32_t index, bool writes) {
        accesses_.push_back({what, index, body_, writes, &op});
    }
    static Meeting slot(bool tentative) {
        return tentative ? Meeting::tentative_slot : Meeting::final_slot;
    }

    /// Accesses to one place: if one writes, all must be in its body.
    void check_group(std::span<const Access> group, std::vector<Violation>& violations) {
        const auto writer = std::ranges::find_if(group, &Access::writes);
        if (writer == group.end()) return;
        const auto other = std::ranges::find_if(
            group, [&](const Access& access) { return access.body != writer->body; });
        if (other == group.end()) return;
        violations.push_back(
            {format("{} ({}) and {} ({}) may run at the same time, but both {}",
                    words_of(*writer->op, system_), places_.of(*writer->op),
                    words_of(*other->op, system_), places_.of(*other->op), meet_in(*writer)),
             "put them into one body, or one of them before or after the section",
             {}});
    }

    std::string meet_in(const Access& access) const {
        switch (access.what) {
        case Meeting::unit: return format("use {}", system_.unit({access.index}).name);
        case Meeting::accepted_step:
            return format("depend on the step that {} accepts", system_.unit({access.index}).name);
        case Meeting::final_slot:
        case Meeting::tentative_slot:
            return format("depend on the value of {}", system_.name_of({access.index}));
        case Meeting::common_step: break;
        }
        return "depend on the common step";
    }

    const System& system_;
    const Wiring& wiring_;
    Places& places_;
    std::vector<Access> accesses_;
    std::size_t body_ = 0;
};

} // namespace

std::vector<Violation> check_races(const System& system, const Algorithm& algorithm,
                                   const std::vector<Mode>& modes) {
    std::vector<Violation> violations;
    Places places(algorithm);
    const auto check_body = [&](const Wiring& wiring, const Body& body) {
        SectionCheck check(system, wiring, places);
        for_each_of<Parallel>(body,
                              [&](const Parallel& section) { check.check(section, violations); });
    };
    check_body(modes.front().wiring, algorithm.initialization);
    for (const Mode& mode : modes) check_body(mode.wiring, mode.procedure->body);
    return violations;
}

} // namespace rubato::algorithm::verification
