// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"

#include <rubato/fmi/fmi3_exports.hpp>

#include <algorithm>

// Strings and binaries. What is got stays where it is in the instance: valid until the variable
// changes, which is longer than the standard asks for.

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using rubato::ValueRef;
using rubato::ValueType;
using rubato::model::AccessResult;
using rubato::model::Call;
using rubato::model::Component;
using rubato::model::require;

namespace {

std::span<std::string_view> texts_for(Component& component, std::span<const ValueRef> references,
                                      const void* values, std::size_t n_values) {
    require_values(component, references, values, n_values);
    component.texts.resize(n_values);
    return component.texts;
}

} // namespace

Status fmi3GetString(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     fmi3::String* values, std::size_t n_values) {
    return rubato::model::guarded<Status>(c, Call::get, "fmi3GetString", [&](Component& component) {
        const auto texts = texts_for(component, {references, count}, values, n_values);
        const AccessResult result =
            component.instance.get_texts(ValueType::string, {references, count}, texts.data());
        if (result.ok())
            std::ranges::transform(texts, values,
                                   [](std::string_view text) { return text.data(); });
        return result;
    });
}

Status fmi3SetString(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const fmi3::String* values, std::size_t n_values) {
    return rubato::model::guarded<Status>(c, Call::set, "fmi3SetString", [&](Component& component) {
        const auto texts = texts_for(component, {references, count}, values, n_values);
        for (std::size_t i = 0; i < n_values; ++i) {
            require(values[i] != nullptr, "a string is missing");
            texts[i] = values[i];
        }
        return component.instance.set_texts(ValueType::string, {references, count}, texts.data());
    });
}

Status fmi3GetBinary(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     std::size_t* sizes, fmi3::Binary* values, std::size_t n_values) {
    return rubato::model::guarded<Status>(c, Call::get, "fmi3GetBinary", [&](Component& component) {
        const auto texts = texts_for(component, {references, count}, values, n_values);
        require(n_values == 0 || sizes != nullptr, "there is no place for the sizes");
        const AccessResult result =
            component.instance.get_texts(ValueType::binary, {references, count}, texts.data());
        for (std::size_t i = 0; result.ok() && i < n_values; ++i) {
            sizes[i] = texts[i].size();
            values[i] = reinterpret_cast<fmi3::Binary>(texts[i].data());
        }
        return result;
    });
}

Status fmi3SetBinary(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                     const std::size_t* sizes, const fmi3::Binary* values, std::size_t n_values) {
    return rubato::model::guarded<Status>(c, Call::set, "fmi3SetBinary", [&](Component& component) {
        const auto texts = texts_for(component, {references, count}, values, n_values);
        require(n_values == 0 || sizes != nullptr, "the sizes are missing");
        for (std::size_t i = 0; i < n_values; ++i) {
            require(sizes[i] == 0 || values[i] != nullptr, "a binary is missing");
            texts[i] = {reinterpret_cast<const char*>(values[i]), sizes[i]};
        }
        return component.instance.set_texts(ValueType::binary, {references, count}, texts.data());
    });
}
