// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "explorer.hpp"
#include "words.hpp"

namespace rubato::algorithm::verification {

/// A finding in words.
class Describer {
public:
    Describer(const scenario::System& system, const Algorithm& algorithm,
              const std::vector<Mode>& modes)
        : system_(system), algorithm_(algorithm), modes_(modes), places_(algorithm) {}

    Violation describe(const Finding& finding);

private:
    /// What is wrong and what would mend it.
    struct Words {
        std::string what, hint;
    };

    Words explain(const Breach& breach) const;
    Words explain_set(const Breach& breach) const;
    Words explain_taint(const Breach& breach) const;
    Words explain_get(const Breach& breach) const;
    Words explain_step(const Breach& breach) const;
    Words explain_start(const Breach& breach) const;
    Words explain_fixed_point(const Breach& breach) const;
    Words explain_negotiation(const Breach& breach) const;
    Words explain_advance(const Breach& breach) const;

    std::string how_to_catch_up(const Breach& breach) const;
    std::string how_to_get_ahead(const Breach& breach) const;
    bool must_step_before(UnitId first, UnitId second) const;

    PortId source(PortId input) const { return *wiring_->source[input.value]; }
    UnitId owner(PortId port) const { return system_.port(port).unit; }
    const std::string& name(UnitId unit) const { return system_.unit(unit).name; }
    std::string name(PortId port) const { return system_.name_of(port); }

    const scenario::System& system_;
    const Algorithm& algorithm_;
    const std::vector<Mode>& modes_;
    Places places_;
    const Wiring* wiring_ = nullptr; ///< of the finding that is being described
};

} // namespace rubato::algorithm::verification
