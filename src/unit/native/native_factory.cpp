// SPDX-License-Identifier: Apache-2.0
#include "native_factory.hpp"

#include "native_unit.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

namespace rubato::unit {

void NativeFactory::add(const model::ModelType& type) {
    natives_.try_emplace(type.name, Native{type, unit::describe(type)});
}

bool NativeFactory::makes(const scenario::UnitOrigin& origin) const {
    return std::holds_alternative<scenario::NativeModel>(origin);
}

const NativeFactory::Native& NativeFactory::find(const scenario::Unit& unit) const {
    const std::string& name = std::get<scenario::NativeModel>(unit.origin).name;
    const auto found = natives_.find(name);
    if (found != natives_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [known, native] : natives_) names.push_back(known);
    throw InputError(format("there is no native model \"{}\"", name),
                     suggest(name, names, "the native models"));
}

const scenario::UnitDescription& NativeFactory::describe(const scenario::Unit& unit,
                                                         const std::filesystem::path&) {
    return find(unit).description;
}

std::unique_ptr<Unit> NativeFactory::instantiate(const scenario::Unit& unit,
                                                 const std::filesystem::path&) {
    const Native& native = find(unit);
    return make_native_unit(unit.name, native.type, native.description);
}

} // namespace rubato::unit
