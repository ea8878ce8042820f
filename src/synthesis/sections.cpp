// SPDX-License-Identifier: Apache-2.0
#include "sections.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace rubato::synthesis {

using algorithm::Body;
using algorithm::Get;
using algorithm::Op;
using algorithm::Parallel;
using algorithm::Restore;
using algorithm::Save;
using algorithm::Set;
using algorithm::Step;

namespace {

class Grouping {
public:
    explicit Grouping(const scenario::System& system)
        : system_(system), source_(system.ports.size()) {
        for (const scenario::Link& link : system.links) source_[link.to.value] = link.from;
    }

    Body group(Body body) {
        Body result;
        for (Op& op : body) std::visit([&](auto& kind) { add(kind, result); }, op);
        flush(result);
        return result;
    }

private:
    using Slot = std::pair<PortId, bool>; ///< an output, its final or its tentative value

    void add(Get& get, Body& result) {
        const Slot slot{get.port, get.tentative};
        if (used_.contains(slot)) flush(result);
        got_.insert(slot);
        keep(system_.port(get.port).unit, get);
    }

    void add(Set& set, Body& result) {
        if (const auto source = source_[set.port.value]) {
            const Slot slot{*source, set.tentative};
            if (got_.contains(slot)) flush(result);
            used_.insert(slot);
        }
        keep(system_.port(set.port).unit, set);
    }

    void add(Step& step, Body&) {
        stepped_.insert(step.unit);
        keep(step.unit, step);
    }
    void add(Save& save, Body&) { keep(save.unit, save); }
    void add(Restore& restore, Body&) { keep(restore.unit, restore); }

    template <class Loop>
    void add(Loop& loop, Body& result) {
        flush(result);
        if constexpr (requires { loop.iterate; })
            loop.iterate = Grouping(system_).group(loop.iterate);
        result.push_back(std::move(loop));
    }

    void keep(UnitId unit, Op op) { pending_.emplace_back(unit, std::move(op)); }

    /// What the section's units do goes into it; what is left touches none of them and may as well
    /// be done before.
    void flush(Body& result) {
        const bool is_section = stepped_.size() > 1;
        Parallel section;
        std::map<UnitId, std::size_t> body_of;
        for (auto& [unit, op] : std::exchange(pending_, {})) {
            if (!is_section || !stepped_.contains(unit)) {
                result.push_back(std::move(op));
                continue;
            }
            const auto [body, is_new] = body_of.try_emplace(unit, section.bodies.size());
            if (is_new) section.bodies.emplace_back();
            section.bodies[body->second].push_back(std::move(op));
        }
        if (is_section) result.push_back(std::move(section));
        stepped_.clear();
        got_.clear();
        used_.clear();
    }

    const scenario::System& system_;
    std::vector<std::optional<PortId>> source_; ///< by input
    std::vector<std::pair<UnitId, Op>> pending_;
    std::set<UnitId> stepped_; ///< among what is pending
    std::set<Slot> got_, used_;
};

} // namespace

Body with_sections(const scenario::System& system, Body body) {
    return Grouping(system).group(std::move(body));
}

} // namespace rubato::synthesis
