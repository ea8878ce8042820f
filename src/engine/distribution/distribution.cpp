// SPDX-License-Identifier: Apache-2.0
#include "distributed_unit.hpp"

#include <rubato/engine/distribution.hpp>

#include <cstring>
#include <utility>

namespace rubato::engine {

namespace {

/// The abilities of a unit, and a character for each variable that may be watched within steps.
void pack(unit::Unit& unit, std::string& message) {
    const KnownAbilities abilities = abilities_of(unit);
    message.append(reinterpret_cast<const char*>(&abilities), sizeof abilities);
    unit::IntermediateOutputs* const outputs = unit.intermediate_outputs();
    if (outputs == nullptr) return;
    for (const scenario::Variable& variable : unit.description().variables)
        message.push_back(outputs->provides(variable) ? '1' : '0');
}

/// Takes messages of `pack` apart, one after the other.
class Unpacked {
public:
    explicit Unpacked(std::string_view message) : rest_(message) {}

    void take(std::size_t variables, DistributedUnit::Parts& parts) {
        const std::string_view abilities = take_bytes(sizeof parts.abilities);
        std::memcpy(&parts.abilities, abilities.data(), abilities.size());
        if (!parts.abilities.intermediate_outputs) return;
        for (const char provides : take_bytes(variables)) parts.provides.push_back(provides == '1');
    }

private:
    std::string_view take_bytes(std::size_t count) {
        if (rest_.size() < count)
            throw Error("the processes of this run describe their units differently",
                        "all of them must run the same build of Rubato");
        const std::string_view bytes = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return bytes;
    }

    std::string_view rest_;
};

} // namespace

std::vector<std::unique_ptr<unit::Unit>>
Distribution::share(std::vector<std::unique_ptr<unit::Unit>> own, std::span<const Named> all) {
    std::string message;
    for (const auto& unit : own)
        if (unit) pack(*unit, message);
    const std::vector<std::string> messages = processes_.gather_everywhere(message);
    std::vector<Unpacked> reports(messages.begin(), messages.end());
    std::vector<std::unique_ptr<unit::Unit>> units;
    for (std::size_t u = 0; u < own.size(); ++u) {
        DistributedUnit::Parts parts{.named = all[u], .owner = owners_[u], .own = nullptr};
        reports.at(parts.owner).take(parts.named.description->variables.size(), parts);
        // Variables of an own unit are told by their place in its own description.
        if (own[u]) parts.named.description = &own[u]->description();
        parts.own = std::move(own[u]);
        units.push_back(std::make_unique<DistributedUnit>(*this, std::move(parts)));
    }
    return units;
}

} // namespace rubato::engine
