// SPDX-License-Identifier: Apache-2.0
#include "derivation.hpp"

#include <rubato/algorithm/verify.hpp>
#include <rubato/private/format.hpp>
#include <rubato/synthesis/roll_back.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace rubato::synthesis {

using scenario::AlgorithmSettings;
using scenario::Origin;
using scenario::Reactivity;
using scenario::Recipe;
using scenario::System;

namespace {

/// A scenario that might do.
struct Variant {
    System system;
    AlgorithmSettings settings;
};

/// Looks for changes that free some units from going back.
class Search {
public:
    Search(const System& system, const AlgorithmSettings& settings, std::span<const UnitId> units)
        : start_{system, settings}, units_(units.begin(), units.end()) {
        Diagnostics said_before;
        const Derivation derivation = derive(system, settings, said_before);
        allowed_ = stranded_units(system, derivation.orchestration.algorithm);
        std::erase_if(allowed_, [&](UnitId unit) { return contains(units_, unit); });
        for (const auto& loops : derivation.step_loops) {
            for (const Loop& loop : loops) add(loop, derivation.orchestration.system);
        }
    }

    std::vector<std::string> run() {
        accept_all_steps();
        delay_inputs();
        drop_assumed_feedthrough();
        name_a_recipe();
        if (found_.empty()) change_all();
        return std::move(found_);
    }

private:
    template <class Ids, class Id>
    static bool contains(const Ids& ids, Id id) {
        return std::ranges::find(ids, id) != ids.end();
    }

    /// What can be changed about the loop that the units are in.
    void add(const Loop& loop, const System& system) {
        const bool concerns =
            std::ranges::any_of(loop.units, [&](UnitId unit) { return contains(units_, unit); });
        if (!concerns || loop.kind == LoopKind::feedthrough) return;
        guessed_.insert(loop.guessed.begin(), loop.guessed.end());
        for (const UnitId unit : loop.units) {
            if (system.unit(unit).can_reject_step) rejecting_.insert(unit);
            for (const PortId input : system.unit(unit).inputs) {
                if (is_reactive(input)) reactive_.insert(input);
            }
            for (const PortId output : system.unit(unit).outputs) {
                const scenario::Port& port = system.port(output);
                if (port.feedthrough_origin == Origin::assumed && !port.feedthrough.empty())
                    assumed_.insert(output);
            }
        }
    }

    bool is_reactive(PortId input) const {
        const System& system = start_.system;
        if (system.port(input).reactivity == Reactivity::reactive) return true;
        return std::ranges::any_of(system.configurations, [&](const auto& configuration) {
            return std::ranges::any_of(configuration.contracts, [&](const auto& contract) {
                return contract.input == input && contract.reactivity == Reactivity::reactive;
            });
        });
    }

    // -- changes ---------------------------------------------------------------------------------

    static void accept_steps_of(Variant& variant, UnitId unit) {
        variant.system.units[unit.value].can_reject_step = false;
        variant.system.units[unit.value].can_reject_origin = Origin::scenario;
    }

    static void delay(Variant& variant, PortId input) {
        variant.system.port(input).reactivity = Reactivity::delayed;
        for (scenario::Configuration& configuration : variant.system.configurations) {
            for (auto& contract : configuration.contracts) {
                if (contract.input == input) contract.reactivity = Reactivity::delayed;
            }
        }
    }

    void accept_all_steps() {
        try_each(rejecting_, &Search::accept_steps_of, [&](const std::vector<UnitId>& units) {
            return format("declare can-reject-step: false for {}, if every step is accepted",
                          names_of(start_.system, units));
        });
    }

    /// Recipes assign contracts themselves.
    void delay_inputs() {
        if (start_.settings.recipe != Recipe::synthesized) return;
        const auto text = [&](const std::vector<PortId>& inputs) {
            return format("declare {} delayed", names_of(start_.system, inputs));
        };
        if (try_each(reactive_, &Search::delay, text)) return;
        std::erase_if(guessed_, [&](PortId input) { return !reactive_.contains(input); });
        (void)try_together(guessed_, &Search::delay, text);
    }

