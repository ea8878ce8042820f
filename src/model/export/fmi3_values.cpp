// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"

#include <rubato/fmi/fmi3_exports.hpp>

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using rubato::model::Call;
using rubato::model::Component;

namespace {

template <class T>
Status get(void* c, const char* function, const fmi3::ValueReference* references, std::size_t count,
           T* values, std::size_t n_values) {
    return rubato::model::guarded<Status>(c, Call::get, function, [&](Component& component) {
        require_values(component, {references, count}, values, n_values);
        component.updates.require_access(component.instance.type(), {references, count});
        return component.instance.get({references, count}, values);
    });
}

template <class T>
Status set(void* c, const char* function, const fmi3::ValueReference* references, std::size_t count,
           const T* values, std::size_t n_values) {
    return rubato::model::guarded<Status>(c, Call::set, function, [&](Component& component) {
        require_values(component, {references, count}, values, n_values);
        component.updates.require_access(component.instance.type(), {references, count});
        return component.instance.set({references, count}, values);
    });
}

} // namespace

Status fmi3GetFloat32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      fmi3::Float32* values, std::size_t n_values) {
    return get(c, "fmi3GetFloat32", references, count, values, n_values);
}

Status fmi3SetFloat32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      const fmi3::Float32* values, std::size_t n_values) {
    return set(c, "fmi3SetFloat32", references, count, values, n_values);
}

Status fmi3GetFloat64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      fmi3::Float64* values, std::size_t n_values) {
    return get(c, "fmi3GetFloat64", references, count, values, n_values);
}

Status fmi3SetFloat64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      const fmi3::Float64* values, std::size_t n_values) {
    return set(c, "fmi3SetFloat64", references, count, values, n_values);
}

Status fmi3GetInt8(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                   fmi3::Int8* values, std::size_t n_values) {
    return get(c, "fmi3GetInt8", references, count, values, n_values);
}

Status fmi3SetInt8(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                   const fmi3::Int8* values, std::size_t n_values) {
    return set(c, "fmi3SetInt8", references, count, values, n_values);
}

Status fmi3GetUInt8(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    fmi3::UInt8* values, std::size_t n_values) {
    return get(c, "fmi3GetUInt8", references, count, values, n_values);
}

Status fmi3SetUInt8(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    const fmi3::UInt8* values, std::size_t n_values) {
    return set(c, "fmi3SetUInt8", references, count, values, n_values);
}

Status fmi3GetInt16(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    fmi3::Int16* values, std::size_t n_values) {
    return get(c, "fmi3GetInt16", references, count, values, n_values);
}

Status fmi3SetInt16(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    const fmi3::Int16* values, std::size_t n_values) {
    return set(c, "fmi3SetInt16", references, count, values, n_values);
}

Status fmi3GetUInt16(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     fmi3::UInt16* values, std::size_t n_values) {
    return get(c, "fmi3GetUInt16", references, count, values, n_values);
}

Status fmi3SetUInt16(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const fmi3::UInt16* values, std::size_t n_values) {
    return set(c, "fmi3SetUInt16", references, count, values, n_values);
}

Status fmi3GetInt32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    fmi3::Int32* values, std::size_t n_values) {
    return get(c, "fmi3GetInt32", references, count, values, n_values);
}

Status fmi3SetInt32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    const fmi3::Int32* values, std::size_t n_values) {
    return set(c, "fmi3SetInt32", references, count, values, n_values);
}

Status fmi3GetUInt32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     fmi3::UInt32* values, std::size_t n_values) {
    return get(c, "fmi3GetUInt32", references, count, values, n_values);
}

Status fmi3SetUInt32(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const fmi3::UInt32* values, std::size_t n_values) {
    return set(c, "fmi3SetUInt32", references, count, values, n_values);
}

Status fmi3GetInt64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    fmi3::Int64* values, std::size_t n_values) {
    return get(c, "fmi3GetInt64", references, count, values, n_values);
}

Status fmi3SetInt64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    const fmi3::Int64* values, std::size_t n_values) {
    return set(c, "fmi3SetInt64", references, count, values, n_values);
}

Status fmi3GetUInt64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     fmi3::UInt64* values, std::size_t n_values) {
    return get(c, "fmi3GetUInt64", references, count, values, n_values);
}

Status fmi3SetUInt64(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const fmi3::UInt64* values, std::size_t n_values) {
    return rubato::model::guarded<Status>(c, Call::set, "fmi3SetUInt64", [&](Component& component) {
        require_values(component, {references, count}, values, n_values);
        require_configuration(component, {references, count});
        return component.instance.set({references, count}, values);
    });
}

Status fmi3GetBoolean(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      fmi3::Boolean* values, std::size_t n_values) {
    return get(c, "fmi3GetBoolean", references, count, values, n_values);
}

Status fmi3SetBoolean(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                      const fmi3::Boolean* values, std::size_t n_values) {
    return set(c, "fmi3SetBoolean", references, count, values, n_values);
}

Status fmi3GetDirectionalDerivative(fmi3::Instance c, const fmi3::ValueReference* unknowns,
                                    std::size_t n_unknowns, const fmi3::ValueReference* knowns,
                                    std::size_t n_knowns, const fmi3::Float64* seed,
                                    std::size_t n_seed, fmi3::Float64* sensitivity,
                                    std::size_t n_sensitivity) {
    return rubato::model::guarded<Status>(
        c, Call::get, "fmi3GetDirectionalDerivative", [&](Component& component) {
            return get_variation(component, {unknowns, n_unknowns}, {knowns, n_knowns},
                                 {seed, n_seed}, {sensitivity, n_sensitivity});
        });
}
