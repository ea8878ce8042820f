// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "me/model_exchange.hpp"
#include "rules/structure.hpp"
#include "xml.hpp"

#include <rubato/scenario/description.hpp>

#include <cstdint>
#include <optional>

namespace rubato::unit {

/// Turns the dependencies that a ModelStructure declares into those of the outputs on the inputs.
/// The versions of FMI differ only in how an element points to a variable.
class ModelStructureReader {
public:
    /// Every output gets an entry in `description.dependencies`. An output whose start value is
    /// exact depends, at initialization, on nothing; otherwise nothing is declared of it yet. `key`
    /// is the attribute that points to the variable.
    ModelStructureReader(const XmlReader& reader, scenario::UnitDescription& description,
                         const char* key, ResolveVariable resolve);

    /// One element that describes a variable during steps, or during initialization. Variables that
    /// are no outputs, or not there, are passed over; dependencies on some that are not there are
    /// as good as not declared. check_structure reports both.
    void read_step(pugi::xml_node unknown);
    void read_initial(pugi::xml_node unknown);

    /// The continuous states, from the elements that describe their derivatives.
    std::vector<ContinuousStructure::State>
    read_states(const std::vector<pugi::xml_node>& derivatives);

private:
    using Indices = std::optional<std::vector<std::uint32_t>>;

    std::optional<std::uint32_t> find_variable(pugi::xml_node unknown);
    scenario::Dependencies* find_output(pugi::xml_node unknown);
    Indices read_inputs(pugi::xml_node unknown);
    Indices read_dependencies(pugi::xml_node unknown);

    const XmlReader& reader_;
    scenario::UnitDescription& description_;
    const char* key_;
    ResolveVariable resolve_;
};

} // namespace rubato::unit
