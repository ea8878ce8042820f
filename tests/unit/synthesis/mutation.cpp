// SPDX-License-Identifier: Apache-2.0
#include "mutation.hpp"

#include <algorithm>
#include <utility>

namespace rubato::test {

using algorithm::Algorithm;
using algorithm::Body;
using algorithm::FixedPoint;
using algorithm::Get;
using algorithm::Negotiate;
using algorithm::Op;
using algorithm::Parallel;
using algorithm::Restore;
using algorithm::Save;
using algorithm::Set;
using algorithm::Step;
using scenario::System;

namespace {

struct Place {
    Body* body = nullptr;
    std::size_t index = 0;

    Op& op() const { return (*body)[index]; }
};

void collect(Body& body, std::vector<Place>& places) {
    for (std::size_t i = 0; i < body.size(); ++i) {
        places.push_back({&body, i});
        if (auto* loop = std::get_if<FixedPoint>(&body[i])) {
            collect(loop->iterate, places);
            collect(loop->retry, places);
        } else if (auto* negotiation = std::get_if<Negotiate>(&body[i])) {
            collect(negotiation->iterate, places);
            collect(negotiation->retry, places);
        } else if (auto* section = std::get_if<Parallel>(&body[i])) {
            for (Body& branch : section->bodies) collect(branch, places);
        }
    }
}

bool is_loop(const Op& op) {
    return std::holds_alternative<FixedPoint>(op) || std::holds_alternative<Negotiate>(op);
}

bool is_compound(const Op& op) { return is_loop(op) || std::holds_alternative<Parallel>(op); }

class Mutator {
public:
    Mutator(const System& system, Body& body, RandomSource& random)
        : system_(system), random_(random) {
        collect(body, places_);
    }

    bool apply(Mutation mutation) {
        switch (mutation) {
        case Mutation::drop: return drop([](const Op&) { return true; });
        case Mutation::swap: return swap();
        case Mutation::duplicate: return duplicate();
        case Mutation::retarget: return retarget();
        case Mutation::change_step: return change_step();
        case Mutation::drop_restore:
            return drop([](const Op& op) { return std::holds_alternative<Restore>(op); });
        case Mutation::flip_tentative: return flip_tentative();
        case Mutation::drop_from_loop: return drop_from_loop();
        case Mutation::get_both_ways: return get_both_ways();
        }
        return false;
    }

private:
    template <class Predicate>
    std::optional<Place> pick(Predicate&& suits) {
        std::vector<Place> candidates;
        std::ranges::copy_if(places_, std::back_inserter(candidates),
                             [&](const Place& place) { return suits(std::as_const(place.op())); });
        if (candidates.empty()) return std::nullopt;
        return random_.one_of(candidates);
    }

    template <class Predicate>
    bool drop(Predicate&& suits) {
        const auto place = pick(suits);
        if (!place) return false;
        place->body->erase(place->body->begin() + static_cast<std::ptrdiff_t>(place->index));
        return true;
    }

    /// Loops and sections change places with operations beside them only: one cannot go into
    /// itself.
    bool swap() {
        const auto one = pick([](const Op&) { return true; });
        if (!one) return false;
        const auto other = pick([&](const Op& op) {
            const bool beside =
                &op >= one->body->data() && &op < one->body->data() + one->body->size();
            return &op != &one->op() && (beside || (!is_compound(op) && !is_compound(one->op())));
        });
        if (!other) return false;
        std::swap(one->op(), other->op());
        return true;
    }

    bool duplicate() {
        const auto place = pick([](const Op&) { return true; });
        if (!place) return false;
        Op copy = place->op();
        const auto to = static_cast<std::ptrdiff_t>(random_.below(place->body->size() + 1));
        place->body->insert(place->body->begin() + to, std::move(copy));
        return true;
    }

    bool retarget() {
        const auto place = pick([](const Op& op) { return !is_compound(op); });
        if (!place) return false;
        Op& op = place->op();
        if (auto* get = std::get_if<Get>(&op)) return retarget_port(get->port);
        if (auto* set = std::get_if<Set>(&op)) return retarget_port(set->port);
        if (auto* step = std::get_if<Step>(&op)) return retarget_unit(step->unit);
        if (auto* save = std::get_if<Save>(&op)) return retarget_unit(save->unit);
        return retarget_unit(std::get<Restore>(op).unit);
    }

    bool retarget_port(PortId& port) {
        std::vector<PortId> others;
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            const bool alike = system_.ports[p].direction == system_.port(port).direction;
            if (alike && nth<PortId>(p) != port) others.push_back(nth<PortId>(p));
        }
        if (others.empty()) return false;
        port = random_.one_of(others);
        return true;
    }

    bool retarget_unit(UnitId& unit) {
        const std::size_t away = 1 + random_.below(system_.units.size() - 1);
        unit = nth<UnitId>((unit.value + away) % system_.units.size());
        return true;
    }

    bool change_step() {
        const auto place = pick([](const Op& op) { return std::holds_alternative<Step>(op); });
        if (!place) return false;
        auto& step = std::get<Step>(place->op());
        if (random_.chance(0.5)) {
            step.by = random_.between(1, system_.largest_step);
        } else {
            UnitId other = step.unit;
            retarget_unit(other);
            step.same_as = other;
        }
        return true;
    }

    bool flip_tentative() {
        const auto place = pick([](const Op& op) {
            return std::holds_alternative<Get>(op) || std::holds_alternative<Set>(op);
        });
        if (!place) return false;
        auto* get = std::get_if<Get>(&place->op());
        bool& tentative = get ? get->tentative : std::get<Set>(place->op()).tentative;
        tentative = !tentative;
        return true;
    }

    bool get_both_ways() {
        const auto place = pick([](const Op& op) { return std::holds_alternative<Get>(op); });
        if (!place) return false;
        Get other = std::get<Get>(place->op());
        other.tentative = !other.tentative;
        const auto to = static_cast<std::ptrdiff_t>(random_.below(place->body->size() + 1));
        place->body->insert(place->body->begin() + to, other);
        return true;
    }

    bool drop_from_loop() {
        const auto place = pick(is_loop);
        if (!place) return false;
        const auto drop_one = [&](auto& awaited) {
            if (awaited.empty()) return;
            awaited.erase(awaited.begin() +
                          static_cast<std::ptrdiff_t>(random_.below(awaited.size())));
        };
        if (auto* loop = std::get_if<FixedPoint>(&place->op())) {
            drop_one(loop->ports);
        } else {
            drop_one(std::get<Negotiate>(place->op()).units);
        }
        return true;
    }

    const System& system_;
    RandomSource& random_;
    std::vector<Place> places_;
};

} // namespace

std::string_view to_string(Mutation mutation) {
    static constexpr std::array<std::string_view, all_mutations.size()> names = {
        "drop",         "swap",           "duplicate",      "retarget",     "change step",
        "drop restore", "flip tentative", "drop from loop", "get both ways"};
    return names.at(static_cast<std::size_t>(mutation));
}

std::optional<Algorithm> mutate(const System& system, const Algorithm& algorithm, Mutation mutation,
                                RandomSource& random) {
    Algorithm mutant = algorithm;
    const bool initially = random.chance(0.2);
    Body& body =
        initially ? mutant.initialization : mutant.steps[random.below(mutant.steps.size())].body;
    if (!Mutator(system, body, random).apply(mutation)) return std::nullopt;
    return mutant;
}

} // namespace rubato::test
