// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <rubato/private/format.hpp>

namespace rubato::algorithm::verification {

namespace {

using scenario::System;

/// Operations may name what does not exist.
std::string name_of(const System& system, PortId port) {
    return port.value < system.ports.size() ? system.name_of(port) : format("port #{}", port.value);
}

std::string name_of(const System& system, UnitId unit) {
    return unit.value < system.units.size() ? system.unit(unit).name
                                            : format("unit #{}", unit.value);
}

template <class IdType>
std::string names_of(const System& system, const std::vector<IdType>& ids) {
    std::vector<std::string> names;
    for (const IdType id : ids) names.push_back(name_of(system, id));
    return listed(names);
}

struct Speaker {
    const System& system;

    std::string operator()(const Get& get) const {
        return format("get {}{}", get.tentative ? "tentative " : "", name_of(system, get.port));
    }
    std::string operator()(const Set& set) const {
        return format("set {}{}", set.tentative ? "tentative " : "", name_of(system, set.port));
    }
    std::string operator()(const Step& step) const {
        std::string text = format("step {}", name_of(system, step.unit));
        if (step.by) text += format(" by {}", *step.by);
        if (step.same_as) text += format(" as far as {}", name_of(system, *step.same_as));
        return text;
    }
    std::string operator()(const Save& save) const {
        return format("save {}", name_of(system, save.unit));
    }
    std::string operator()(const Restore& restore) const {
        return format("restore {}", name_of(system, restore.unit));
    }
    std::string operator()(const Update& update) const {
        return format("update {}", name_of(system, update.unit));
    }
    std::string operator()(const FixedPoint& loop) const {
        return format("the fixed-point loop over {}", names_of(system, loop.ports));
    }
    std::string operator()(const Negotiate& loop) const {
        return format("the negotiation of {}", names_of(system, loop.units));
    }
    std::string operator()(const Parallel& section) const {
        return format("the parallel section of {} bodies", section.bodies.size());
    }
};

} // namespace

std::string words_of(const Op& op, const System& system) { return std::visit(Speaker{system}, op); }

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 12;
    if (names.empty()) return "nothing";
    std::string text;
    for (std::size_t n = 0; n < names.size() && n < most; ++n) text += (n ? ", " : "") + names[n];
    if (names.size() > most) text += format(" and {} more", names.size() - most);
    return text;
}

std::string Places::name_of(const Procedure& procedure) const {
    const bool only_one = algorithm_.steps.size() == 1 && procedure.name.empty();
    return only_one ? "the step procedure" : format("the step procedure \"{}\"", procedure.name);
}

std::string Places::name_of_event(const Procedure& procedure) const {
    return algorithm_.events.size() == 1 ? "the event procedure"
                                         : format("the event procedure \"{}\"", procedure.name);
}

std::string Places::of_body(const Body& body) const {
    for (const Procedure& procedure : algorithm_.steps) {
        if (&procedure.body == &body) return name_of(procedure);
    }
    for (const Procedure& procedure : algorithm_.events)
        if (&procedure.body == &body) return name_of_event(procedure);
    return "the initialization";
}

const std::string& Places::of(const Op& op) {
    if (places_.empty()) {
        add(algorithm_.initialization, "operation ", " of the initialization");
        for (const Procedure& procedure : algorithm_.steps)
            add(procedure.body, "operation ", " of " + name_of(procedure));
        for (const Procedure& procedure : algorithm_.events)
            add(procedure.body, "operation ", " of " + name_of_event(procedure));
    }
    return places_[&op];
}

void Places::add(const Body& body, const std::string& prefix, const std::string& suffix) {
    for (std::size_t n = 0; n < body.size(); ++n) {
        const Op& op = body[n];
        const std::string place = prefix + std::to_string(n + 1);
        if (const auto* loop = std::get_if<FixedPoint>(&op)) {
            add(loop->iterate, place + ".", suffix);
            add(loop->retry, place + ".retry.", suffix);
        } else if (const auto* search = std::get_if<Negotiate>(&op)) {
            add(search->iterate, place + ".", suffix);
            add(search->retry, place + ".retry.", suffix);
        } else if (const auto* section = std::get_if<Parallel>(&op)) {
            for (std::size_t b = 0; b < section->bodies.size(); ++b)
                add(section->bodies[b], format("{}.body{}.", place, b + 1), suffix);
        }
        places_[&op] = place + suffix;
    }
}

} // namespace rubato::algorithm::verification
