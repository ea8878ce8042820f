// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/id.hpp>
#include <rubato/pipeline/assembly.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace rubato::facade {

/// A variable of a unit, or an element of one.
struct Place {
    UnitId unit;
    std::uint32_t variable = 0; ///< index into the unit's description
    std::uint32_t element = 0;
};

/// Where the names of a simulation lead: each is resolved once.
class Names {
public:
    /// The assembly must outlive this.
    explicit Names(const pipeline::Assembly& assembly) : assembly_(assembly) {}

    /// Throws an InputError if there is no such variable, or it has no single value.
    const Place& find(std::string_view name);

private:
    Place resolve(std::string_view name) const;
    Place resolve(std::size_t unit, const std::string& unit_name, const std::string& name) const;

    const pipeline::Assembly& assembly_;
    std::map<std::string, Place, std::less<>> known_;
};

} // namespace rubato::facade
