// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::scenario {

namespace {

constexpr rubato::Dimension power = {1, 2, -3, 0, 0, 0, 0, 0}; // kg.m2/s3
constexpr std::size_t angle = 7;                               // counts as a number

bool connects_the_same(const Connection& a, const Connection& b) {
    return a.from_unit == b.from_unit && a.from_port == b.from_port && a.to_unit == b.to_unit &&
           a.to_port == b.to_port;
}

/// Of one half of a bond: the connection it names, and what that stands for.
struct Half {
    const Connection* connection = nullptr;
    std::vector<Link> links;
};

class BondMaker {
public:
    BondMaker(Resolver& resolver, const BondSettings& settings)
        : resolver_(resolver), settings_(settings) {}

    std::optional<Bond> make() {
        const auto effort = find(settings_.effort, "effort");
        const auto flow = find(settings_.flow, "flow");
        if (!effort || !flow || !goes_both_ways() || !is_alike(*effort, *flow)) return std::nullopt;
        Bond bond{.name = settings_.name, .parts = {}, .is_measured = false};
        const auto measure = measure_of(*effort, *flow);
        if (!measure) return std::nullopt;
        bond.is_measured = measure->is_known;
        for (std::size_t i = 0; i < effort->links.size(); ++i) {
            bond.parts.push_back(
                {effort->links[i], flow->links[i], effort->connection->factor * measure->factor});
        }
        return bond;
    }

private:
    struct PowerMeasure {
        double factor = 1;
        bool is_known = false;
    };

    void error(const std::string& message, const std::string& hint) {
        resolver_.diagnostics.error(settings_.where,
                                    format("bond \"{}\": {}", settings_.name, message), hint);
    }

    std::optional<Half> find(const Connection& named, std::string_view role) {
        const auto& connections = resolver_.scenario.connections;
        const auto found = std::ranges::find_if(
            connections, [&](const Connection& c) { return connects_the_same(c, named); });
        if (found == connections.end()) {
            std::vector<std::string> texts;
            for (const Connection& c : connections) texts.push_back(text_of(c));
            error(format("its {} is {}, which is no connection", role, text_of(named)),
                  suggest(text_of(named), texts, "the connections"));
            return std::nullopt;
        }
        Half half{.connection = &*found, .links = {}};
        const auto unit = resolver_.find_unit(named.to_unit);
        if (!unit) return std::nullopt; // reported
        const auto inputs = resolver_.find_ports(*unit, named.to_port, Direction::input);
        for (const Link& link : resolver_.system.links) {
            if (std::ranges::find(inputs, link.to) != inputs.end()) half.links.push_back(link);
        }
        const bool is_real = std::ranges::all_of(half.links, [&](const Link& link) {
            return resolver_.system.port(link.from).is_continuous &&
                   storage_of(resolver_.system.port(link.to).type) == Storage::real;
        });
        if (half.links.empty() || !is_real) {
            error(format("its {} {} is not exchanged in steps as a continuous real", role,
                         text_of(named)),
                  "power is made of continuous reals; of a real that its unit declares discrete "
                  "the scenario can say variability: continuous");
            return std::nullopt;
        }
        return half;
    }

    bool goes_both_ways() {
        const Connection& effort = settings_.effort;
        const Connection& flow = settings_.flow;
        if (effort.from_unit == flow.to_unit && effort.to_unit == flow.from_unit) return true;
        error(format("{} and {} do not join two units in opposite directions", text_of(effort),
                     text_of(flow)),
              "the unit that takes the effort gives the flow");
        return false;
    }

    std::uint64_t size_of(const Half& half) const {
        std::uint64_t size = 0;
        for (const Link& link : half.links) size += resolver_.system.port(link.from).part.count;
        return size;
    }

    bool is_alike(const Half& effort, const Half& flow) {
        if (size_of(effort) != size_of(flow) || effort.links.size() != flow.links.size()) {
            error(
                format("its effort has {} and its flow {} values", size_of(effort), size_of(flow)),
                "each effort goes with one flow");
            return false;
        }
        const double e = effort.connection->factor;
        const double f = flow.connection->factor;
        const bool scales_alike = std::abs(std::abs(e) - std::abs(f)) <= 1e-12 * std::abs(e);
        if (scales_alike && effort.connection->offset == 0 && flow.connection->offset == 0)
            return true;
        error(format("the two sides do not see the same power: the effort is scaled by {} with "
                     "offset {}, the flow by {} with offset {}",
                     shortest(e), shortest(effort.connection->offset), shortest(f),
                     shortest(flow.connection->offset)),
              "the factors of both connections must agree, but for their signs, and offsets be 0");
        return false;
    }

    const Variable& source_of(const Half& half) const {
        const Port& port = resolver_.system.port(half.links.front().from);
        return resolver_.variable(port.unit, port.variable);
    }

    /// nullopt: effort times flow is no power, which has been reported.
    std::optional<PowerMeasure> measure_of(const Half& effort, const Half& flow) {
        const Variable& e = source_of(effort);
        const Variable& f = source_of(flow);
        if (!e.measure || !f.measure) return PowerMeasure{};
        rubato::Dimension product{};
        for (std::size_t i = 0; i < product.size(); ++i)
            product[i] = e.measure->dimension[i] + f.measure->dimension[i];
        product[angle] = 0;
        if (product == power) return PowerMeasure{e.measure->factor * f.measure->factor, true};
        error(format("effort ({}) times flow ({}) is {}, not a power", e.unit, f.unit,
                     rubato::to_string(product)),
              "a force goes with a velocity, a torque with an angular velocity, a voltage with a "
              "current, a pressure with a volume flow");
        return std::nullopt;
    }

    Resolver& resolver_;
    const BondSettings& settings_;
};

} // namespace

void make_bonds(Resolver& resolver) {
    if (resolver.diagnostics.has_errors()) return; // of which bonds would only report the echo
    for (const BondSettings& settings : resolver.scenario.bonds) {
        if (auto bond = BondMaker(resolver, settings).make())
            resolver.system.bonds.push_back(std::move(*bond));
    }
}

} // namespace rubato::scenario
