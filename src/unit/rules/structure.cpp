// SPDX-License-Identifier: Apache-2.0
#include "structure.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>

namespace rubato::unit {

using scenario::Causality;
using scenario::Initial;
using scenario::Variability;
using scenario::Variable;

namespace {

using Indices = std::set<std::uint32_t>;

class StructureRules {
public:
    StructureRules(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                   std::span<const Variable> variables, const ResolveVariable& resolve)
        : reader_(reader), version_(version), root_(root), structure_(root.child("ModelStructure")),
          variables_(variables), resolve_(resolve) {}

    void check() {
        const Indices outputs = check_list("Outputs", "Output", false);
        const Indices derivatives = check_list("Derivatives", "ContinuousStateDerivative", false);
        const Indices initial = check_list("InitialUnknowns", "InitialUnknown", true);
        check_outputs(outputs);
        check_derivatives(derivatives);
        check_initial_unknowns(initial, derivatives);
        if (version_ == FmiVersion::fmi3) check_event_indicators();
    }

private:
    bool is_fmi2() const { return version_ == FmiVersion::fmi2; }
    const char* key() const { return is_fmi2() ? "index" : "valueReference"; }

    /// The entries of a list, which FMI 2.0 gives an element of its own.
    template <class Use>
    void for_each(const char* list, const char* element, Use&& use) const {
        const auto parent = is_fmi2() ? structure_.child(list) : structure_;
        for (const auto entry : parent.children(is_fmi2() ? "Unknown" : element)) use(entry);
    }

    void report(Rule rule, pugi::xml_node where, std::string message) const {
        reader_.report(rule, where, std::move(message));
    }

    std::optional<std::uint32_t> find_variable(pugi::xml_node entry) const {
        const auto target = reader_.find_index(entry, key());
        if (!target) return std::nullopt;
        const auto variable = resolve_(*target);
        if (!variable)
            report(Rule::structure_index, entry,
                   format("<{}> has {}=\"{}\", but there is no such variable", entry.name(), key(),
                          *target));
        return variable;
    }

    /// The variables of a list, in whose entries all but what the list means is checked.
    Indices check_list(const char* list, const char* element, bool initializing) const {
        Indices found;
        for_each(list, element, [&](pugi::xml_node entry) {
            check_dependencies(entry);
            check_kinds(entry, initializing);
            const auto variable = find_variable(entry);
            if (variable && !found.insert(*variable).second)
                report(Rule::structure_duplicate, entry,
                       format("variable \"{}\" is listed twice", variables_[*variable].name));
        });
        return found;
    }

    void check_dependencies(pugi::xml_node entry) const {
        for (const std::uint32_t target :
             reader_.find_indices(entry, "dependencies").value_or(std::vector<std::uint32_t>())) {
            if (resolve_(target)) continue;
            report(Rule::dependency_index, entry,
                   format("the dependencies of <{} {}=\"{}\"> hold {}, but there is no such "
                          "variable",
                          entry.name(), key(), entry.attribute(key()).value(), target));
        }
    }

    void check_kinds(pugi::xml_node entry, bool initializing) const {
        const auto attribute = entry.attribute("dependenciesKind");
        if (!attribute) return;
        constexpr std::array<std::string_view, 5> kinds = {"dependent", "constant", "fixed",
                                                           "tunable", "discrete"};
        const auto allowed = std::span(kinds).first(initializing ? 2 : kinds.size());
        std::istringstream list(attribute.value());
        std::size_t count = 0;
        for (std::string kind; list >> kind; ++count) {
            if (std::ranges::find(allowed, kind) != allowed.end()) continue;
            report(Rule::dependencies_kind, entry,
                   format("dependenciesKind holds \"{}\"; its words are here: {}", kind,
                          fmt::join(allowed, ", ")));
        }
        const auto dependencies = reader_.find_indices(entry, "dependencies");
        if (!dependencies || dependencies->size() != count)
            report(Rule::dependencies_kind, entry,
                   format("<{}> has {} kinds of dependencies for {} dependencies", entry.name(),
                          count, dependencies ? dependencies->size() : 0));
    }

