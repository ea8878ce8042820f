// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "call_order.hpp"
#include "updates.hpp"

#include <rubato/fmi/fmi1.hpp>
#include <rubato/fmi/fmi2.hpp>
#include <rubato/fmi/fmi3.hpp>
#include <rubato/model/instance.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::model {

/// The model whose FMU this is; defined next to the model (cmake/RubatoModel.cmake).
const ModelType& exported_model();

/// A category of messages, named as the standards do.
struct LogCategory {
    const char* name;
    const char* description;
};
inline constexpr std::array<LogCategory, 2> log_categories = {{
    {"logStatusError", "why a call returned an error"},
    {"logStatusDiscard", "why a step was discarded"},
}};

/// The importer's logger, of any of the standards.
class Logger {
public:
    /// `environment` is the component, once there is one: belongs_to().
    Logger(const char* instance_name, fmi1::Logger* logger, bool on)
        : name_(instance_name), fmi1_(logger), on_{on, on} {}
    Logger(const char* instance_name, fmi2::Logger* logger, void* environment, bool on)
        : name_(instance_name), fmi2_(logger), environment_(environment), on_{on, on} {}
    Logger(const char* instance_name, fmi3::LogMessage* logger, void* environment, bool on)
        : name_(instance_name), fmi3_(logger), environment_(environment), on_{on, on} {}

    void belongs_to(void* component) {
        if (fmi1_ != nullptr) environment_ = component;
    }

    void error(const std::string& message) const;
    void discard(const std::string& message) const;
    /// No categories: all of them. Throws std::runtime_error when one is unknown.
    void turn(bool on, std::span<const char* const> categories);

private:
    std::string name_;
    fmi1::Logger* fmi1_ = nullptr;
    fmi2::Logger* fmi2_ = nullptr;
    fmi3::LogMessage* fmi3_ = nullptr;
    void* environment_ = nullptr;
    std::array<bool, log_categories.size()> on_ = {};
};

/// What fmiComponent, fmi2Component and fmi3Instance point to.
struct Component {
    Component(const ModelType& type, Interface interface, Logger log)
        : instance(type, interface), logger(std::move(log)) {
        logger.belongs_to(this);
    }

    Instance instance;
    Logger logger;
    double start_time = 0;
    bool early_return_allowed = false; ///< FMI 3.0, as are the next
    bool is_configuring = false;
    Updates updates;
    std::vector<std::string_view> texts; ///< on their way
};

/// What fmi2FMUstate and fmi3FMUState point to.
using SavedState = std::byte;

/// Null, with the reason in the log, when the identifier is not this model's.
std::unique_ptr<Component> instantiate(const char* instance_name, const char* identifier,
                                       Interface interface, Logger logger);

/// The same for FMI 1.0, from C; the caller owns it.
Component* instantiate_fmi1(const char* instance_name, const char* guid, Interface interface,
                            fmi1::Logger* logger, bool logging_on) noexcept;

// The functions on saved states are the same in both standards that have them. They throw
// std::runtime_error.
void get_state(Component& component, void** state);
void set_state(Component& component, const void* state);
void free_state(void** state);
void state_size(const Component& component, const void* state, std::size_t* size);
void serialize_state(const Component& component, const void* state, void* bytes, std::size_t size);
void deserialize_state(Component& component, const void* bytes, std::size_t size, void** state);

[[noreturn]] inline void reject(const std::string& reason) { throw std::runtime_error(reason); }
inline void require(bool condition, const char* reason) {
    if (!condition) [[unlikely]]
        reject(reason);
}

/// The references of a call, which has values for them.
inline std::span<const ValueRef> span_of(const ValueRef* references, std::size_t count,
                                         const void* values) {
    require(count == 0 || (references != nullptr && values != nullptr),
            "value references or values are missing");
    return {references, count};
}

// FMI 1.0 and 2.0 have integers of 32 bits only.
AccessResult get_int32(Component& component, const ValueRef& reference, int& value);
AccessResult set_int32(Component& component, const ValueRef& reference, int value);

/// Rejects a number of values other than that of the variables.
void require_values(const Component& component, std::span<const ValueRef> references,
                    const void* values, std::size_t n_values);
/// Rejects structural parameters outside configuration mode.
void require_configuration(const Component& component, std::span<const ValueRef> references);

/// The directional derivative of both standards that have it. Throws std::runtime_error.
AccessResult get_variation(Component& component, std::span<const ValueRef> unknowns,
                           std::span<const ValueRef> knowns, std::span<const double> seed,
                           std::span<double> sensitivity);

/// Rejects a vector that is not one of the model's states.
void require_states(const Component& component, const void* vector, std::size_t count);

void log_refusal(const Component& component, const char* function);
void log_failure(const Component& component, const char* function, const std::string& reason);

/// What every exported function does: checks the instance and the call order, and turns faults into
/// a log message and an error status. `body(component)` returns a Status, an AccessResult or void.
template <class Status, class Body>
Status guarded(void* pointer, Call call, const char* function, Body&& body) {
    auto* const component = static_cast<Component*>(pointer);
    if (component == nullptr) [[unlikely]]
        return Status::error;
    if (!is_allowed(call, component->instance.phase()) || !component->updates.admit(call))
        [[unlikely]] {
        log_refusal(*component, function);
        return Status::error;
    }
    try {
        if constexpr (std::is_same_v<decltype(body(*component)), Status>) {
            return body(*component);
        } else if constexpr (std::is_void_v<decltype(body(*component))>) {
            body(*component);
        } else if (const AccessResult result = body(*component); !result.ok()) [[unlikely]] {
            log_failure(*component, function, component->instance.explain(result));
            return Status::error;
        }
        return Status::ok;
    } catch (const std::exception& fault) {
        log_failure(*component, function, fault.what());
        return Status::error;
    }
}

} // namespace rubato::model
