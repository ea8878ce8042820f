// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"

#include <cstring>
#include <utility>

namespace rubato::model {

namespace {

constexpr std::size_t error_category = 0, discard_category = 1; // in log_categories

std::size_t category_named(const char* name) {
    for (std::size_t i = 0; i < log_categories.size(); ++i)
        if (name != nullptr && std::strcmp(name, log_categories[i].name) == 0) return i;
    std::string known;
    for (const LogCategory& category : log_categories)
        known += std::string(known.empty() ? "" : ", ") + category.name;
    reject(std::string("there is no log category \"") + (name ? name : "") + "\", only " + known);
}

} // namespace

void Logger::error(const std::string& message) const {
    if (!on_[error_category]) return;
    const char* const category = log_categories[error_category].name;
    if (fmi1_ != nullptr)
        fmi1_(environment_, name_.c_str(), fmi1::Status::error, category, "%s", message.c_str());
    if (fmi2_ != nullptr)
        fmi2_(environment_, name_.c_str(), fmi2::Status::error, category, "%s", message.c_str());
    if (fmi3_ != nullptr) fmi3_(environment_, fmi3::Status::error, category, message.c_str());
}

void Logger::discard(const std::string& message) const {
    if (!on_[discard_category]) return;
    const char* const category = log_categories[discard_category].name;
    if (fmi1_ != nullptr)
        fmi1_(environment_, name_.c_str(), fmi1::Status::discard, category, "%s", message.c_str());
    if (fmi2_ != nullptr)
        fmi2_(environment_, name_.c_str(), fmi2::Status::discard, category, "%s", message.c_str());
    if (fmi3_ != nullptr) fmi3_(environment_, fmi3::Status::discard, category, message.c_str());
}

void Logger::turn(bool on, std::span<const char* const> categories) {
    std::array<bool, log_categories.size()> chosen = {};
    if (categories.empty()) chosen.fill(true);
    for (const char* category : categories) chosen[category_named(category)] = true;
    for (std::size_t i = 0; i < on_.size(); ++i)
        if (chosen[i]) on_[i] = on;
}

std::unique_ptr<Component> instantiate(const char* instance_name, const char* identifier,
                                       Interface interface, Logger logger) {
    const ModelType& type = exported_model();
    if (instance_name == nullptr || *instance_name == '\0') {
        logger.error("an instance of model \"" + type.name + "\" needs a name");
        return nullptr;
    }
    if (identifier == nullptr || type.identifier != identifier) {
        logger.error("this is model \"" + type.name + "\" " + type.identifier + ", not " +
                     (identifier ? identifier : "one without an identifier") +
                     ": model description and binary do not belong together");
        return nullptr;
    }
    return std::make_unique<Component>(type, interface, std::move(logger));
}

Component* instantiate_fmi1(const char* instance_name, const char* guid, Interface interface,
                            fmi1::Logger* logger, bool logging_on) noexcept {
    Logger log(instance_name == nullptr ? "" : instance_name, logger, logging_on);
    try {
        return instantiate(instance_name, guid, interface, log).release();
    } catch (const std::exception& fault) {
        log.error(std::string("instantiating: ") + fault.what());
    }
    return nullptr;
}

namespace {

/// An uint64 beyond the range of int64 has the bits of a negative number.
bool is_wrapped(const Component& component, ValueRef reference, std::int64_t value) {
    const auto& slots = component.instance.type().slots;
    return value < 0 && reference < slots.size() && slots[reference].type == ValueType::uint64;
}

} // namespace

AccessResult get_int32(Component& component, const ValueRef& reference, int& value) {
    std::int64_t wide = 0;
    const AccessResult result = component.instance.get_integers({&reference, 1}, &wide);
    if (!result.ok()) return result;
    if (!std::in_range<int>(wide) || is_wrapped(component, reference, wide))
        return {Access::out_of_range, reference};
    value = static_cast<int>(wide);
    return {};
}

AccessResult set_int32(Component& component, const ValueRef& reference, int value) {
    const std::int64_t wide = value;
    if (is_wrapped(component, reference, wide)) return {Access::out_of_range, reference};
    return component.instance.set_integers({&reference, 1}, &wide);
}

void get_state(Component& component, void** state) {
    require(state != nullptr, "there is no place for the state");
    if (*state == nullptr) *state = new SavedState[component.instance.saved_size()];
    component.instance.save(static_cast<SavedState*>(*state));
}

void set_state(Component& component, const void* state) {
    require(state != nullptr, "there is no state to set");
    component.instance.restore(static_cast<const SavedState*>(state));
}

void free_state(void** state) {
    if (state == nullptr) return;
    delete[] static_cast<SavedState*>(*state);
    *state = nullptr;
}

void state_size(const Component& component, const void* state, std::size_t* size) {
    require(state != nullptr && size != nullptr, "there is no state, or no place for its size");
    *size = component.instance.serialized_size();
}

void serialize_state(const Component& component, const void* state, void* bytes, std::size_t size) {
    require(state != nullptr && bytes != nullptr, "there is no state, or no place for its bytes");
    const std::size_t needed = component.instance.serialized_size();
    if (size < needed)
        reject("a state takes " + std::to_string(needed) + " bytes, the buffer has " +
               std::to_string(size));
    component.instance.serialize(static_cast<const SavedState*>(state),
                                 static_cast<std::byte*>(bytes));
}

void deserialize_state(Component& component, const void* bytes, std::size_t size, void** state) {
    require(bytes != nullptr && state != nullptr, "there are no bytes, or no place for the state");
    const auto saved = std::make_unique<SavedState[]>(component.instance.saved_size());
    const std::string fault =
        component.instance.deserialize({static_cast<const std::byte*>(bytes), size}, saved.get());
    if (!fault.empty()) reject(fault);
    if (*state == nullptr) *state = new SavedState[component.instance.saved_size()];
    std::memcpy(*state, saved.get(), component.instance.saved_size());
}

void require_values(const Component& component, std::span<const ValueRef> references,
                    const void* values, std::size_t n_values) {
    require(references.empty() || (references.data() != nullptr && values != nullptr),
            "value references or values are missing");
    std::size_t count = 0;
    for (const ValueRef reference : references)
        count += component.instance.element_count(reference);
    if (count != n_values)
        reject("the variables have " + std::to_string(count) + " values, not " +
               std::to_string(n_values));
}

void require_configuration(const Component& component, std::span<const ValueRef> references) {
    const auto& variables = component.instance.type().variables;
    for (const ValueRef reference : references) {
        if (reference >= variables.size() || variables[reference].role != Role::structural)
            continue;
        if (!component.is_configuring)
            reject("variable \"" + variables[reference].name +
                   "\" can be set in configuration "
                   "mode only");
    }
}

AccessResult get_variation(Component& component, std::span<const ValueRef> unknowns,
                           std::span<const ValueRef> knowns, std::span<const double> seed,
                           std::span<double> sensitivity) {
    require(component.instance.type().variations != nullptr,
            "the model gives no directional derivatives");
    require(seed.size() == knowns.size() && sensitivity.size() == unknowns.size(),
            "all variables are scalars: as many values as value references");
    const auto missing = [](auto span) { return !span.empty() && span.data() == nullptr; };
    require(!missing(unknowns) && !missing(knowns) && !missing(seed) && !missing(sensitivity),
            "value references or values are missing");
    return component.instance.get_variation(unknowns, knowns, seed.data(), sensitivity.data());
}

void require_states(const Component& component, const void* vector, std::size_t count) {
    const std::size_t states = component.instance.type().layout.states.size();
    if (count != states)
        reject("the model has " + std::to_string(states) + " continuous states, not " +
               std::to_string(count));
    require(count == 0 || vector != nullptr, "the vector is missing");
}

void log_refusal(const Component& component, const char* function) {
    static constexpr const char* phases[] = {"before initialization",  "during initialization",
                                             "between steps",          "after termination",
                                             "after a failed step",    "in event mode",
                                             "in continuous-time mode"};
    const auto phase = static_cast<std::size_t>(component.instance.phase());
    component.logger.error(
        std::string(function) + " is not allowed " +
        (component.updates.is_under_way() ? "at this point within a step" : phases[phase]));
}

void log_failure(const Component& component, const char* function, const std::string& reason) {
    component.logger.error(std::string(function) + ": " + reason);
}

} // namespace rubato::model