    void check_outputs(const Indices& listed) const {
        for (const std::uint32_t index : listed)
            if (variables_[index].causality != Causality::output)
                report(Rule::not_an_output, structure_,
                       format("variable \"{}\" is listed as an output and has causality=\"{}\"",
                              variables_[index].name, to_string(variables_[index].causality)));
        for (std::uint32_t i = 0; i < variables_.size(); ++i)
            if (variables_[i].causality == Causality::output && !listed.contains(i))
                report(Rule::output_not_in_model_structure, structure_ ? structure_ : root_,
                       format("output \"{}\" is not in the model structure", variables_[i].name));
    }

    void check_derivatives(const Indices& listed) const {
        for (const std::uint32_t index : listed)
            if (!variables_[index].derivative_of)
                report(Rule::not_a_derivative, structure_,
                       format("variable \"{}\" is listed as the derivative of a state, but is not "
                              "declared the derivative of any variable",
                              variables_[index].name));
    }

    /// What is calculated at initialization: FMI 2.0.4, section 2.2.8; FMI 3.0.2, section 2.4.8.
    Indices initial_unknowns(const Indices& derivatives) const {
        Indices states = derivatives;
        for (const std::uint32_t index : derivatives)
            if (variables_[index].derivative_of) states.insert(*variables_[index].derivative_of);
        Indices unknowns;
        for (std::uint32_t i = 0; i < variables_.size(); ++i) {
            const Variable& variable = variables_[i];
            const bool is_calculated =
                variable.initial == Initial::approx || variable.initial == Initial::calculated;
            const bool is_unknown =
                variable.causality == Causality::calculated_parameter ||
                (is_calculated && (variable.causality == Causality::output || states.contains(i)));
            if (is_unknown && variable.type != ValueType::clock) unknowns.insert(i);
        }
        return unknowns;
    }

    void check_initial_unknowns(const Indices& listed, const Indices& derivatives) const {
        const Indices unknowns = initial_unknowns(derivatives);
        const Indices clocked = clocked_variables();
        for (const std::uint32_t index : unknowns)
            if (!listed.contains(index) && !clocked.contains(index))
                report(Rule::initial_unknown_missing, structure_ ? structure_ : root_,
                       format("variable \"{}\" is calculated at initialization and not among the "
                              "initial unknowns",
                              variables_[index].name));
        for (const std::uint32_t index : listed)
            if (!unknowns.contains(index) && !clocked.contains(index))
                report(Rule::initial_unknown_superfluous, structure_,
                       format("variable \"{}\" is among the initial unknowns and not calculated at "
                              "initialization",
                              variables_[index].name));
    }

    /// Of FMI 3.0: they may be initial unknowns, and need not.
    Indices clocked_variables() const {
        Indices clocked;
        if (is_fmi2()) return clocked;
        for (const auto node : root_.child("ModelVariables").children()) {
            const auto reference = reader_.find_index(node, "valueReference");
            const auto index =
                reference && node.attribute("clocks") ? resolve_(*reference) : std::nullopt;
            if (index) clocked.insert(*index);
        }
        return clocked;
    }

    void check_event_indicators() const {
        for (const std::uint32_t index : check_list("", "EventIndicator", false)) {
            const Variable& variable = variables_[index];
            if (storage_of(variable.type) != Storage::real ||
                variable.variability != Variability::continuous)
                report(Rule::event_indicator, structure_,
                       format("event indicator \"{}\" is a {} variable of type {}", variable.name,
                              to_string(variable.variability), to_string(variable.type)));
        }
    }

    const XmlReader& reader_;
    FmiVersion version_;
    pugi::xml_node root_, structure_;
    std::span<const Variable> variables_;
    const ResolveVariable& resolve_;
};

} // namespace

void check_structure(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                     std::span<const Variable> variables, const ResolveVariable& resolve) {
    StructureRules(reader, version, root, variables, resolve).check();
}

} // namespace rubato::unit
