// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/unit/unit.hpp>

#include <filesystem>
#include <memory>
#include <vector>

namespace rubato::unit {

/// Makes units of one kind of origin, for a Library. The library owns it and outlives its units; so
/// do the descriptions that it gives. Relative paths of a unit are relative to `folder`.
///
/// A room above this one adds a kind of unit without a change here: an alternative of
/// scenario::UnitOrigin and a factory that makes it.
class UnitFactory {
public:
    UnitFactory() = default;
    virtual ~UnitFactory() = default;
    UnitFactory(const UnitFactory&) = delete;
    UnitFactory& operator=(const UnitFactory&) = delete;

    /// Whether units of this origin are its to make. One that is wrong (a file that does not exist)
    /// is its own, too: describe then says what is wrong.
    virtual bool makes(const scenario::UnitOrigin& origin) const = 0;

    /// What the unit is. Loads no binary, runs nothing. Throws InputError.
    virtual const scenario::UnitDescription& describe(const scenario::Unit& unit,
                                                      const std::filesystem::path& folder) = 0;

    /// A new unit, in phase `instantiated`, without the scenario's values. The library cuts its
    /// steps, if the scenario says so. Throws InputError when it cannot be made and Error when it
    /// fails to instantiate.
    virtual std::unique_ptr<Unit> instantiate(const scenario::Unit& unit,
                                              const std::filesystem::path& folder) = 0;

    /// The files that it has opened.
    virtual std::vector<std::filesystem::path> files() const { return {}; }
};

} // namespace rubato::unit