    void drop_assumed_feedthrough() {
        try_each(
            assumed_,
            [](Variant& variant, PortId output) { variant.system.port(output).feedthrough = {}; },
            [&](const std::vector<PortId>& outputs) {
                return format(
                    "declare the feed-through of {}, if it is none: all inputs are assumed",
                    names_of(start_.system, outputs));
            });
    }

    void name_a_recipe() {
        for (const Recipe recipe : {Recipe::synthesized, Recipe::gauss_seidel, Recipe::jacobi}) {
            if (recipe == start_.settings.recipe) continue;
            Variant variant = start_;
            variant.settings.recipe = recipe;
            variant.settings.order.clear();
            if (does(variant)) found_.push_back(format("use the algorithm {}", to_string(recipe)));
        }
    }

    /// No step rejected and no value expected from the end of a step: nothing is left to go back
    /// for, whatever the loop.
    void change_all() {
        if (rejecting_.empty() || reactive_.empty()) return;
        Variant variant = start_;
        variant.settings.recipe = Recipe::synthesized;
        for (const UnitId unit : rejecting_) accept_steps_of(variant, unit);
        for (const PortId input : reactive_) delay(variant, input);
        if (!does(variant)) return;
        found_.push_back(format("declare can-reject-step: false for {} and {} delayed",
                                names_of(start_.system, list(rejecting_)),
                                names_of(start_.system, list(reactive_))));
    }

    // -- trying ----------------------------------------------------------------------------------

    template <class Id>
    static std::vector<Id> list(const std::set<Id>& ids) {
        return {ids.begin(), ids.end()};
    }

    /// One that does alone, else all together.
    template <class Id, class Change, class Text>
    bool try_each(const std::set<Id>& ids, Change&& change, Text&& text) {
        // Large systems take long to derive and to verify.
        const std::size_t most =
            std::clamp<std::size_t>(20'000 / (1 + start_.system.ports.size()), 2, 24);
        std::size_t tried = 0;
        for (const Id id : ids) {
            if (++tried > most) break;
            if (try_together(std::set<Id>{id}, change, text)) return true;
        }
        return ids.size() > 1 && try_together(ids, change, text);
    }

    template <class Id, class Change, class Text>
    bool try_together(const std::set<Id>& ids, Change&& change, Text&& text) {
        if (ids.empty()) return false;
        Variant variant = start_;
        for (const Id id : ids) std::invoke(change, variant, id);
        if (!does(variant)) return false;
        found_.push_back(text(list(ids)));
        return true;
    }

    bool does(const Variant& variant) const {
        Diagnostics problems;
        const Derivation derivation = derive(variant.system, variant.settings, problems);
        if (problems.has_errors()) return false;
        const System& system = derivation.orchestration.system;
        const algorithm::Algorithm& algorithm = derivation.orchestration.algorithm;
        const auto stranded = stranded_units(system, algorithm);
        const bool frees =
            std::ranges::all_of(stranded, [&](UnitId unit) { return contains(allowed_, unit); });
        return frees && algorithm::verify(system, algorithm).correct();
    }

    Variant start_;
    std::vector<UnitId> units_;
    std::vector<UnitId> allowed_; ///< others that had to go back before and cannot
    std::set<UnitId> rejecting_;
    std::set<PortId> reactive_, guessed_; ///< inputs
    std::set<PortId> assumed_;            ///< outputs whose feed-through nobody declares
    std::vector<std::string> found_;
};

} // namespace

std::vector<std::string> alternatives_to_roll_back(const System& system,
                                                   const AlgorithmSettings& settings,
                                                   std::span<const UnitId> units) {
    return Search(system, settings, units).run();
}

} // namespace rubato::synthesis
