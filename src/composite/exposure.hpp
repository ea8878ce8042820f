// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/composite/interface.hpp>

#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace rubato::composite {

/// A variable of the whole, and those of inner units that it stands for.
struct Exposed {
    std::string name;
    scenario::Causality causality = scenario::Causality::local;
    std::vector<InnerVariable> all;
};

/// Finds what a scenario shows to the outside: as its section `interface` says, or else everything.
class Exposure {
public:
    Exposure(const scenario::Scenario& inner, const scenario::System& system,
             std::span<const scenario::UnitDescription> descriptions, Diagnostics& diagnostics);

    /// What is wrong is reported, and left out.
    std::vector<Exposed> find();

    const scenario::Variable& variable(const InnerVariable& inner) const {
        return descriptions_[inner.unit.value].variables[inner.variable];
    }
    /// Why it cannot be seen from outside; empty: it can.
    std::string_view obstacle(const InnerVariable& inner) const;
    std::vector<PortId> ports_of(const InnerVariable& inner) const;
    /// By input: what it is connected to, in any configuration.
    const std::unordered_map<PortId, PortId>& connections() const { return source_of_; }

private:
    void note_connected(const std::vector<scenario::Link>& links,
                        const std::vector<scenario::Link>& event_links);
    std::string name_of(const InnerVariable& inner) const;
    void expose(const scenario::InterfaceSettings& settings);
    void expose_all();
    void expose_by_default(const InnerVariable& inner, scenario::Causality causality);
    void expose(const scenario::ExposedVariable& exposed, scenario::Causality causality);
    std::optional<InnerVariable> find(const scenario::ExposedVariable& exposed,
                                      const std::string& name, scenario::Causality causality);
    void report_unknown(const scenario::ExposedVariable& exposed, const scenario::PortName& port,
                        UnitId unit, scenario::Causality causality);
    bool check(const scenario::ExposedVariable& exposed, const InnerVariable& inner,
               scenario::Causality causality);
    std::optional<PortId> source_of(const InnerVariable& inner) const;
    bool are_alike(const scenario::ExposedVariable& exposed, const std::vector<InnerVariable>& all);

    const scenario::Scenario& inner_;
    const scenario::System& system_;
    std::span<const scenario::UnitDescription> descriptions_;
    Diagnostics& diagnostics_;
    std::vector<std::unordered_map<std::uint32_t, std::vector<PortId>>> ports_; ///< by variable
    std::unordered_map<PortId, PortId> source_of_;
    std::unordered_set<std::string> names_;
    std::set<std::pair<UnitId, std::uint32_t>> taken_; ///< inputs and parameters
    std::vector<Exposed> found_;
};

} // namespace rubato::composite
