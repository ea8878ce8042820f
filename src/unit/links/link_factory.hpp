// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit_factory.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rubato::unit {

/// Units that keep constraints.
class LinkFactory final : public UnitFactory {
public:
    bool makes(const scenario::UnitOrigin& origin) const override;
    const scenario::UnitDescription& describe(const scenario::Unit& unit,
                                              const std::filesystem::path& folder) override;
    std::unique_ptr<Unit> instantiate(const scenario::Unit& unit,
                                      const std::filesystem::path& folder) override;

private:
    /// By what it is made from; there are few.
    std::vector<std::pair<scenario::Links, std::unique_ptr<scenario::UnitDescription>>> known_;
};

} // namespace rubato::unit
