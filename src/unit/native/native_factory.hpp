// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/model_type.hpp>
#include <rubato/unit/unit_factory.hpp>

#include <map>
#include <string>

namespace rubato::unit {

/// Units of the models that have been added.
class NativeFactory final : public UnitFactory {
public:
    /// A name that is known already keeps its model, which units may be using.
    void add(const model::ModelType& type);

    bool makes(const scenario::UnitOrigin& origin) const override;
    const scenario::UnitDescription& describe(const scenario::Unit& unit,
                                              const std::filesystem::path& folder) override;
    std::unique_ptr<Unit> instantiate(const scenario::Unit& unit,
                                      const std::filesystem::path& folder) override;

private:
    struct Native {
        model::ModelType type;
        scenario::UnitDescription description;
    };
    const Native& find(const scenario::Unit& unit) const;

    std::map<std::string, Native> natives_; ///< by name
};

} // namespace rubato::unit
