// SPDX-License-Identifier: Apache-2.0
#include "chain.hpp"

#include "feedthrough.hpp"

#include <algorithm>
#include <utility>

namespace rubato::composite {

namespace {

using scenario::Port;

/// Orders the outputs that inputs act on, each after what it depends on.
class ChainBuilder {
public:
    ChainBuilder(const scenario::System& system,
                 std::span<const scenario::UnitDescription> descriptions,
                 const std::vector<PortId>& inputs)
        : system_(system), descriptions_(descriptions),
          reach_(Feedthrough(system, Moment::step).of(inputs)), links_(system.ports.size()),
          waits_for_(system.ports.size()) {
        for (const scenario::Link& link : system.links)
            if (reach_.contains(link.from)) links_[link.from.value].push_back(link);
    }

    std::optional<Chain> build() {
        if (!system_.configurations.empty() || !system_.event_links.empty()) return std::nullopt;
        std::size_t outputs = 0;
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            const auto id = nth<PortId>(p);
            if (!reach_.contains(id)) continue;
            if (!is_differentiable(id)) return std::nullopt;
            if (system_.port(id).direction == scenario::Direction::output) ++outputs;
            waits_for_[p] = dependencies(id);
            if (waits_for_[p] == 0) ready_.push_back(id);
        }
        Chain chain;
        for (std::size_t i = 0; i < ready_.size(); ++i) add(ready_[i], chain);
        if (chain.links.size() != outputs) return std::nullopt; // a loop
        chain.ports = system_.ports.size();
        return chain;
    }

private:
    bool is_differentiable(PortId id) const {
        const Port& port = system_.port(id);
        if (port.type != ValueType::float64 || port.part.size != 1) return false;
        if (port.direction == scenario::Direction::input) return true;
        const auto has = [&](const std::vector<PortId>& from, const std::vector<PortId>& in) {
            return std::ranges::all_of(
                from, [&](PortId each) { return std::ranges::find(in, each) != in.end(); });
        };
        return descriptions_[port.unit.value].capabilities.directional_derivatives &&
               has(port.feedthrough, port.feedthrough_initial) &&
               has(port.feedthrough_initial, port.feedthrough);
    }

    /// Inputs that an output depends on, or the source of an input, as far as they change.
    std::size_t dependencies(PortId id) const {
        const Port& port = system_.port(id);
        if (port.direction == scenario::Direction::output)
            return static_cast<std::size_t>(std::ranges::count_if(
                port.feedthrough, [&](PortId input) { return reach_.contains(input); }));
        return static_cast<std::size_t>(
            std::ranges::count_if(system_.links, [&](const scenario::Link& l) {
                return l.to == id && reach_.contains(l.from);
            }));
    }

    void release(PortId id) {
        if (--waits_for_[id.value] == 0) ready_.push_back(id);
    }

    void add(PortId id, Chain& chain) {
        const Port& port = system_.port(id);
        if (port.direction == scenario::Direction::input) {
            for (const PortId output : system_.unit(port.unit).outputs) {
                const auto& inputs = system_.port(output).feedthrough;
                if (std::ranges::find(inputs, id) != inputs.end()) release(output);
            }
            return;
        }
        Chain::Link link{.unit = port.unit, .output = id, .unknown = port.reference};
        for (const PortId input : port.feedthrough) {
            if (!reach_.contains(input)) continue;
            link.inputs.push_back(input);
            link.knowns.push_back(system_.port(input).reference);
        }
        for (const scenario::Link& each : links_[id.value]) {
            link.feeds.emplace_back(each.to, each.factor);
            release(each.to);
        }
        chain.links.push_back(std::move(link));
    }

    const scenario::System& system_;
    std::span<const scenario::UnitDescription> descriptions_;
    Feedthrough::Reach reach_;
    std::vector<std::vector<scenario::Link>> links_; ///< by output
    std::vector<std::size_t> waits_for_;             ///< by port
    std::vector<PortId> ready_;
};

} // namespace

std::optional<Chain> derive_chain(const scenario::System& system,
                                  std::span<const scenario::UnitDescription> descriptions,
                                  const std::vector<PortId>& inputs) {
    return ChainBuilder(system, descriptions, inputs).build();
}

} // namespace rubato::composite
