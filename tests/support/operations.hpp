// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rubato::test {

/// Writes operations on a system by name, for tests.
class Operations {
public:
    explicit Operations(const scenario::System& system) : system_(system) {}

    algorithm::Op get(std::string_view port) const { return algorithm::Get{find_port(port)}; }
    algorithm::Op get_tentative(std::string_view port) const {
        return algorithm::Get{find_port(port), true};
    }
    algorithm::Op set(std::string_view port) const { return algorithm::Set{find_port(port)}; }
    algorithm::Op set_tentative(std::string_view port) const {
        return algorithm::Set{find_port(port), true};
    }
    algorithm::Op step(std::string_view unit) const { return algorithm::Step{find_unit(unit)}; }
    algorithm::Op step_by(std::string_view unit, int ticks) const {
        return algorithm::Step{.unit = find_unit(unit), .by = ticks};
    }
    algorithm::Op step_as(std::string_view unit, std::string_view other) const {
        return algorithm::Step{.unit = find_unit(unit), .same_as = find_unit(other)};
    }
    algorithm::Op save(std::string_view unit) const { return algorithm::Save{find_unit(unit)}; }
    algorithm::Op restore(std::string_view unit) const {
        return algorithm::Restore{find_unit(unit)};
    }
    algorithm::Op fixed_point(const std::vector<std::string>& ports, algorithm::Body iterate,
                              algorithm::Body retry = {}) const {
        algorithm::FixedPoint loop;
        for (const std::string& port : ports) loop.ports.push_back(find_port(port));
        loop.iterate = std::move(iterate);
        loop.retry = std::move(retry);
        return loop;
    }
    algorithm::Op negotiate(const std::vector<std::string>& units, algorithm::Body iterate,
                            algorithm::Body retry) const {
        algorithm::Negotiate loop;
        for (const std::string& unit : units) loop.units.push_back(find_unit(unit));
        loop.iterate = std::move(iterate);
        loop.retry = std::move(retry);
        return loop;
    }
    algorithm::Op parallel(std::vector<algorithm::Body> bodies) const {
        return algorithm::Parallel{std::move(bodies)};
    }

private:
    PortId find_port(std::string_view name) const {
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            if (system_.name_of(nth<PortId>(p)) == name) return nth<PortId>(p);
        }
        throw std::invalid_argument("no port " + std::string(name));
    }
    UnitId find_unit(std::string_view name) const {
        for (std::size_t u = 0; u < system_.units.size(); ++u) {
            if (system_.units[u].name == name) return nth<UnitId>(u);
        }
        throw std::invalid_argument("no unit " + std::string(name));
    }

    const scenario::System& system_;
};

} // namespace rubato::test
