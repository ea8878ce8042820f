// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "me/model_exchange.hpp"
#include "xml.hpp"

#include <rubato/scenario/description.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace rubato::unit {

/// Turns the dependencies that a ModelStructure tells into those of the outputs on the inputs. The
/// versions of FMI differ only in how an element points to a variable.
class ModelStructureReader {
public:
    /// From what stands in the XML to an index into the variables; nullopt: there is none.
    using Resolve = std::function<std::optional<std::uint32_t>(std::uint32_t)>;

    /// Every output gets an entry in `description.dependencies`. An output whose start value is
    /// exact depends, at initialization, on nothing; otherwise nothing is told of it yet. `key` is
    /// the attribute that points to the variable.
    ModelStructureReader(const XmlReader& reader, scenario::UnitDescription& description,
                         const char* key, Resolve resolve);

    /// One element that describes a variable during steps, or during initialization. Variables that
    /// are no outputs are passed over.
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
    Resolve resolve_;
};

} // namespace rubato::unit
