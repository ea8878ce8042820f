// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "formats/ssp/wiring.hpp"

#include <map>
#include <string>
#include <vector>

namespace rubato::scenario::formats::ssp {

/// The values that parameter bindings of all levels give: later bindings go before earlier ones,
/// and those of outer systems before those of inner ones.
class Values {
public:
    Values(const Element& root, Diagnostics& diagnostics);

    /// Values of connectors of systems go on to what they are connected with.
    void pass_on(const Flow& flow);

    /// A value that a component has from the start goes on to what it is connected with.
    void set_constant(const Flow& flow, const Value& value, const Transformation& transformation);

    /// What a component is given: into the parameters and start values of a unit.
    void assign(const Element& component, Unit& unit) const;

private:
    using Key = std::pair<const Element*, std::string>;

    void apply_bindings(const Element& element);
    bool apply(const Element& element, const ParameterValue& value);
    bool apply_below_own_name(const Element& element, const ParameterValue& value);
    void set(const Element& component, const std::string& variable, ParameterValue value);

    Diagnostics& diagnostics_;
    std::map<Key, ParameterValue> of_connectors_; ///< of systems
    std::map<const Element*, std::vector<ParameterValue>> of_components_;
};

} // namespace rubato::scenario::formats::ssp
