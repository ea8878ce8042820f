// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/core/value.hpp>

#include <array>

namespace rubato {

std::string_view to_string(ValueType type) {
    static constexpr std::array<std::string_view, 15> names = {
        "float64", "float32", "int8",        "uint8",   "int16",  "uint16", "int32", "uint32",
        "int64",   "uint64",  "enumeration", "boolean", "string", "binary", "clock"};
    return names.at(static_cast<std::size_t>(type));
}

std::string_view to_string(Storage storage) {
    static constexpr std::array<std::string_view, 4> names = {"real", "integer", "boolean",
                                                              "string"};
    return names.at(static_cast<std::size_t>(storage));
}

std::string to_string(const Value& value) {
    struct Writer {
        std::string operator()(double real) const { return shortest(real); }
        std::string operator()(std::int64_t integer) const { return std::to_string(integer); }
        std::string operator()(bool boolean) const { return boolean ? "true" : "false"; }
        std::string operator()(const std::string& text) const { return text; }
    };
    return std::visit(Writer{}, value);
}

std::string to_string(const Value& value, ValueType type) {
    const auto* const bits = std::get_if<std::int64_t>(&value);
    if (bits && type == ValueType::uint64) return std::to_string(static_cast<std::uint64_t>(*bits));
    return to_string(value);
}

} // namespace rubato
