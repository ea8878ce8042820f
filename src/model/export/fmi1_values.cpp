// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"

#include <rubato/model/fmi1_export.hpp>

#include <utility>

// The functions of FMI 1.0 that get and set values, for both interfaces.

namespace rubato::model::fmi1_functions {

using fmi1::Status;

namespace {

template <class Body>
Status get(void* component, const char* function, Body&& body) {
    return guarded<Status>(component, Call::get, function, std::forward<Body>(body));
}

/// FMI 1.0 has no event mode: inputs of every kind are set between the steps of a solver.
class EventModeForInputs {
public:
    explicit EventModeForInputs(Instance& instance)
        : instance_(instance), was_outside_(instance.phase() == Phase::continuous_time) {
        if (was_outside_) instance_.enter_event_mode();
    }
    ~EventModeForInputs() {
        if (was_outside_) instance_.enter_continuous_time();
    }
    EventModeForInputs(const EventModeForInputs&) = delete;
    EventModeForInputs& operator=(const EventModeForInputs&) = delete;

private:
    Instance& instance_;
    bool was_outside_;
};

template <class Body>
Status set(void* component, const char* function, Body&& body) {
    return guarded<Status>(component, Call::set, function, [&](Component& it) {
        const EventModeForInputs mode(it.instance);
        return body(it);
    });
}

} // namespace

Status get_real(fmi1::Component c, const fmi1::ValueReference* references, std::size_t count,
                fmi1::Real* values) {
    return get(c, "fmiGetReal", [&](Component& component) {
        return component.instance.get_reals(span_of(references, count, values), values);
    });
}

Status get_integer(fmi1::Component c, const fmi1::ValueReference* references, std::size_t count,
                   fmi1::Integer* values) {
    return get(c, "fmiGetInteger", [&](Component& component) {
        AccessResult result;
        for (const ValueRef& reference : span_of(references, count, values))
            if (result = get_int32(component, reference, *values++); !result.ok()) break;
        return result;
    });
}

Status get_boolean(fmi1::Component c, const fmi1::ValueReference* references, std::size_t count,
                   fmi1::Boolean* values) {
    return get(c, "fmiGetBoolean", [&](Component& component) {
        AccessResult result;
        for (const ValueRef& reference : span_of(references, count, values)) {
            bool value = false;
            if (result = component.instance.get({&reference, 1}, &value); !result.ok()) break;
            *values++ = value ? fmi1::yes : fmi1::no;
        }
        return result;
    });
}

Status get_string(fmi1::Component c, const fmi1::ValueReference*, std::size_t count,
                  fmi1::String*) {
    return get(c, "fmiGetString", [&](Component&) {
        require(count == 0, "the model has no variables of type String");
    });
}

Status set_real(fmi1::Component c, const fmi1::ValueReference* references, std::size_t count,
                const fmi1::Real* values) {
    return set(c, "fmiSetReal", [&](Component& component) {
        return component.instance.set_reals(span_of(references, count, values), values);
    });
}

Status set_integer(fmi1::Component c, const fmi1::ValueReference* references, std::size_t count,
                   const fmi1::Integer* values) {
    return set(c, "fmiSetInteger", [&](Component& component) {
        AccessResult result;
        for (const ValueRef& reference : span_of(references, count, values))
            if (result = set_int32(component, reference, *values++); !result.ok()) break;
        return result;
    });
}

Status set_boolean(fmi1::Component c, const fmi1::ValueReference* references, std::size_t count,
                   const fmi1::Boolean* values) {
    return set(c, "fmiSetBoolean", [&](Component& component) {
        AccessResult result;
        for (const ValueRef& reference : span_of(references, count, values)) {
            const bool value = *values++ != fmi1::no;
            if (result = component.instance.set({&reference, 1}, &value); !result.ok()) break;
        }
        return result;
    });
}

Status set_string(fmi1::Component c, const fmi1::ValueReference*, std::size_t count,
                  const fmi1::String*) {
    return set(c, "fmiSetString", [&](Component&) {
        require(count == 0, "the model has no variables of type String");
    });
}

} // namespace rubato::model::fmi1_functions
