// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/scenario/system.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rubato::algorithm {

/// Finds units and ports by name; what it does not find it reports, with what is most like it.
class Names {
public:
    Names(const scenario::System& system, Diagnostics& diagnostics);

    std::optional<UnitId> unit(const std::string& name, const Location& where);
    std::optional<PortId> port(const std::string& name, scenario::Direction direction,
                               const Location& where);

private:
    void report_unknown_port(const scenario::PortName& name, UnitId unit,
                             scenario::Direction direction, const Location& where);
    std::string hint(const std::string& name, const std::vector<std::string>& candidates,
                     std::string_view what);

    const scenario::System& system_;
    Diagnostics& diagnostics_;
    std::unordered_map<std::string_view, UnitId> units_;
    std::vector<std::unordered_map<std::string_view, PortId>> ports_; ///< by unit
    int suggestions_left_ = 100; // each costs a pass over the candidates
};

} // namespace rubato::algorithm
